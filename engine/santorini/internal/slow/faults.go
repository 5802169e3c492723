package slow

// Deliberate faults of the model.
const (
	climbsTwo    = "climbs two levels"
	fallsOne     = "falls one level at most"
	notVacated   = "never builds where a worker began"
	buildsOnDome = "builds on domes"
	entersDome   = "enters domes"
	winsFrom3    = "a step from 3 to 3 wins"
	artemisHome  = "artemis may end where she started"
	artemisOn    = "artemis goes on after a win"
	hephDome     = "hephaestus doubles to a dome"
	panOne       = "pan wins by one level down"
	edgesWrap    = "edges wrap"
	winBuilds    = "a win may build on"
	buildsUnder  = "a worker builds under itself"
	passes       = "the mover may pass"
)

// Faults are all of them. A comparison that does not catch them all proves little.
var Faults = []string{
	climbsTwo, fallsOne, notVacated, buildsOnDome, entersDome, winsFrom3, artemisHome, artemisOn, hephDome, panOne, edgesWrap, winBuilds, buildsUnder, passes,
}

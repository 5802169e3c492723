package santorini

// The gods, in the order of the rule files. A new god is one line in each of
// these two lists and a file.
const (
	mortal God = iota
	pan
	artemis
	hephaestus
	godCount
)

var gods = [godCount]power{
	mortal:     mortalPower(),
	pan:        panPower(),
	artemis:    artemisPower(),
	hephaestus: hephaestusPower(),
}

func (g God) String() string { return gods[g].name }

// godNamed finds a god by its name in position strings.
func godNamed(name string) (God, bool) {
	for g := range gods {
		if gods[g].name == name {
			return God(g), true
		}
	}
	return 0, false
}

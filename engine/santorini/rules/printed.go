package rules

// Engines of today list fewer turns than the printed rules allow in a few places, and
// these rules list what they do. An engine of another make, or an older version, may
// play such a turn all the same. A class is one of these places.
type class uint8

const (
	listed class = iota // nothing beyond what is listed
	prometheusSecondBuild
	achillesWinningStep
	achillesSecondBuild
	charonFlipWin
	harpiesCastor
	hypnusCastor
	stymphaliansWinSquare
	aphroditeHermes
)

// anyGod stands for every opponent.
const anyGod = GodCount

// printedClasses has the classes with the gods of the mover and of the opponent.
var printedClasses = [...]struct {
	class      class
	god, other God
	name       string
}{
	{prometheusSecondBuild, prometheus, anyGod, "prometheus-second-build"},
	{achillesWinningStep, achilles, anyGod, "achilles-prebuild-under-winning-step"},
	{achillesSecondBuild, achilles, anyGod, "achilles-second-build"},
	{charonFlipWin, charon, anyGod, "charon-flip-win-where-plain-win"},
	{harpiesCastor, castor, harpies, "harpies-castor"},
	{hypnusCastor, castor, hypnus, "hypnus-castor"},
	{stymphaliansWinSquare, stymphalians, anyGod, "stymphalians-win-square-only-winning"},
	{aphroditeHermes, hermes, aphrodite, "aphrodite-hermes"},
}

// PrintedOnly reports whether q, which must not be a next state of p by NextStates, is one
// by the printed rules, and names the class of such turns. It is slow.
func PrintedOnly(p, q *State) (class string, ok bool) {
	if p.Winner != 0 || p.Placing() {
		return "", false
	}
	me := p.Mover & 1
	for _, c := range printedClasses {
		if c.god != p.Gods[me] || c.other != anyGod && c.other != p.Gods[me^1] {
			continue
		}
		g := &generator{list: NewMoveList(), class: c.class, target: q}
		if g.generate(p); g.found {
			return c.name, true
		}
	}
	return "", false
}

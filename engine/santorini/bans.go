package santorini

import "fmt"

// ban is a match-up that is not played, in either order.
type ban struct {
	a, b   God
	reason string
}

const (
	walledIn   = "who may not step down loses the whole power"
	bothGlide  = "a slide after each of any number of moves is not defined"
	noMeeting  = "edges that meet and neighbours who must stay close contradict each other"
	swapsLimit = "a swap of all workers contradicts the other power"
	lowDomes   = "a dome on a low tower is no complete tower, which a position does not tell"
	doubleTake = "two powers that take blocks away need not end"
)

// bans is the list, by the rulebook and by what engines of today refuse.
var bans = []ban{
	{hades, pan, walledIn},
	{hades, asteria, walledIn},
	{hades, nike, walledIn},
	{aphrodite, urania, noMeeting},
	{harpies, hermes, bothGlide},
	{nemesis, aphrodite, swapsLimit},
	{nemesis, bia, swapsLimit},
	{nemesis, clio, swapsLimit},
	{nemesis, graeae, swapsLimit},
	{nemesis, medusa, swapsLimit},
	{ares, ares, doubleTake},
	{chronus, atlas, lowDomes},
	{chronus, selene, lowDomes},
	{chronus, asteria, lowDomes},
	{chronus, polyphemus, lowDomes},
}

// banned is why a match-up is not played, nil where it is.
func banned(m matchup) error {
	for _, b := range bans {
		if m == (matchup{b.a, b.b}) || m == (matchup{b.b, b.a}) {
			return fmt.Errorf("%s and %s do not meet: %s", b.a, b.b, b.reason)
		}
	}
	return nil
}

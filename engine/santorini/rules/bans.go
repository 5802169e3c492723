package rules

import "fmt"

// bannedPair is a match-up that is not played, in either order.
type bannedPair struct {
	a, b   God
	reason string
}

const (
	walledIn   = "a god who may not step down loses the whole power"
	bothGlide  = "a slide after each of any number of moves is not defined"
	noMeeting  = "edges that meet and neighbours who must stay close contradict each other"
	swapsLimit = "a swap of all workers contradicts the other power"
	lowDomes   = "a dome on a low tower is not a complete tower, which a position does not show"
	doubleTake = "a game of two powers that remove blocks need not end"
)

// bans is what the rulebook bans and what existing engines refuse.
var bans = []bannedPair{
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

// Banned returns an error with the reason if a match-up is not played.
func Banned(m Matchup) error {
	for _, b := range bans {
		if m == (Matchup{b.a, b.b}) || m == (Matchup{b.b, b.a}) {
			return fmt.Errorf("%s and %s do not meet: %s", b.a, b.b, b.reason)
		}
	}
	return nil
}

// Ban is a god that another does not meet, and why.
type Ban struct {
	With   God
	Reason string
}

// Bans lists the gods that g does not meet.
func (g God) Bans() []Ban {
	var list []Ban
	for _, b := range bans {
		switch g {
		case b.a:
			list = append(list, Ban{b.b, b.reason})
		case b.b:
			list = append(list, Ban{b.a, b.reason})
		}
	}
	return list
}

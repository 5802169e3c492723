package rules

import (
	"fmt"
	"slices"
)

// ban is another god that a god does not meet, in either seat, by the rulebook or since
// existing engines refuse it. One of the two gods declares it.
type ban struct{ with, reason string }

const (
	walledIn   = "a god who may not step down loses the whole power"
	bothGlide  = "a slide after each of any number of moves is not defined"
	noMeeting  = "edges that meet and neighbours who must stay close contradict each other"
	swapsLimit = "a swap of all workers contradicts the other power"
	lowDomes   = "a dome on a low tower is not a complete tower, which a position does not show"
	doubleTake = "a game of two powers that remove blocks need not end"
)

// Banned returns an error with the reason if a match-up is not played.
func Banned(m Matchup) error {
	for side := range m {
		for _, b := range gods[m[side]].bans {
			if b.with == m[1-side].String() {
				return fmt.Errorf("%s and %s do not meet: %s", m[side], b.with, b.reason)
			}
		}
	}
	return nil
}

// Ban is a god that another does not meet, and why.
type Ban struct {
	With   God
	Reason string
}

// Bans lists the gods that g does not meet, in the order of all gods.
func (g God) Bans() []Ban {
	var list []Ban
	for other := range GodCount {
		for _, pair := range [2]Matchup{{g, other}, {other, g}} {
			i := slices.IndexFunc(gods[pair[0]].bans, func(b ban) bool { return b.with == pair[1].String() })
			if i >= 0 {
				list = append(list, Ban{other, gods[pair[0]].bans[i].reason})
				break
			}
		}
	}
	return list
}

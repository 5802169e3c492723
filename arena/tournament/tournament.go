// Package tournament makes every decision about a run: which pairs of games it
// has and in which order, which games count, which engines leave, the state of a
// sequential test, when the run is over, and why.
//
// It is a fold over games in job order: a pure function of the plan and the set
// of games, independent of the order in which they arrive. A resumed run
// therefore ends like an uninterrupted one, and a stored run can be summarized
// again with the same result. The package plays, stores and prints nothing, and
// knows no game.
package tournament

import (
	"fmt"

	"thera/arena"
)

// Pair is the unit of every format: one opening, played once from each seat
// (once in all where Single is set).
type Pair struct {
	A, B   int // engines by place in the plan, A <= B; equal: one against itself
	Round  int // from 1
	Number int // from 0, within the pairing over the whole run: decides the opening
	Single int // 0: both legs; else only leg Single-1

	nth int // which pair of its line it is, from 0
}

var legs = [2]int{0, 1}

// Legs are the games of the pair; not to be changed.
func (p Pair) Legs() []int {
	if p.Single > 0 {
		return legs[p.Single-1 : p.Single]
	}
	return legs[:]
}

// has reports whether leg is one of the pair's games.
func (p *Pair) has(leg int) bool { return p.Single == 0 || p.Single == leg+1 }

// passed is why a pair of the prefix was skipped.
type passed int

const (
	played     passed = iota
	passedLeft        // an engine of it left the run
	passedUsed        // it could only repeat earlier games
)

// result is a pair of the prefix as formats see it.
type result struct {
	passed  passed
	left    [2]bool // of passedLeft: whether A and B left
	winners [2]int  // by leg: 0 is A, 1 is B, -1 a draw
	single  bool    // only one leg was played, winners[leg]
	leg     int
	fresh   bool // it counts: its opening was not there before
}

// points of A and B, in games won.
func (r *result) points() (a, b float64) {
	r.each(func(winner int) {
		switch winner {
		case 0:
			a++
		case 1:
			b++
		default:
			a, b = a+0.5, b+0.5
		}
	})
	return a, b
}

// each calls do with the winner of each game that was played.
func (r *result) each(do func(winner int)) {
	for leg, winner := range r.winners {
		if r.passed == played && (!r.single || r.leg == leg) {
			do(winner)
		}
	}
}

// Readiness is what a Fold or a format can offer next.
type Readiness int

// The degrees of readiness.
const (
	Ready Readiness = iota // a pair
	Wait                   // nothing until further games are added
	Over                   // nothing more
)

// format decides the pairs of one kind of tournament.
type format interface {
	// next is the pair at place; all places before it were requested. It does
	// not return Wait once saw was called for all of those.
	next(place int) (Pair, Readiness)
	// saw folds the next pair of the prefix. A stop ends the run.
	saw(p Pair, r *result) *arena.Stop
	// has reports whether the game may belong to the plan, as far as is known.
	has(k key, leg int) bool
	// total is the number of games, as far as is known.
	total() int
	// most is the largest number of games that an engine can have.
	most(engine int) int
	// end is why the run is over after next returned Over.
	end() *arena.Stop
}

// ending is the stop of a run that reached its end.
func ending(kind arena.StopKind, text string, args ...any) *arena.Stop {
	return &arena.Stop{Kind: kind, Text: fmt.Sprintf(text, args...)}
}

package arena

import (
	"time"

	"thera/arena/rating"
)

// Tally counts games of one pairing, seen from its first engine. Only games
// that count are in it: no stalled, repeated or surplus ones. The unit of
// every error is the pair, or the single game where games are not played in
// pairs. Tallies of disjoint sets of games add up.
type Tally struct {
	// Of Pairing[0]: games, those of unfinished pairs too; finished pairs; games that are units themselves.
	rating.Counts
	SeatPairs rating.Penta // the same pairs by points of the first seat, whoever sat there
	// Unrated are pairs, or single games, that could not be judged: in none of these, but those in which both
	// were at fault are in Sides.
	Unrated      int
	UnratedGames int        // of them
	Points       [2]float64 // the game's points of each engine; 0 where it has none
	Sides        [2]Effort
	Plies        int64 // turns
}

// Effort is what one engine spent and did wrong in the games of a Tally.
type Effort struct {
	Moves  int64 // asked moves
	Wall   time.Duration
	CPU    time.Duration
	Depth  int64 // sum over the moves that reported one
	Depths int64 // how many reported one
	Nodes  int64
	Idle   time.Duration // CPU used outside its turns
	Failed int           // games lost by a fault
}

// Add adds the counts of o.
func (t *Tally) Add(o *Tally) {
	t.Counts, t.SeatPairs = t.Counts.Add(o.Counts), t.SeatPairs.Add(o.SeatPairs)
	for i := range t.Sides {
		t.Sides[i].Add(&o.Sides[i])
		t.Points[i] += o.Points[i]
	}
	t.Unrated += o.Unrated
	t.UnratedGames += o.UnratedGames
	t.Plies += o.Plies
}

// Add adds the sums of o.
func (e *Effort) Add(o *Effort) {
	e.Moves += o.Moves
	e.Wall += o.Wall
	e.CPU += o.CPU
	e.Depth += o.Depth
	e.Depths += o.Depths
	e.Nodes += o.Nodes
	e.Idle += o.Idle
	e.Failed += o.Failed
}

// Swapped is the same tally seen from the pairing's second engine.
func (t Tally) Swapped() Tally {
	t.Counts = t.Flip()
	t.Sides[0], t.Sides[1] = t.Sides[1], t.Sides[0]
	t.Points[0], t.Points[1] = t.Points[1], t.Points[0]
	return t
}

// Total is the number of games.
func (t *Tally) Total() int { return int(t.Games.Games()) }

// Finished is the number of finished pairs.
func (t *Tally) Finished() int { return int(t.Pairs.Pairs()) }

// One counts one game by its winner (index in the pairing, -1 for a draw).
func One(winner int) rating.WDL {
	return [...]rating.WDL{{Draws: 1}, {Wins: 1}, {Losses: 1}}[winner+1]
}

// PairOf counts one pair by the winners of its two games.
func PairOf(winners [2]int) (p rating.Penta) {
	p[int(2*(One(winners[0]).Points()+One(winners[1]).Points()))]++
	return p
}

// CountGame counts one game; single says that it is a unit itself. The pair is
// counted by CountPair.
func (t *Tally) CountGame(f *Game, single bool) {
	one := One(f.Winner())
	t.Games = t.Games.Add(one)
	if single {
		t.Singles = t.Singles.Add(one)
	}
	t.Plies += int64(f.Turns)
	for i := range t.Sides {
		t.Sides[i].Add(f.Side(i))
		t.Points[i] += f.scored(i)
	}
}

// CountPair counts a finished pair by the winners of its two games, leg 0
// first.
func (t *Tally) CountPair(winners [2]int) {
	t.Pairs = t.Pairs.Add(PairOf(winners))
	t.SeatPairs = t.SeatPairs.Add(PairOf([2]int{winners[0], Turned(winners[1])}))
}

// Turned is an index in a pairing (-1 for none) when the pairing is named
// the other way round.
func Turned(i int) int {
	if i < 0 {
		return i
	}
	return 1 - i
}

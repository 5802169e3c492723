package arena

import "time"

// Tally counts games of one pairing, seen from its first engine. Only games
// that count are in it: no stalled, repeated or surplus ones. The unit of
// every error is the pair, or the single game where games are not played in
// pairs. Tallies of disjoint sets of games add up.
type Tally struct {
	Games     [3]int     // wins, draws, losses of Pairing[0]; those of unfinished pairs too
	Pairs     [5]int     // finished pairs by points of Pairing[0]: 0, ½, 1, 1½, 2
	SeatPairs [5]int     // the same pairs by points of the first seat, whoever sat there
	Singles   [3]int     // those of Games that are units themselves: not played in pairs
	Points    [2]float64 `json:",omitzero"` // the game's own points (PyRat's cheese) of each engine; 0 where it has none
	Sides     [2]Effort
	Plies     int64 // turns
	Warned    int   // games that carry a warning
	Seconds   float64
}

// Effort is what one engine spent and did wrong in the games of a Tally.
type Effort struct {
	Moves  int64 // asked moves
	Wall   time.Duration
	CPU    time.Duration
	Depth  int64 // sum over the moves that reported one
	Depths int64 // how many reported one
	Nodes  int64
	Idle   time.Duration // CPU used outside its own turns
	Failed int           // games lost by a fault
}

// Add adds the counts of o.
func (t *Tally) Add(o *Tally) {
	for i := range t.Games {
		t.Games[i] += o.Games[i]
		t.Singles[i] += o.Singles[i]
	}
	for i := range t.Pairs {
		t.Pairs[i] += o.Pairs[i]
		t.SeatPairs[i] += o.SeatPairs[i]
	}
	for i := range t.Sides {
		t.Sides[i].Add(&o.Sides[i])
		t.Points[i] += o.Points[i]
	}
	t.Plies += o.Plies
	t.Warned += o.Warned
	t.Seconds += o.Seconds
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
	t.Games[0], t.Games[2] = t.Games[2], t.Games[0]
	t.Singles[0], t.Singles[2] = t.Singles[2], t.Singles[0]
	t.Pairs[0], t.Pairs[4] = t.Pairs[4], t.Pairs[0]
	t.Pairs[1], t.Pairs[3] = t.Pairs[3], t.Pairs[1]
	t.Sides[0], t.Sides[1] = t.Sides[1], t.Sides[0]
	t.Points[0], t.Points[1] = t.Points[1], t.Points[0]
	return t
}

// Total is the number of games.
func (t *Tally) Total() int { return t.Games[0] + t.Games[1] + t.Games[2] }

// Finished is the number of finished pairs.
func (t *Tally) Finished() int {
	return t.Pairs[0] + t.Pairs[1] + t.Pairs[2] + t.Pairs[3] + t.Pairs[4]
}

// Half is the number of games whose pair is not finished: they are in the
// score and in no error.
func (t *Tally) Half() int {
	return t.Total() - 2*t.Finished() - t.Singles[0] - t.Singles[1] - t.Singles[2]
}

// WDL is the place of a winner (index in the pairing, -1 for a draw) in
// Tally.Games.
func WDL(winner int) int {
	switch winner {
	case 0:
		return 0
	case 1:
		return 2
	}
	return 1
}

// PairPoints is the place in Tally.Pairs of a pair whose two games were won by
// these engines (index in the pairing, -1 for a draw): its half points.
func PairPoints(a, b int) int { return 4 - WDL(a) - WDL(b) }

// CountGame counts one game; single says that it is a unit itself. The pair is
// counted by CountPair.
func (t *Tally) CountGame(f *Finished, single bool) {
	at := WDL(f.Winner)
	t.Games[at]++
	if single {
		t.Singles[at]++
	}
	t.Plies += int64(f.Plies)
	t.Seconds += f.Seconds
	if len(f.Warnings) > 0 {
		t.Warned++
	}
	for i := range t.Sides {
		t.Sides[i].Add(&f.Sides[i])
		t.Points[i] += f.Points[i]
	}
}

// CountPair counts a finished pair by the winners of its two games, leg 0
// first (index in the pairing, -1 for a draw).
func (t *Tally) CountPair(winners [2]int) {
	t.Pairs[PairPoints(winners[0], winners[1])]++
	t.SeatPairs[PairPoints(winners[0], Turned(winners[1]))]++
}

// Turned is an index in a pairing (-1 for none) when the pairing is named
// the other way round.
func Turned(i int) int {
	if i < 0 {
		return i
	}
	return 1 - i
}

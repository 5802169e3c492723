package arena

import "time"

// Tally counts games of one pairing, seen from its first engine. Stalled
// games are never in it. Tallies of disjoint sets of games add up.
type Tally struct {
	Games         [3]int     // wins, draws, losses of Pairing[0]
	Distinct      [3]int     // the same, identical games once
	Pairs         [5]int     // finished pairs by points of Pairing[0]: 0, ½, 1, 1½, 2
	DistinctPairs [5]int     // the same, identical pairs once
	SeatPairs     [5]int     // the distinct pairs again, by points of the first seat, whoever sat there
	Counted       [3]int     // games that statistics use: those of distinct pairs, and distinct games outside of pairs
	Points        [2]float64 `json:",omitzero"` // the game's own points (PyRat's cheese) of each engine; 0 where it has none
	Sides         [2]Effort
	Plies         int64 // turns
	Warned        int   // games that carry a warning
	Seconds       float64
}

// Effort is what one engine spent and did wrong in the games of a Tally.
type Effort struct {
	Moves  int64 // asked moves
	Wall   time.Duration
	CPU    time.Duration
	Depth  int64 // sum over the moves that told one
	Depths int64 // how many told one
	Nodes  int64
	Idle   time.Duration // CPU used outside its own turns
	Failed int           // games lost by a fault
}

// Add adds the counts of o.
func (t *Tally) Add(o *Tally) {
	for i := range t.Games {
		t.Games[i] += o.Games[i]
		t.Distinct[i] += o.Distinct[i]
		t.Counted[i] += o.Counted[i]
	}
	for i := range t.Pairs {
		t.Pairs[i] += o.Pairs[i]
		t.DistinctPairs[i] += o.DistinctPairs[i]
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
	for _, g := range []*[3]int{&t.Games, &t.Distinct, &t.Counted} {
		g[0], g[2] = g[2], g[0]
	}
	for _, p := range []*[5]int{&t.Pairs, &t.DistinctPairs} {
		p[0], p[4] = p[4], p[0]
		p[1], p[3] = p[3], p[1]
	}
	t.Sides[0], t.Sides[1] = t.Sides[1], t.Sides[0]
	t.Points[0], t.Points[1] = t.Points[1], t.Points[0]
	return t
}

// Total is the number of games.
func (t *Tally) Total() int { return t.Games[0] + t.Games[1] + t.Games[2] }

// Different is the number of distinct games.
func (t *Tally) Different() int { return t.Distinct[0] + t.Distinct[1] + t.Distinct[2] }

// Half is the number of games whose pair is not finished.
func (t *Tally) Half() int {
	return t.Total() - 2*(t.Pairs[0]+t.Pairs[1]+t.Pairs[2]+t.Pairs[3]+t.Pairs[4])
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

// CountGame counts one game's result and effort; fresh says that no identical
// game was counted before. The pair is counted by CountPair.
func (t *Tally) CountGame(r *Record, fresh bool) {
	at := WDL(r.Winner())
	t.Games[at]++
	if fresh {
		t.Distinct[at]++
		t.Counted[at]++
	}
	t.Plies += int64(len(r.Moves))
	t.Seconds += r.Seconds
	if len(r.Warnings) > 0 {
		t.Warned++
	}
	for i := range t.Sides {
		seat := r.Seat(i)
		effort := r.effort(seat)
		t.Sides[i].Add(&effort)
		t.Points[i] += r.Outcome.Points[seat.Index()]
	}
}

// PairedGame is what CountPair must know of one game of a pair: the tally of
// its row, its winner (index in the pairing, -1 for a draw) and whether it was
// fresh when it was counted.
type PairedGame struct {
	Tally  *Tally
	Winner int
	Fresh  bool
}

// CountPair counts a finished pair, whose games of leg 0 and 1 CountGame has
// counted before; fresh says that no identical pair was counted before. From
// here on the pair is the unit: its games are used with it or not at all.
func CountPair(legs [2]PairedGame, fresh bool) {
	points := PairPoints(legs[0].Winner, legs[1].Winner)
	legs[0].Tally.Pairs[points]++
	if fresh {
		legs[0].Tally.DistinctPairs[points]++
		legs[0].Tally.SeatPairs[PairPoints(legs[0].Winner, turnedWinner(legs[1].Winner))]++
	}
	for _, g := range legs {
		at := WDL(g.Winner)
		switch {
		case fresh && !g.Fresh:
			g.Tally.Counted[at]++
		case !fresh && g.Fresh:
			g.Tally.Counted[at]--
		}
	}
}

// turnedWinner is a winner's index with the pairing turned round.
func turnedWinner(winner int) int {
	if winner < 0 {
		return winner
	}
	return 1 - winner
}

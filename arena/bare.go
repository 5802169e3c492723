package arena

import (
	"cmp"
	"hash/fnv"
	"strings"

	"thera/engine/game"
)

// Bare is the game as decisions and tables need it, and as Load of the store returns it:
// without its moves, and with what follows from them. It is small, so that a million of them
// can be kept.
func (g *Game) Bare() Game {
	b := Game{
		Job: g.Job, Roles: g.Roles, Status: cmp.Or(g.Status, StatusCounted), Attempt: g.Attempt,
		Source: g.Source, Outcome: g.Outcome, Blamed: g.Blamed, Warnings: g.Warnings, Seconds: g.Seconds, By: g.By,
		Turns: len(g.Moves), Sameness: g.sameness(),
	}
	h := fnv.New64a()
	h.Write([]byte(g.Start))
	b.StartHash, b.Job.Start, b.Seed, b.Job.Opening = h.Sum64(), 0, 0, ""
	for i := range b.Sides {
		b.Sides[i] = g.effort(game.Seat(i + 1))
	}
	return b
}

// Both reports whether both engines were at fault. Such a game is void of points.
func (g *Game) Both() bool { return g.Source == Faulted && g.Outcome.Winner == game.None }

// Winner is the index in Pairing of the winner, -1 for a draw.
func (g *Game) Winner() int { return g.index(g.Outcome.Winner) }

// Guilty is the index in Pairing of the engine that faulted, or was late in a stalled game; -1
// for none or both.
func (g *Game) Guilty() int {
	if g.Source == Faulted && !g.Both() || g.Source == Stalled {
		return g.index(g.Blamed)
	}
	return -1
}

// index is the index in Pairing of who has a seat, -1 for nobody.
func (g *Game) index(seat game.Seat) int {
	switch seat {
	case g.Seat(0):
		return 0
	case g.Seat(1):
		return 1
	}
	return -1
}

// Side is what Pairing[i] spent and did wrong.
func (g *Game) Side(i int) *Effort { return &g.Sides[g.Seat(i).Index()] }

// scored are the game's own points of Pairing[i].
func (g *Game) scored(i int) float64 { return g.Outcome.Points[g.Seat(i).Index()] }

// Turned is the same game with its pairing named the other way round.
func (g *Game) Turned() *Game {
	t := *g
	t.Pairing[0], t.Pairing[1] = g.Pairing[1], g.Pairing[0]
	t.Leg = 1 - g.Leg
	return &t
}

// effort is what the engine in seat spent and did wrong.
func (g *Game) effort(seat game.Seat) Effort {
	if g.Turns > len(g.Moves) { // it is bare
		return g.Sides[seat.Index()]
	}
	e := Effort{Idle: g.Idle[seat.Index()]}
	if g.Source == Faulted && (g.Blamed == seat || g.Both()) {
		e.Failed = 1
	}
	for _, p := range g.Plies {
		if p.Seat != seat {
			continue
		}
		e.Moves++
		e.Wall += p.Wall
		e.CPU += p.CPU
		e.Nodes += p.Nodes
		if p.Depth > 0 {
			e.Depth += int64(p.Depth)
			e.Depths++
		}
	}
	return e
}

// sameness is the hash of start, moves and result, whoever sat where: equal for
// games that add no information, as the two of a pair in which both engines play the same
// moves. The detail of a fault (such as milliseconds used) is not part of it.
func (g *Game) sameness() uint64 {
	h := fnv.New64a()
	var kind game.FaultKind
	if g.Fault != nil {
		kind = g.Fault.Kind
	}
	for _, word := range [...]string{
		g.Start, string(rune('0' + g.Outcome.Winner)), string(g.Source), string(kind),
	} {
		h.Write([]byte(word))
		h.Write([]byte{0})
	}
	for _, move := range g.Moves {
		h.Write([]byte(move))
		h.Write([]byte{0})
	}
	return h.Sum64()
}

// End is how tables count the end of a game: the reason, for faults their kind alone where
// the detail differs from game to game.
func (g *Game) End() string {
	if g.Source != Faulted {
		return g.Outcome.Reason
	}
	if g.Both() {
		return "both at fault"
	}
	kind, _, _ := strings.Cut(g.Outcome.Reason, ": ")
	switch game.FaultKind(kind) {
	case game.FaultCrashed, game.FaultExited: // the detail is the signal or the status
		return g.Outcome.Reason
	}
	return kind
}

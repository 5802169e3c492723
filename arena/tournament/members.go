package tournament

import (
	"fmt"

	"thera/arena"
)

// members counts the faults of the run's engines in the prefix and records which
// of them left.
type members struct {
	engines []arena.EngineSpec
	left    []bool
	records []member
	drops   []arena.Drop
}

type member struct {
	games  int // at most deadAfter
	dead   int // of these, how many ended by its own fault before its first move
	faults int
}

// deadAfter is the number of games after which an engine is dead, if all of them
// ended by its own fault before its first move. A game that its opponent's fault
// ended before it was asked says nothing.
const deadAfter = 3

func newMembers(plan *arena.Plan) members {
	n := len(plan.Engines)
	return members{engines: plan.Engines, left: make([]bool, n), records: make([]member, n)}
}

// add counts the games of the next pair of the prefix. It returns a stop if too
// few engines are left.
func (m *members) add(f *Fold, p *Pair, h *held) *arena.Stop {
	for _, leg := range p.Legs() {
		game := h.games[leg]
		if p.A == p.B {
			m.count(f, p.A, game, game.Side(0).Failed+game.Side(1).Failed > 0, game.Side(0).Moves+game.Side(1).Moves)
			continue
		}
		m.count(f, p.A, game, game.Side(0).Failed > 0, game.Side(0).Moves)
		m.count(f, p.B, game, game.Side(1).Failed > 0, game.Side(1).Moves)
	}
	in := 0
	for _, left := range m.left {
		in += btoi(!left)
	}
	if in >= min(2, len(m.left)) {
		return nil
	}
	last := m.drops[len(m.drops)-1]
	stop := &arena.Stop{Kind: arena.StopDead, Engine: last.Engine, Game: last.Game, Text: last.Text}
	if !last.Dead {
		stop.Kind, stop.Text = arena.StopLeft, last.Text+": too few engines are left"
	}
	return stop
}

// count counts a game of one engine and drops the engine if it must leave.
func (m *members) count(f *Fold, at int, game *arena.Game, failed bool, moves int64) {
	r, spec := &m.records[at], &m.engines[at]
	if failed {
		r.faults++
	}
	if r.games < deadAfter && (failed || moves > 0) { // it was asked
		r.games++
		r.dead += btoi(failed && moves == 0)
	}
	switch {
	case m.left[at] || !failed:
	case r.dead == deadAfter:
		m.drop(f, at, arena.Drop{Dead: true, Text: fmt.Sprintf(
			"%s never made a move: its first %d games ended by its own fault (%s)", spec.Name, deadAfter, game.Outcome.Reason)}, game)
	case spec.OnFault == arena.FaultDrop && r.faults >= spec.MaxFault:
		times := fmt.Sprintf("%d faults", r.faults)
		if r.faults == 1 {
			times = "a fault"
		}
		m.drop(f, at, arena.Drop{Text: fmt.Sprintf("%s left the run after %s", spec.Name, times)}, game)
	}
}

func (m *members) drop(f *Fold, at int, d arena.Drop, game *arena.Game) {
	d.Engine, d.Faults, d.Pairs, d.Game = m.engines[at].Name, m.records[at].faults, f.sum.pairs, game.ID
	m.left[at] = true
	m.drops = append(m.drops, d)
	f.news = append(f.news, d.Text)
}

// last returns the stop of a run in which every pairing lost an engine.
func (m *members) last() *arena.Stop {
	d := m.drops[len(m.drops)-1]
	return &arena.Stop{Kind: arena.StopLeft, Engine: d.Engine, Game: d.Game, Text: d.Text + ": no pairing is left"}
}

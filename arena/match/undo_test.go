//go:build unix

package match

import (
	"math/rand/v2"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// A match that took turns back has the moves and the plies of one that never played them, and
// no verdict; it plays on.
func TestUndo(t *testing.T) {
	for name, tt := range map[string]struct {
		fault string
		game  *nim.Game
	}{
		"in turn":        {"none", nim.New(40)},
		"both":           {"none", nim.NewBoth(60, 0)},
		"replaced moves": {"garbage:3", nim.NewBoth(60, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, rec := stepped(t, plan(tt.game, tt.fault))
			rng := rand.New(rand.NewPCG(1, 1))
			lines := []*game.History{m.history}
			for range 60 {
				over := false
				for !over && rng.IntN(3) > 0 {
					var err error
					if over, err = m.Step(t.Context()); err != nil {
						t.Fatal(err)
					}
					lines = append(lines[:m.history.Ply], m.history)
				}
				had := m.history.Ply
				ok, err := m.Undo(t.Context())
				if _, over := m.Over(); err != nil || over || ok != (had > 0) {
					t.Fatal(ok, over, err)
				}
				plies := m.history.Ply * m.history.Position.ToMove().Len()
				if m.history != lines[max(had-1, 0)] || len(rec.Moves) != m.history.Ply || len(rec.Plies) != plies {
					t.Fatalf("back at ply %d after %d: %d moves, %d plies", m.history.Ply, had, len(rec.Moves), len(rec.Plies))
				}
			}
		})
	}
}

// An engine that ends at its first question, whenever it is started, has made
// no move: not in a game that forgives either, and no ply is on its record.
func TestDeadEngineMakesNoMove(t *testing.T) {
	for _, both := range []bool{false, true} {
		for fault, kind := range map[string]game.FaultKind{"exit3": game.FaultExited, "startexit": game.FaultExited, "segv": game.FaultCrashed} {
			g := nim.New(21)
			g.Both = both
			rec := games(t, plan(g, fault), 1, Options{})[0]
			checkVerdict(t, 0, rec, kind, "")
			for _, ply := range rec.Plies {
				if ply.Seat == rec.Blamed {
					t.Errorf("%s, both %v: a ply of the dead engine", fault, both)
				}
			}
		}
	}
}

package player

import (
	"math/rand/v2"
	"slices"
	"testing"

	"thera/engine/pyrat/rules"
)

// walk is a game by the rules, in which both players follow the ways of a race.
type walk struct {
	p     *Player
	state rules.State
	cells rules.Set
}

func newWalk(p *Player, pos *rules.Position) *walk {
	return &walk{p: p, state: pos.State(), cells: slices.Clone(pos.Cheese())}
}

// to goes on to a turn.
func (w *walk) to(turn int32, target [2]int16) {
	maze := w.p.board.Maze
	for w.state.Turn < turn && !w.p.board.Over(&w.state) {
		taken, n := w.state.Step(maze, w.cells, w.p.to(target[0], w.state.At[0]), w.p.to(target[1], w.state.At[1]))
		for _, cell := range taken[:n] {
			w.cells.Remove(int(cell))
		}
	}
}

// TestRacesFollowTheRules runs races with random choices, turn by turn by the rules too: at
// each arrival score, cheese, places and mud are the same.
func TestRacesFollowTheRules(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 2))
	arrivals, shared, interrupted, muddy := 0, 0, 0, 0
	for _, preset := range []string{"tiny", "small", "asymmetric", "open"} {
		for seed := range uint64(8) {
			pos := generated(t, preset, seed)
			p := New(pos.Board(), Options{})
			for range 20 {
				var r race
				p.set(&r, pos, p.left(pos))
				w := newWalk(p, pos)
				for over := false; !over; arrivals++ {
					for i := range r.runner {
						var choices [wide]int16
						if r.runner[i].target < 0 {
							n := p.choices(&r, i, &choices)
							p.send(&r, i, choices[random.IntN(int(n))])
						}
					}
					target := [2]int16{r.runner[0].target, r.runner[1].target}
					over = p.run(&r)
					w.to(r.turn, target)
					if w.state.Turn != r.turn || w.state.Score != r.score || w.state.Left != r.left || p.board.Over(&w.state) != over {
						t.Fatalf("%s %d: turn %d, score %v, %d left, over %v; by the rules %+v", preset, seed, r.turn, r.score, r.left, over, w.state)
					}
					if r.score[0]%2 == 1 {
						shared++
					}
					if over {
						break
					}
					for i, a := range r.runner {
						if a.target >= 0 {
							p.interrupt(&a, r.turn)
						} else if a.cell != p.board.Cheese[target[i]] {
							interrupted++
						}
						if a.ready > r.turn {
							muddy++
						}
						if w.state.Dest[i] != a.cell || int32(w.state.Timer[i]) != a.ready-r.turn {
							t.Fatalf("%s %d, turn %d: player %d at %d for %d, by the rules %+v", preset, seed, r.turn, i, a.cell, a.ready-r.turn, w.state)
						}
					}
				}
			}
		}
	}
	if shared < 10 || interrupted < 100 || muddy < 100 {
		t.Errorf("of %d arrivals %d were shared, %d interrupted and %d beside mud", arrivals, shared, interrupted, muddy)
	}
}

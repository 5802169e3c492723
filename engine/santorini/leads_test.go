package santorini

import (
	"math/rand/v2"
	"testing"
)

// TestLeadsAgrees holds the referee's shortcut to the list of turns: every
// listed state is led to, and states with one thing changed only where the
// list has them too.
func TestLeadsAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	f := newFrame()
	checked, refused := 0, 0
	for _, gods := range [][2]God{{mortal, mortal}, {artemis, pan}, {hephaestus, artemis}, {pan, hephaestus}, {artemis, artemis}} {
		for range 60 {
			p, _ := startOf(gods, false)
			for p.winner == 0 {
				if f.generate(&p); len(f.moves) == 0 {
					break
				}
				fast := fastFor(&p)
				listed := map[state]bool{}
				for _, m := range f.moves {
					listed[f.child(&p, m)] = true
				}
				for q := range listed {
					if checked++; !fast.leads(&p, &q) {
						t.Fatalf("%s to %s is listed, not led to", p.text(formV1), q.text(formV1))
					}
					wrong := q
					switch rng.IntN(6) {
					case 0:
						wrong.raise(bit(rng.IntN(squares)))
					case 1:
						wrong.workers[0] ^= rng.Uint32() & rng.Uint32() & rng.Uint32() & board
					case 2:
						wrong.workers[1] ^= rng.Uint32() & rng.Uint32() & rng.Uint32() & board
					case 3:
						wrong.mover ^= 1
					case 4:
						wrong.winner = uint8(rng.IntN(3))
					case 5:
						wrong.dome(bit(rng.IntN(squares)))
					}
					if led := fast.leads(&p, &wrong); led != listed[wrong] {
						t.Fatalf("%+v to %+v: led to %v, listed %v", p, wrong, led, listed[wrong])
					} else if !led {
						refused++
					}
				}
				p = f.child(&p, f.moves[rng.IntN(len(f.moves))])
			}
		}
	}
	if checked < 100_000 || refused < 50_000 {
		t.Errorf("%d turns checked, %d refused: too few to prove anything", checked, refused)
	}
}

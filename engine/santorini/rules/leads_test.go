package rules

import (
	"math/rand/v2"
	"testing"
)

// TestLeadsAgrees checks Fast.Leads against the list of turns, with listed states and
// with states in which one thing is changed.
func TestLeadsAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	l := NewMoveList()
	checked, refused := 0, 0
	for _, names := range [][]string{{"mortal", "mortal"}, {"artemis", "pan"}, {"hephaestus", "artemis"}, {"pan", "hephaestus"}, {"artemis", "artemis"}} {
		gods, err := ParseGods(names)
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			p := Start(Matchup(gods), false)
			for p.Winner == 0 {
				if l.Generate(&p); len(l.Moves) == 0 {
					break
				}
				fast := FastPath(&p)
				listed := map[State]bool{}
				for _, m := range l.Moves {
					listed[l.Child(&p, m)] = true
				}
				for q := range listed {
					if checked++; !fast.Leads(&p, &q) {
						t.Fatalf("%+v to %+v is listed, not led to", p, q)
					}
					wrong := q
					switch rng.IntN(6) {
					case 0:
						wrong.Raise(Bit(rng.IntN(Squares)))
					case 1:
						wrong.Workers[0] ^= rng.Uint32() & rng.Uint32() & rng.Uint32() & Board
					case 2:
						wrong.Workers[1] ^= rng.Uint32() & rng.Uint32() & rng.Uint32() & Board
					case 3:
						wrong.Mover ^= 1
					case 4:
						wrong.Winner = uint8(rng.IntN(3))
					case 5:
						wrong.Dome(Bit(rng.IntN(Squares)))
					}
					if led := fast.Leads(&p, &wrong); led != listed[wrong] {
						t.Fatalf("%+v to %+v: led to %v, listed %v", p, wrong, led, listed[wrong])
					} else if !led {
						refused++
					}
				}
				p = l.Child(&p, l.Moves[rng.IntN(len(l.Moves))])
			}
		}
	}
	if checked < 100_000 || refused < 50_000 {
		t.Errorf("%d turns checked, %d refused: too few to prove anything", checked, refused)
	}
}

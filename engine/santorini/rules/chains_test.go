package rules_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"thera/engine/santorini/rules"
)

// acted plays a chain on the board as a person would. It does not know what a god
// does without an action, such as the removals of bia and medusa.
func acted(p *rules.State, chain []rules.Action) rules.State {
	q := *p
	me, them := p.Mover&1, p.Mover&1^1
	at := rules.NoSquare
	shift := func(side uint8, from, to int) { q.Workers[side] ^= rules.Bit(from) | rules.Bit(to) }
	for _, a := range chain {
		switch a.Kind {
		case rules.SelectWorker:
			at = a.At
		case rules.MoveWorker:
			shift(me, at, a.At)
			at = a.At
		case rules.MoveWithSwap:
			shift(them, a.At, at)
			shift(me, at, a.At)
			at = a.At
		case rules.MoveWithPush:
			shift(them, a.At, a.To)
			shift(me, at, a.At)
			at = a.At
		case rules.Build:
			q.Raise(rules.Bit(a.At))
		case rules.Dome:
			q.Dome(rules.Bit(a.At))
		case rules.PlaceWorker:
			q.Workers[me] |= rules.Bit(a.At)
		case rules.ForceOpponent:
			if q.Workers[me]&rules.Bit(a.To) != 0 {
				shift(me, a.To, a.At) // nemesis changes places
			}
			shift(them, a.At, a.To)
		case rules.ForceOwn:
			shift(me, a.At, a.To)
		case rules.RemoveWorker:
			q.Workers[0] &^= rules.Bit(a.At)
			q.Workers[1] &^= rules.Bit(a.At)
		case rules.RemoveBlock:
			q.Lower(rules.Bit(a.At))
		}
	}
	return q
}

// TestChainsLeadThere checks for every god that each chain leads to its state, and that Explain
// finds it.
func TestChainsLeadThere(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for g := range rules.GodCount {
		for _, p := range rules.Examples(g) {
			for range 4 {
				turns := rules.Turns(&p)
				for i := range turns {
					checkChain(t, &p, &turns[i])
					if i%(1+len(turns)/20) != 0 {
						continue
					}
					if chain, ok := rules.Explain(&p, &turns[i].Next); !ok || !slices.Equal(chain, turns[i].Chain) {
						t.Errorf("explained by %v, listed with %v", chain, turns[i].Chain)
					}
				}
				if chain, ok := rules.Explain(&p, &p); ok {
					t.Errorf("it leads to itself by %v", chain)
				}
				if t.Failed() {
					t.Fatalf("%s in %s", g, rules.Text(&p, rules.V2))
				}
				if len(turns) == 0 {
					break
				}
				p = turns[r.IntN(len(turns))].Next
			}
		}
	}
}

func checkChain(t *testing.T, p *rules.State, turn *rules.Turn) {
	t.Helper()
	q := acted(p, turn.Chain)
	next, me := &turn.Next, p.Mover&1
	god := p.Gods[me].String()
	byItself := god == "medusa" || god == "bia" || p.Gods[me^1].String() == "harpies"
	if q.Workers[me] != next.Workers[me] && !byItself || (q.Workers[me^1] != next.Workers[me^1] || q.Above != next.Above) && !byItself {
		t.Errorf("to %s: chain %v leads to %s", rules.Text(next, rules.V2), turn.Chain, rules.Text(&q, rules.V2))
	}
	if god == "hermes" && len(turn.Chain) > 5 || god == "mortal" && len(turn.Chain) > 3 {
		t.Errorf("to %s: %d actions %v", rules.Text(next, rules.V2), len(turn.Chain), turn.Chain)
	}
}

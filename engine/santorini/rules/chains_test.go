package rules_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"thera/engine/santorini/internal/santorinitest"
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

// TestChainsLeadThere checks for every god that each chain leads to its state.
func TestChainsLeadThere(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for g := range rules.GodCount {
		for _, p := range rules.Examples(g) {
			for range 4 {
				turns := rules.Turns(&p)
				for i := range turns {
					checkChain(t, &p, &turns[i])
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

// TestExplainAgrees checks that Explain finds the chains that Turns lists, also for
// gods with thousands of turns.
func TestExplainAgrees(t *testing.T) {
	for _, text := range []string{
		santorinitest.StartText,
		"0102100120001020100000010/1/artemis:7,12/mortal:11,17",
		"0102100120001020100000010/1/hermes:B3,D3/mortal:C4,C2",
		"0102100120001020100000010/1/hydra:B3,D3/chronus:C4,C2",
		"0000000000000000000000000/1/eros/mortal",
		"0402140120401020100004010/1/poseidon:B3,D3/harpies:C4,C2",
	} {
		p := santorinitest.MustParse(t, text)
		found := rules.Turns(&p)
		if len(found) < 10 {
			t.Fatalf("%s: %d turns", text, len(found))
		}
		for i := 0; i < len(found); i += 1 + len(found)/100 {
			if chain, ok := rules.Explain(&p, &found[i].Next); !ok || !slices.Equal(chain, found[i].Chain) {
				t.Errorf("%s to %s by %v, listed by %v", text, rules.Text(&found[i].Next, rules.V2), chain, found[i].Chain)
			}
		}
		if chain, ok := rules.Explain(&p, &p); ok {
			t.Errorf("%s leads to itself by %v", text, chain)
		}
	}
}

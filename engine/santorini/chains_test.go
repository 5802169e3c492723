package santorini

import (
	"math/rand/v2"
	"testing"
)

// acted carries out a chain on the board as a person would, with what a god
// does by itself (bia's and medusa's removals) left out.
func acted(p *state, chain []Action) state {
	q := *p
	me, them := p.mover&1, p.mover&1^1
	at := noSquare
	shift := func(side uint8, from, to int) { q.workers[side] ^= bit(from) | bit(to) }
	for _, a := range chain {
		switch a.Kind {
		case SelectWorker:
			at = a.At
		case MoveWorker:
			shift(me, at, a.At)
			at = a.At
		case MoveWithSwap:
			shift(them, a.At, at)
			shift(me, at, a.At)
			at = a.At
		case MoveWithPush:
			shift(them, a.At, a.To)
			shift(me, at, a.At)
			at = a.At
		case Build:
			q.raise(bit(a.At))
		case Dome:
			q.dome(bit(a.At))
		case PlaceWorker:
			q.workers[me] |= bit(a.At)
		case ForceOpponent:
			if q.workers[me]&bit(a.To) != 0 {
				shift(me, a.To, a.At) // nemesis changes places
			}
			shift(them, a.At, a.To)
		case ForceOwn:
			shift(me, a.At, a.To)
		case RemoveWorker:
			q.workers[0] &^= bit(a.At)
			q.workers[1] &^= bit(a.At)
		case RemoveBlock:
			q.lower(bit(a.At))
		}
	}
	return q
}

// TestChainsLeadThere: for every god, each chain leads to its state's board.
func TestChainsLeadThere(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for g := range godCount {
		for _, p := range examplesOf(g) {
			for range 4 {
				turns := allTurns(&p)
				for i := range turns {
					holdChain(t, &p, &turns[i])
				}
				if t.Failed() {
					t.Fatalf("%s in %s", g, p.text(formV2))
				}
				if len(turns) == 0 {
					break
				}
				p = turns[r.IntN(len(turns))].next
			}
		}
	}
}

func holdChain(t *testing.T, p *state, turn *turnFound) {
	t.Helper()
	q := acted(p, turn.chain)
	next, me := &turn.next, p.mover&1
	byItself := p.god[me] == medusa || p.god[me] == bia || p.god[me^1] == harpies
	if q.workers[me] != next.workers[me] && !byItself || (q.workers[me^1] != next.workers[me^1] || q.up != next.up) && !byItself {
		t.Errorf("to %s: chain %v leads to %s", next.text(formV2), turn.chain, q.text(formV2))
	}
	if p.god[me] == hermes && len(turn.chain) > 5 || p.god[me] == mortal && len(turn.chain) > 3 {
		t.Errorf("to %s: %d actions %v", next.text(formV2), len(turn.chain), turn.chain)
	}
}

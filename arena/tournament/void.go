package tournament

import (
	"fmt"
	"math/bits"

	"thera/arena"
)

// A run that has many void pairs says nothing: the machine decided who had time
// to think, and which games count. It ends, unrated.
const (
	voidsRunning = 3  // attempts at one pair, one after the other
	voidsEver    = 3  // fewer prove nothing
	voidShare    = 20 // more than one in so many attempts
	mostVoids    = 1 << 16
)

// Void takes a game that stalled, of the pair at a place that Next returned.
// The attempt at the pair is void with all its games, and Next returns the pair
// once more.
func (f *Fold) Void(place int, game *arena.Finished) {
	h, game := f.hold(game)
	if h == nil {
		return
	}
	attempt := uint8(1) << game.Leg
	for leg := range h.games {
		if h.games[leg] == nil {
			continue
		}
		h.games[leg] = nil
		attempt |= 1 << leg
		f.known--
		f.sum.surplus -= btoi(h.folded)
	}
	h.void = append(h.void, attempt)
	if !h.folded {
		f.again = append(f.again, place)
		f.advance()
	}
}

// addVoid notes a game of an attempt that was void.
func (f *Fold) addVoid(h *held, game *arena.Finished) {
	for len(h.void) < game.Void {
		h.void = append(h.void, 0)
	}
	h.void[game.Void-1] |= 1 << game.Leg
	if !h.folded {
		f.advance()
	}
}

func countVoids(v *arena.Voided, attempts []uint8) {
	v.Pairs += len(attempts)
	for _, legs := range attempts {
		v.Games += bits.OnesCount8(legs)
	}
}

// pastOf are the attempts at a pair that count towards no stop any more.
func (f *Fold) pastOf(p *Pair, h *held) int { return min(f.past[p.key()], len(h.void)) }

// PastVoids are all attempts that were void, for a plan that passes over the
// stop to which they led.
func (f *Fold) PastVoids() []arena.PairVoids {
	var list []arena.PairVoids
	for i := range f.pairs {
		if h := &f.pairs[i]; len(h.void) > 0 {
			list = append(list, arena.PairVoids{
				Pairing: [2]string{f.plan.Engines[h.key.a].Name, f.plan.Engines[h.key.b].Name}, Pair: int(h.key.number), Attempts: len(h.void),
			})
		}
	}
	return list
}

// readPast notes the attempts that the plan passes over.
func (f *Fold) readPast() {
	for _, v := range f.plan.PastVoids {
		a, ok := f.places[v.Pairing[0]]
		b, found := f.places[v.Pairing[1]]
		if ok && found {
			f.past[key{int32(min(a, b)), int32(max(a, b)), int32(v.Pair)}] = v.Attempts
		}
	}
}

// tooBusy is the stop of a run at its next pair, nil if the machine is quiet
// enough. It depends on what is there of this pair and those before it alone:
// attempts that were under way when the run was over are passed over.
func (f *Fold) tooBusy(p *Pair, h *held) *arena.Stop {
	if h == nil {
		return nil
	}
	past := f.pastOf(p, h)
	for v := 1; v <= len(h.void)-past; v++ {
		void := f.voids + v
		all := f.sum.pairs + void
		var why string
		switch {
		case v >= voidsRunning:
			why = fmt.Sprintf("pair %d of %s - %s was void %d times in a row", p.Number, f.plan.Engines[p.A].Name, f.plan.Engines[p.B].Name, v)
		case void >= voidsEver && voidShare*void > all:
			why = fmt.Sprintf("%d of %d pairs were void, over %d %%", void, all, 100/voidShare)
		default:
			continue
		}
		countVoids(&f.void, h.void[:past+v])
		return ending(arena.StopBusy, "this machine is too busy for %s: %s; the run is unrated (hint: longer moves, fewer games at once or a quieter machine; the same command goes on)", f.moves(), why)
	}
	return nil
}

// moves names what the machine is too busy for.
func (f *Fold) moves() string {
	if move := f.plan.Limit.Move; move > 0 {
		return fmt.Sprintf("%g ms moves", move.Seconds()*1000)
	}
	return "these limits"
}

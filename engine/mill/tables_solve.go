package mill

import (
	"context"
	"fmt"
	"math/bits"
)

// solver makes the table of a men against b, in both ways, from the tables
// with a man less. It goes backwards from the ends, one turn at a time: when
// positions of n turns are known, those before them get n+1.
type solver struct {
	tables *Tables
	rules  *rules
	turn   int
	last   int // the longest value set so far
}

// solve fills both spaces of a pair, whose smaller pairs are known.
func (t *Tables) solve(ctx context.Context, a, b int) error {
	v := &solver{tables: t, rules: &rules{flying: t.flying, quiet: defaultRules.quiet}}
	pair := []*space{t.make(a, b)}
	if a != b {
		pair = append(pair, t.make(b, a))
	}
	for _, s := range pair {
		if err := v.ends(ctx, s); err != nil {
			return err
		}
	}
	for v.turn = 0; v.turn <= v.last; v.turn++ {
		for _, s := range pair {
			if err := v.spread(ctx, s); err != nil {
				return err
			}
		}
	}
	if v.last > maxTurns {
		return fmt.Errorf("table %d-%d: a win takes %d turns, more than %d", a, b, v.last, maxTurns)
	}
	return nil
}

// settle notes a value.
func (v *solver) settle(s *space, index, turns int) {
	v.last = max(v.last, turns)
	s.values[index] = after(min(turns, maxTurns))
}

// ends finds what is decided without a look at the pair itself: blocked sides,
// and mills whose removal leads to a smaller table.
func (v *solver) ends(ctx context.Context, s *space) error {
	for i := range s.values {
		if i&0xFFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		men, other, ok := s.position(i)
		if !ok {
			continue
		}
		w := v.weigh(men, other, -1)
		switch {
		case w.wins:
			v.settle(s, i, w.shortest)
		case w.lost():
			v.settle(s, i, w.longest)
		}
	}
	return nil
}

// spread goes from the positions decided at this turn to those before them.
func (v *solver) spread(ctx context.Context, s *space) error {
	before := v.tables.spaces[s.other.men][s.mover.men]
	for i, known := range s.values {
		if i&0xFFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if known != after(v.turn) {
			continue
		}
		men, other, _ := s.position(i)
		v.eachBefore(men, other, func(prior uint32) {
			at := before.index(prior, men)
			now := before.values[at]
			if known.lost() {
				if now == 0 || now.turns() > v.turn+1 {
					v.settle(before, at, v.turn+1)
				}
				return
			}
			if now == 0 {
				if w := v.weigh(prior, men, v.turn); w.lost() {
					v.settle(before, at, w.longest)
				}
			}
		})
	}
	return nil
}

// eachBefore calls visit with the men of the side that moved into the
// position, as they stood before a move that closed no mill.
func (v *solver) eachBefore(men, other uint32, visit func(prior uint32)) {
	empty := everyPoint &^ (men | other)
	flies := v.rules.flying && bits.OnesCount32(other) == 3
	for set := other &^ milled(other); set != 0; set &= set - 1 {
		to := lowest(set)
		from := empty
		if !flies {
			from &= adjacent[to]
		}
		for ; from != 0; from &= from - 1 {
			visit(other&^to.bit() | from&-from)
		}
	}
}

// weighing is what the moves of a position lead to.
type weighing struct {
	wins     bool // some move wins
	open     bool // some move does not lose, as far as is known
	shortest int  // turns of the fastest win
	longest  int  // turns of the slowest loss
}

func (w *weighing) lost() bool { return !w.wins && !w.open }

// add weighs a move that leaves the opponent in a position of value v.
func (w *weighing) add(v value) {
	switch {
	case v.lost():
		if !w.wins || v.turns()+1 < w.shortest {
			w.shortest = v.turns() + 1
		}
		w.wins = true
	case v.won():
		w.longest = max(w.longest, v.turns()+1)
	default:
		w.open = true
	}
}

// weigh looks at all moves. Values of the pair itself count only up to the
// given turn: later ones may still change.
func (v *solver) weigh(men, other uint32, upTo int) weighing {
	var w weighing
	s := state{men: [2]uint32{men, other}}
	next := v.tables.spaces[bits.OnesCount32(other)][bits.OnesCount32(men)]
	empty := s.empty()
	flies := s.flies(v.rules)
	for set := men; set != 0; set &= set - 1 {
		from := lowest(set)
		rest := men &^ from.bit()
		reach := empty
		if !flies {
			reach &= adjacent[from]
		}
		for ; reach != 0; reach &= reach - 1 {
			to := lowest(reach)
			now := rest | to.bit()
			if closes(rest, to) {
				v.takings(&w, now, other)
				continue
			}
			if upTo < 0 {
				w.open = true
				continue
			}
			known := next.values[next.index(other, now)]
			if known != 0 && known.turns() > upTo {
				known = 0
			}
			w.add(known)
			if w.open {
				return w
			}
		}
	}
	return w
}

// takings weighs the removals after a mill was closed.
func (v *solver) takings(w *weighing, men, other uint32) {
	s := state{men: [2]uint32{men, other}}
	for set := s.removable(); set != 0; set &= set - 1 {
		w.add(v.tables.taken(other&^(set&-set), men))
	}
}

// taken is the value for a side that has just lost a man.
func (t *Tables) taken(men, other uint32) value {
	n := bits.OnesCount32(men)
	if n < 3 {
		return after(0)
	}
	s := t.spaces[n][bits.OnesCount32(other)]
	return s.values[s.index(men, other)]
}

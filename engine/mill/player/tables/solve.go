package tables

import (
	"context"
	"fmt"

	"thera/engine/mill/rules"
)

// solver computes the table of a pair from the tables with one man less. It works backwards
// by turns: the predecessors of positions that end after n turns end after n+1.
type solver struct {
	tables *Tables
	rules  rules.Rules
	turn   int
	last   int // largest number of turns of a value so far
}

// solve computes both spaces of a pair. The smaller pairs must be solved.
func (t *Tables) solve(ctx context.Context, a, b int) error {
	v := &solver{tables: t, rules: rules.Rules{Flying: t.flying}}
	pair := t.newPair(a, b)
	for _, s := range pair {
		s.values = make([]byte, s.size())
		t.spaces[s.mover.men][s.other.men] = s
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

// settle sets a value.
func (v *solver) settle(s *space, index, turns int) {
	v.last = max(v.last, turns)
	s.values[index] = byte(after(min(turns, maxTurns)))
}

// ends sets the values that do not depend on other positions of the pair: those of blocked
// sides, and those that follow from removals, which lead to smaller tables.
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

// spread sets the values of the predecessors of positions that end after v.turn.
func (v *solver) spread(ctx context.Context, s *space) error {
	before := v.tables.spaces[s.other.men][s.mover.men]
	for i, value := range s.values {
		known := Value(value)
		if i&0xFFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if known != after(v.turn) {
			continue
		}
		men, other, _ := s.position(i)
		v.eachPredecessor(men, other, func(prior rules.Set) {
			at := before.index(prior, men)
			now := Value(before.values[at])
			if known.Lost() {
				if now == 0 || now.Turns() > v.turn+1 {
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

// eachPredecessor calls visit for each slide that leads to the position and closes no mill,
// with the opponent's men before it.
func (v *solver) eachPredecessor(men, other rules.Set, visit func(prior rules.Set)) {
	empty := rules.AllPoints &^ (men | other)
	flies := v.rules.Flying && other.Len() == 3
	for set := other &^ other.Milled(); set != 0; set &= set - 1 {
		to := set.First()
		from := empty
		if !flies {
			from &= to.Neighbours()
		}
		for ; from != 0; from &= from - 1 {
			visit(other&^to.Set() | from&-from)
		}
	}
}

// weighing collects the values of a position's successors.
type weighing struct {
	wins     bool // some move wins
	open     bool // some move is not known to lose
	shortest int  // turns of the fastest win
	longest  int  // turns of the slowest loss
}

func (w *weighing) lost() bool { return !w.wins && !w.open }

// value returns the value of the position. It is a draw if no move wins and some move is open.
func (w *weighing) value() Value {
	switch {
	case w.wins:
		return after(w.shortest)
	case w.open:
		return 0
	}
	return after(w.longest)
}

// add adds a move after which the opponent has value v.
func (w *weighing) add(v Value) {
	switch {
	case v.Lost():
		if !w.wins || v.Turns()+1 < w.shortest {
			w.shortest = v.Turns() + 1
		}
		w.wins = true
	case v.Won():
		w.longest = max(w.longest, v.Turns()+1)
	default:
		w.open = true
	}
}

// weigh weighs all moves. Values of the pair count only up to the turn upTo, because later
// ones may still change.
func (v *solver) weigh(men, other rules.Set, upTo int) weighing {
	var w weighing
	s := rules.State{Men: [2]rules.Set{men, other}}
	next := v.tables.spaces[other.Len()][men.Len()]
	empty := s.Empty()
	flies := s.Flies(&v.rules)
	for set := men; set != 0; set &= set - 1 {
		from := set.First()
		rest := men &^ from.Set()
		reach := empty
		if !flies {
			reach &= from.Neighbours()
		}
		for ; reach != 0; reach &= reach - 1 {
			to := reach.First()
			now := rest | to.Set()
			if rest.Closes(to) {
				v.removals(&w, now, other)
				continue
			}
			if upTo < 0 {
				w.open = true
				continue
			}
			known := next.at(other, now)
			if known != 0 && known.Turns() > upTo {
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

// removals weighs the removals after a mill is closed.
func (v *solver) removals(w *weighing, men, other rules.Set) {
	s := rules.State{Men: [2]rules.Set{men, other}}
	for set := s.Removable(); set != 0; set &= set - 1 {
		w.add(v.tables.removed(other&^(set&-set), men))
	}
}

// removed returns the value for a side that has just lost a man.
func (t *Tables) removed(men, other rules.Set) Value {
	n := men.Len()
	if n < minMen {
		return after(0)
	}
	s := t.spaces[n][other.Len()]
	return s.at(men, other)
}

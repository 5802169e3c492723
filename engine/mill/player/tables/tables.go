// Package tables solves endgames of Nine Men's Morris, stores them in files and looks
// positions up.
//
// A table holds the value of every position with given numbers of men on the board and none in
// hand: the number of turns to its end. Values ignore the history of the game. The caller must
// take repetitions and quiet plies into account, as Proven does.
package tables

import (
	"context"
	"fmt"
	"slices"

	"thera/engine/game"
	"thera/engine/mill/rules"
)

// Tables is a set of solved endgames, either with flying or without.
type Tables struct {
	flying   bool
	rankings [maxMen + 1]*ranking
	spaces   [maxMen + 1][maxMen + 1]*space // by number of men of the mover and of the opponent
}

// New returns an empty set of tables.
func New(flying bool) *Tables { return &Tables{flying: flying} }

func (t *Tables) ranking(men int) *ranking {
	if t.rankings[men] == nil {
		t.rankings[men] = newRanking(men)
	}
	return t.rankings[men]
}

// newPair returns the spaces of a pair, without values. There is one if the numbers are equal,
// otherwise two.
func (t *Tables) newPair(a, b int) []*space {
	pair := []*space{{mover: t.ranking(a), other: t.ranking(b)}}
	if a != b {
		pair = append(pair, &space{mover: t.ranking(b), other: t.ranking(a)})
	}
	return pair
}

// pair returns the spaces of a solved pair.
func (t *Tables) pair(a, b int) []*space {
	if a == b {
		return []*space{t.spaces[a][b]}
	}
	return []*space{t.spaces[a][b], t.spaces[b][a]}
}

// Has reports whether a men against b are solved.
func (t *Tables) Has(a, b int) bool { return t.spaces[a][b] != nil && t.spaces[b][a] != nil }

// Needs lists the pairs that must be solved for a men against b, the smallest first and the
// pair itself last.
func Needs(a, b int) ([][2]int, error) {
	if a < b {
		a, b = b, a
	}
	if b < minMen || a > maxMen {
		return nil, fmt.Errorf("men %d-%d: want %d to %d a side", a, b, minMen, maxMen)
	}
	var list [][2]int
	for sum := 2 * minMen; sum <= a+b; sum++ {
		for x := (sum + 1) / 2; x <= a; x++ {
			if y := sum - x; y >= minMen && y <= b {
				list = append(list, [2]int{x, y})
			}
		}
	}
	return list, nil
}

// Stats counts the positions of a table by their result for the side to move. Symmetric
// positions count once.
type Stats struct {
	Positions, Won, Lost, Drawn int
	Longest                     int // turns of the longest win
}

// maxBytes is the largest size of a pair in memory.
const maxBytes = 1 << 30

// Solve computes the table of a men against b. The other tables that Needs lists must be
// there.
func (t *Tables) Solve(ctx context.Context, a, b int) (Stats, error) {
	needs, err := Needs(a, b)
	if err != nil {
		return Stats{}, err
	}
	for _, n := range needs[:len(needs)-1] {
		if !t.Has(n[0], n[1]) {
			return Stats{}, fmt.Errorf("table %d-%d needs %d-%d", a, b, n[0], n[1])
		}
	}
	size := 0
	for _, s := range t.newPair(a, b) {
		size += s.size()
	}
	if size > maxBytes {
		return Stats{}, fmt.Errorf("table %d-%d needs %d MiB of memory, more than %d", a, b, size>>20, maxBytes>>20)
	}
	if err := t.solve(ctx, a, b); err != nil {
		t.spaces[a][b], t.spaces[b][a] = nil, nil
		return Stats{}, err
	}
	return t.Stats(a, b), nil
}

// Stats counts the positions of a solved pair.
func (t *Tables) Stats(a, b int) Stats {
	var st Stats
	for _, s := range t.pair(a, b) {
		for i, value := range s.values {
			v := Value(value)
			if _, _, ok := s.position(i); !ok {
				continue
			}
			st.Positions++
			switch {
			case v.Won():
				st.Won++
			case v.Lost():
				st.Lost++
			default:
				st.Drawn++
			}
			if v != 0 {
				st.Longest = max(st.Longest, v.Turns())
			}
		}
	}
	return st
}

// Lookup returns the value of a state for the side to move. ok is false if no table holds the
// state or t is nil.
func (t *Tables) Lookup(s *rules.State) (v Value, ok bool) {
	if t == nil || s.Hand != [2]uint8{} || s.Action != rules.MoveMan {
		return 0, false
	}
	a, b := s.Mine().Len(), s.Theirs().Len()
	if a > maxMen || b > maxMen || t.spaces[a][b] == nil {
		return 0, false
	}
	return t.spaces[a][b].at(s.Mine(), s.Theirs()), true
}

// Proven returns the outcome of p under perfect play. ok is false if the tables do not hold p,
// if a win needs more quiet plies than are left, or if a position has occurred twice.
func (t *Tables) Proven(p *rules.Position) (outcome game.Outcome, ok bool) {
	if outcome, over := p.Outcome(); over {
		return outcome, true
	}
	s := p.State()
	v, ok := t.best(&s)
	switch {
	case !ok:
		return game.Outcome{}, false
	case v == 0:
		return game.Outcome{Reason: "tables"}, true
	case p.QuietPlies()+v.Turns() > p.Rules().QuietPlies || s.Action == rules.MoveMan && recurred(p):
		return game.Outcome{}, false
	}
	winner := s.Turn.Seat()
	if v.Lost() {
		winner = winner.Other()
	}
	return game.Outcome{Winner: winner, Reason: fmt.Sprintf("tables: %d turns", v.Turns())}, true
}

// best is Lookup, but it also accepts states in which the mover must remove a man. That turn
// counts.
func (t *Tables) best(s *rules.State) (Value, bool) {
	if s.Action != rules.RemoveMan {
		return t.Lookup(s)
	}
	var w weighing
	for set := s.Removable(); set != 0; set &= set - 1 {
		next := *s
		next.Play(rules.Remove(set.First()))
		if next.Action == rules.Won {
			return after(1), true
		}
		v, ok := t.Lookup(&next)
		if !ok {
			return 0, false
		}
		w.add(v)
	}
	return w.value(), true
}

// Best lists the best moves of a state: the fastest wins, the moves that keep a draw, or the
// slowest losses. It is empty unless the tables hold the state and all its successors.
func (t *Tables) Best(s *rules.State) []rules.Move {
	v, ok := t.best(s)
	if !ok {
		return nil
	}
	var list []rules.Move
	for _, m := range s.Moves(&rules.Rules{Flying: t.flying}, nil) {
		next := *s
		next.Play(m)
		if got, ok := t.afterMove(&next, s.Turn); !ok {
			return nil
		} else if got == v {
			list = append(list, m)
		}
	}
	return list
}

// afterMove returns the value of a state for the side that made the move to it.
func (t *Tables) afterMove(next *rules.State, mover rules.Side) (Value, bool) {
	switch {
	case next.Action == rules.Won:
		return after(1), true
	case next.Turn == mover: // it closed a mill, and the turn goes on
		return t.best(next)
	}
	v, ok := t.Lookup(next)
	if v != 0 {
		v++
	}
	return v, ok
}

// recurred reports whether a position has occurred twice since the last placing or removal.
func recurred(p *rules.Position) bool {
	var seen []rules.State
	for s := range p.Counted() {
		if slices.Contains(seen, *s) {
			return true
		}
		seen = append(seen, *s)
	}
	return false
}

package mill

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"thera/engine/game"
	"thera/engine/search"
)

// Tables are solved endgames: all positions of some numbers of men, none in
// hand, with the number of turns to the end. They know no history: neither
// repetition nor quiet plies.
type Tables struct {
	flying   bool
	folder   string // where they were read from, "" for those just made
	rankings [maxTableMen + 1]*ranking
	spaces   [maxTableMen + 1][maxTableMen + 1]*space // [mover][other]
}

// NewTables has no tables yet, for play with or without flying.
func NewTables(flying bool) *Tables { return &Tables{flying: flying} }

func (t *Tables) ranking(men int) *ranking {
	if t.rankings[men] == nil {
		t.rankings[men] = newRanking(men)
	}
	return t.rankings[men]
}

// make adds an empty space.
func (t *Tables) make(a, b int) *space {
	s := newSpace(t.ranking(a), t.ranking(b))
	s.values = make([]value, s.size())
	t.spaces[a][b] = s
	return s
}

// Has reports whether a men against b are solved.
func (t *Tables) Has(a, b int) bool { return t.spaces[a][b] != nil && t.spaces[b][a] != nil }

// Needs lists the pairs that must be solved before a-b can be, smallest first
// and a-b itself last.
func Needs(a, b int) ([][2]int, error) {
	if a < b {
		a, b = b, a
	}
	if b < 3 || a > maxTableMen {
		return nil, fmt.Errorf("men %d-%d: want 3 to %d a side", a, b, maxTableMen)
	}
	var list [][2]int
	for sum := 6; sum <= a+b; sum++ {
		for x := (sum + 1) / 2; x <= a; x++ {
			if y := sum - x; y >= 3 && y <= b {
				list = append(list, [2]int{x, y})
			}
		}
	}
	return list, nil
}

// Stats says what a table holds, counted without images.
type Stats struct {
	Positions, Won, Lost, Drawn int // for the side to move
	Longest                     int // turns of the longest win
}

// maxTableBytes is the memory that one pair may take.
const maxTableBytes = 1 << 30

// Solve makes the table of a men against b. What it needs must be there.
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
	if size := t.entries(a, b); size > maxTableBytes {
		return Stats{}, fmt.Errorf("table %d-%d needs %d MiB of memory, more than %d", a, b, size>>20, maxTableBytes>>20)
	}
	if err := t.solve(ctx, a, b); err != nil {
		t.spaces[a][b], t.spaces[b][a] = nil, nil
		return Stats{}, err
	}
	return t.Stats(a, b), nil
}

// entries is the number of entries of a pair.
func (t *Tables) entries(a, b int) int {
	n := newSpace(t.ranking(a), t.ranking(b)).size()
	if a != b {
		n += newSpace(t.ranking(b), t.ranking(a)).size()
	}
	return n
}

// Stats counts what the table of a pair holds.
func (t *Tables) Stats(a, b int) Stats {
	var st Stats
	for _, s := range t.pair(a, b) {
		for i, v := range s.values {
			if _, _, ok := s.position(i); !ok {
				continue
			}
			st.Positions++
			switch {
			case v.won():
				st.Won++
			case v.lost():
				st.Lost++
			default:
				st.Drawn++
			}
			if v != 0 {
				st.Longest = max(st.Longest, v.turns())
			}
		}
	}
	return st
}

// lookup is what the tables know of a state: ok is false where they do not
// hold it.
func (t *Tables) lookup(s *state) (v value, ok bool) {
	if t == nil || s.hand != [2]uint8{} || s.act != actMove {
		return 0, false
	}
	a, b := bits.OnesCount32(s.mine()), bits.OnesCount32(s.theirs())
	if a > maxTableMen || b > maxTableMen || t.spaces[a][b] == nil {
		return 0, false
	}
	sp := t.spaces[a][b]
	return sp.values[sp.index(s.mine(), s.theirs())], true
}

// score is the tables' answer to the search. A win that takes longer than
// there are quiet plies left is none for certain.
func (t *Tables) score(s *state, quietLeft int) (int, bool) {
	v, ok := t.lookup(s)
	switch {
	case !ok:
		return 0, false
	case v == 0:
		return 0, true
	case v.turns() > quietLeft || v.turns() >= search.MaxPly:
		return 0, false
	case v.won():
		return search.WinIn(v.turns()), true
	}
	return search.LossIn(v.turns()), true
}

var _ game.Prover = (*Game)(nil)

// Proven is what the tables of the rules know of a position for certain.
func (g *Game) Proven(pos game.Position) (game.Outcome, bool) {
	p, ok := pos.(*Position)
	if !ok || g.tables == nil {
		return game.Outcome{}, false
	}
	return g.tables.proven(p)
}

// proven adds the history to what the tables know: a win must fit in the
// quiet plies left, and must not come by a position that occurred twice.
func (t *Tables) proven(p *Position) (game.Outcome, bool) {
	if outcome, over := p.Outcome(); over {
		return outcome, true
	}
	v, ok := t.best(&p.state)
	switch {
	case !ok:
		return game.Outcome{}, false
	case v == 0:
		return game.Outcome{Reason: "tables"}, true
	case p.quiet+v.turns() > p.rules.quiet || p.act == actMove && p.recurred():
		return game.Outcome{}, false
	}
	winner := p.turn.seat()
	if v.lost() {
		winner = winner.Other()
	}
	return game.Outcome{Winner: winner, Reason: fmt.Sprintf("tables: %d turns", v.turns())}, true
}

// best is the value for the side to move, which may have to remove a man
// first: then it counts that turn.
func (t *Tables) best(s *state) (value, bool) {
	if s.act != actRemove {
		return t.lookup(s)
	}
	var w weighing
	for _, m := range s.moves(&defaultRules, nil) {
		next := *s
		next.play(m)
		if next.act == actWon {
			return after(1), true
		}
		v, ok := t.lookup(&next)
		if !ok {
			return 0, false
		}
		w.add(v)
	}
	switch {
	case w.wins:
		return after(w.shortest), true
	case w.open:
		return 0, true
	}
	return after(w.longest), true
}

// recurred reports whether a position of the quiet stretch has occurred twice.
func (p *Position) recurred() bool {
	var seen []state
	for at := p; at != nil; at = at.prev {
		if slices.Contains(seen, at.state) {
			return true
		}
		seen = append(seen, at.state)
	}
	return false
}

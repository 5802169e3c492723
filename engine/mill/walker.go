package mill

import (
	"math/bits"

	"thera/engine/search"
)

// walker is the board that the search walks on: the concrete state with its
// undo stack, and the keys of what was before.
type walker struct {
	state
	rules  *rules
	key    uint64
	quiet  int
	ply    int // moves made since set
	stack  [search.MaxPly + 2]undo
	past   []uint64 // keys of the game's quiet stretch before the root, latest first
	style  style
	tables *Tables // nil without
	root   func(m move)
}

type undo struct {
	state state
	key   uint64
	quiet int
}

// style is what options change in the walk.
type style struct {
	mobility bool   // evaluate how many ways men have
	human    bool   // a position that occurred once is a draw already
	paths    bool   // look for repetitions within the search too; then a value depends on the way
	salt     uint64 // keeps the entries of other styles apart in the search's table
}

var _ interface {
	search.Board[move]
	search.Quiescer[move]
} = (*walker)(nil)

// set puts a game's position on the board.
func (w *walker) set(p *Position, st style, tables *Tables) {
	w.state, w.rules, w.quiet, w.ply = p.state, p.rules, p.quiet, 0
	w.key = p.state.key()
	w.style, w.tables = st, tables
	w.past = w.past[:0]
	for at := p.prev; at != nil; at = at.prev {
		w.past = append(w.past, at.state.key())
	}
	if !st.paths && w.hand == [2]uint8{} {
		// What repeats depends on this game: other roots have other values.
		for _, k := range append(w.past, w.key) {
			w.style.salt = (w.style.salt ^ k) * 0x9e3779b97f4a7c15
		}
	}
}

// Known tells finished games, wins with the next action, draws and what the
// tables know.
func (w *walker) Known() (score int, ok bool) {
	switch {
	case w.act == actWon:
		return search.LossIn(0), true
	case w.act == actRemove:
		if w.left(w.turn^1) == 3 {
			return search.WinIn(1), true
		}
		return 0, false
	case w.left(w.turn^1) == 3 && w.closer(w.rules):
		return search.WinIn(2), true
	case w.placing():
		return 0, false
	case w.stuck(w.rules):
		return search.LossIn(0), true
	case w.quiet >= w.rules.quiet || w.quiet >= 2 && w.repeats():
		return 0, true
	case w.tables != nil:
		return w.tables.score(&w.state, w.rules.quiet-w.quiet)
	}
	return 0, false
}

// repeats looks for the position in the game and, where the way may count, in
// the search.
func (w *walker) repeats() bool {
	if w.style.paths {
		for at := w.ply - 2; at >= 0 && at >= w.ply-w.quiet; at -= 2 {
			if w.stack[at].key == w.key {
				return true
			}
		}
	}
	if w.quiet < w.ply { // a placing or taking since the root
		return false
	}
	seen := 0
	if w.ply&1 == 0 && w.stack[0].key == w.key && w.ply > 0 {
		seen++
	}
	for at := 1 - w.ply&1; at < len(w.past); at += 2 {
		if w.past[at] == w.key {
			seen++
		}
	}
	return seen >= 2 || seen == 1 && w.style.human
}

// Generate lists all actions in one stage.
func (w *walker) Generate(_ int, list *search.List[move]) bool {
	switch {
	case w.act == actRemove:
		w.removals(list)
	case w.act == actWon:
	case w.placing():
		w.placings(list)
	default:
		w.slides(list)
	}
	return false
}

// Order guesses.
const (
	orderClose = 12000
	orderBlock = 6000
	orderLine  = 300
	orderReach = 60
)

// slot is a move's place in the history.
func (w *walker) slot(m move) uint16 {
	n := uint16(m.to())
	switch m.kind() {
	case sliding:
		n += 32 + 24*uint16(m.from())
	case taking:
		n += 640
	}
	return n | uint16(w.turn)<<10
}

func (w *walker) placings(list *search.List[move]) {
	mine, theirs, empty := w.mine(), w.theirs(), w.empty()
	closing, blocking := threats(mine), threats(theirs)
	for set := empty; set != 0; set &= set - 1 {
		to := lowest(set)
		m := place(to)
		if closing&to.bit() != 0 {
			list.AddLoud(m, uint32(m), w.slot(m), orderClose)
			continue
		}
		list.Add(m, uint32(m), w.slot(m), w.promise(mine, theirs, blocking, to)+orderReach*int32(bits.OnesCount32(adjacent[to])))
	}
}

// promise is the guess for a man that comes to a point without closing a mill.
func (w *walker) promise(mine, theirs, blocking uint32, to point) int32 {
	order := int32(0)
	if blocking&to.bit() != 0 {
		order += orderBlock
	}
	for _, pair := range partners[to] {
		if mine&pair != 0 && theirs&pair == 0 {
			order += orderLine
		}
	}
	return order
}

func (w *walker) slides(list *search.List[move]) {
	mine, theirs, empty := w.mine(), w.theirs(), w.empty()
	blocking := threats(theirs)
	flies := w.flies(w.rules)
	for men := mine; men != 0; men &= men - 1 {
		from := lowest(men)
		rest := mine &^ from.bit()
		reach := empty
		if !flies {
			reach &= adjacent[from]
		}
		leaves := int32(0)
		if blocking&from.bit() != 0 && closes(theirs, from) {
			leaves = -orderBlock / 2
		}
		for ; reach != 0; reach &= reach - 1 {
			to := lowest(reach)
			m := slide(from, to)
			if closes(rest, to) {
				list.AddLoud(m, uint32(m), w.slot(m), orderClose)
				continue
			}
			list.Add(m, uint32(m), w.slot(m), leaves+w.promise(rest, theirs, blocking, to))
		}
	}
}

func (w *walker) removals(list *search.List[move]) {
	mine, theirs := w.mine(), w.theirs()
	empty := w.empty()
	for set := w.removable(); set != 0; set &= set - 1 {
		on := lowest(set)
		m := take(on)
		order := orderReach * int32(bits.OnesCount32(adjacent[on]&empty))
		for _, pair := range partners[on] {
			switch { // breaks a pair of theirs, or frees one of ours
			case theirs&pair != 0 && mine&pair == 0:
				order += 2 * orderLine
			case mine&pair == pair:
				order += 3 * orderLine
			}
		}
		list.Add(m, uint32(m), w.slot(m), order)
	}
}

// NoisyMoves lists what must be tried at a leaf: a removal that is due, and
// mills that can be closed.
func (w *walker) NoisyMoves(list *search.List[move]) (forced bool) {
	if w.act == actRemove {
		w.removals(list)
		return true
	}
	mine, empty := w.mine(), w.empty()
	flies := w.flies(w.rules)
	for set := threats(mine) & empty; set != 0; set &= set - 1 {
		to := lowest(set)
		if w.placing() {
			m := place(to)
			list.AddLoud(m, uint32(m), w.slot(m), orderClose)
			continue
		}
		from := mine
		if !flies {
			from &= adjacent[to]
		}
		for ; from != 0; from &= from - 1 {
			if closes(mine&^(from&-from), to) {
				m := slide(lowest(from), to)
				list.AddLoud(m, uint32(m), w.slot(m), orderClose)
			}
		}
	}
	return false
}

// Stuck is the value without a move: only a side that has lost has none.
func (w *walker) Stuck() int { return search.LossIn(0) }

// Make plays a move. After a deciding removal the loser is to move.
func (w *walker) Make(m move) (again bool) {
	if w.ply == 0 && w.root != nil {
		w.root(m)
	}
	w.stack[w.ply] = undo{w.state, w.key, w.quiet}
	w.ply++
	s := &w.state
	me := s.turn
	to := m.to()
	switch m.kind() {
	case placing:
		h := s.hand[me]
		w.key ^= keys.hand[me][h] ^ keys.hand[me][h-1] ^ keys.man[me][to]
		w.quiet = 0
	case sliding:
		w.key ^= keys.man[me][m.from()] ^ keys.man[me][to]
		w.quiet++
	default:
		w.key ^= keys.man[me^1][to] ^ keys.remove
		w.quiet = 0
	}
	s.play(m)
	switch {
	case s.act == actRemove:
		w.key ^= keys.remove
		return true
	case s.act == actWon:
		s.turn ^= 1
	}
	w.key ^= keys.black
	return false
}

// Unmake takes back the last move.
func (w *walker) Unmake() {
	w.ply--
	u := &w.stack[w.ply]
	w.state, w.key, w.quiet = u.state, u.key, u.quiet
}

// nearLimit is from how many quiet plies before a draw on a key tells them
// apart.
const nearLimit = 40

// Key tells positions apart for the search's table.
func (w *walker) Key() uint64 {
	k := w.state.sharedKey(w.key) ^ w.style.salt
	if left := w.rules.quiet - w.quiet; left < nearLimit && w.hand == [2]uint8{} {
		k ^= uint64(left) * 0x9e3779b97f4a7c15
	}
	return k
}

// Evaluate is the heuristic value.
func (w *walker) Evaluate() int { return w.state.evaluate(w.style.mobility) }

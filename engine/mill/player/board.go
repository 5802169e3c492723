package player

import (
	"thera/engine/mill/player/tables"
	"thera/engine/mill/rules"
	"thera/engine/search"
)

// board is the position that the search walks up and down, with its undo stack
// and the keys of earlier positions.
type board struct {
	rules.State
	rules  rules.Rules
	key    uint64
	quiet  int
	ply    int // moves made since set
	stack  [search.MaxPly + 2]undo
	past   []uint64 // keys that count for repetition, from the root's back
	style  style
	tables *tables.Tables // nil without
}

type undo struct {
	state rules.State
	key   uint64
	quiet int
}

var _ interface {
	search.Board[rules.Move]
	search.Quiescer[rules.Move]
} = (*board)(nil)

// set puts the position of a game on the board.
func (b *board) set(p *rules.Position, st style, t *tables.Tables) {
	b.State, b.rules, b.quiet, b.ply = p.State(), p.Rules(), p.QuietPlies(), 0
	b.key = b.State.Key()
	b.style, b.tables = st, t
	b.past = b.past[:0]
	for s := range p.Counted() {
		b.past = append(b.past, s.Key())
	}
	if !st.paths && b.Hand == [2]uint8{} {
		// What repeats depends on this game: other roots have other values.
		for _, k := range b.past {
			b.style.salt = (b.style.salt ^ k) * 0x9e3779b97f4a7c15
		}
	}
}

// Known returns the value of finished games, of wins with the next turn, of draws
// and of positions in the tables.
func (b *board) Known() (score int, ok bool) {
	switch {
	case b.Action == rules.Won:
		return search.LossIn(0), true
	case b.Action == rules.RemoveMan:
		if b.Left(b.Turn^1) == 3 {
			return search.WinIn(1), true
		}
		return 0, false
	case b.Left(b.Turn^1) == 3 && b.CanClose(&b.rules):
		return search.WinIn(2), true
	case b.Placing():
		return 0, false
	case b.State.Stuck(&b.rules):
		return search.LossIn(0), true
	case b.quiet >= b.rules.QuietPlies || b.quiet >= 2 && b.repeats():
		return 0, true
	case b.tables != nil:
		return b.lookup()
	}
	return 0, false
}

// repeats looks for the position in the game and, if paths count, in the search.
func (b *board) repeats() bool {
	if b.style.paths {
		for at := b.ply - 2; at >= 0 && at >= b.ply-b.quiet; at -= 2 {
			if b.stack[at].key == b.key {
				return true
			}
		}
	}
	if b.quiet < b.ply { // a placing or removal since the root
		return false
	}
	seen, at := 0, b.ply&1
	if b.ply == 0 {
		at = 2 // the root is not a repetition of itself
	}
	for ; at < len(b.past); at += 2 {
		if b.past[at] == b.key {
			seen++
		}
	}
	return seen >= 2 || seen == 1 && b.style.human
}

// Generate lists all moves in one stage.
func (b *board) Generate(_ int, list *search.List[rules.Move]) bool {
	switch {
	case b.Action == rules.RemoveMan:
		b.removals(list)
	case b.Action == rules.Won:
	case b.Placing():
		b.placings(list)
	default:
		b.slides(list)
	}
	return false
}

// Weights of the move order.
const (
	orderClose = 12000 // closes a mill
	orderBlock = 6000  // stands where the opponent could close one
	orderLine  = 300   // a line with men of the mover and none of the opponent's
	orderReach = 60    // a neighbour
)

// slot returns the place of a move in the history table.
func (b *board) slot(m rules.Move) uint16 {
	n := uint16(m.To())
	switch m.Kind() {
	case rules.Sliding:
		n += 32 + 24*uint16(m.From())
	case rules.Removing:
		n += 640
	}
	return n | uint16(b.Turn)<<10
}

func (b *board) placings(list *search.List[rules.Move]) {
	mine, theirs, empty := b.Mine(), b.Theirs(), b.Empty()
	closing, blocking := mine.Closing(), theirs.Closing()
	for set := empty; set != 0; set &= set - 1 {
		to := set.First()
		m := rules.Place(to)
		if closing&to.Set() != 0 {
			list.AddLoud(m, uint32(m), b.slot(m), orderClose)
			continue
		}
		list.Add(m, uint32(m), b.slot(m), order(mine, theirs, blocking, to)+orderReach*int32(to.Neighbours().Len()))
	}
}

// order returns the order of a man that comes to a point without closing a mill.
func order(mine, theirs, blocking rules.Set, to rules.Point) int32 {
	order := int32(0)
	if blocking&to.Set() != 0 {
		order += orderBlock
	}
	c, d := to.Partners()
	if mine&c != 0 && theirs&c == 0 {
		order += orderLine
	}
	if mine&d != 0 && theirs&d == 0 {
		order += orderLine
	}
	return order
}

func (b *board) slides(list *search.List[rules.Move]) {
	mine, theirs, empty := b.Mine(), b.Theirs(), b.Empty()
	blocking := theirs.Closing()
	flies := b.Flies(&b.rules)
	for men := mine; men != 0; men &= men - 1 {
		from := men.First()
		rest := mine &^ from.Set()
		reach := empty
		if !flies {
			reach &= from.Neighbours()
		}
		leaves := int32(0)
		if blocking&from.Set() != 0 {
			leaves = -orderBlock / 2
		}
		for ; reach != 0; reach &= reach - 1 {
			to := reach.First()
			m := rules.Slide(from, to)
			if rest.Closes(to) {
				list.AddLoud(m, uint32(m), b.slot(m), orderClose)
				continue
			}
			list.Add(m, uint32(m), b.slot(m), leaves+order(rest, theirs, blocking, to))
		}
	}
}

func (b *board) removals(list *search.List[rules.Move]) {
	mine, theirs := b.Mine(), b.Theirs()
	empty := b.Empty()
	for set := b.Removable(); set != 0; set &= set - 1 {
		on := set.First()
		m := rules.Remove(on)
		order := orderReach * int32((on.Neighbours() & empty).Len())
		c, d := on.Partners()
		order += removalOrder(mine, theirs, c) + removalOrder(mine, theirs, d)
		list.Add(m, uint32(m), b.slot(m), order)
	}
}

// removalOrder returns what a removal is worth for one mill through its point,
// given the mill's other points: it breaks a pair, or opens a mill.
func removalOrder(mine, theirs, others rules.Set) int32 {
	switch {
	case theirs&others != 0 && mine&others == 0:
		return 2 * orderLine
	case mine&others == others:
		return 3 * orderLine
	}
	return 0
}

// NoisyMoves lists the moves that must be tried at a leaf: removals that are due,
// and those that close a mill.
func (b *board) NoisyMoves(list *search.List[rules.Move]) (forced bool) {
	if b.Action == rules.RemoveMan {
		b.removals(list)
		return true
	}
	mine, empty := b.Mine(), b.Empty()
	flies := b.Flies(&b.rules)
	for set := mine.Closing() & empty; set != 0; set &= set - 1 {
		to := set.First()
		if b.Placing() {
			m := rules.Place(to)
			list.AddLoud(m, uint32(m), b.slot(m), orderClose)
			continue
		}
		from := mine
		if !flies {
			from &= to.Neighbours()
		}
		for ; from != 0; from &= from - 1 {
			if (mine &^ (from & -from)).Closes(to) {
				m := rules.Slide(from.First(), to)
				list.AddLoud(m, uint32(m), b.slot(m), orderClose)
			}
		}
	}
	return false
}

// Stuck returns the value of a side without a move, which has lost.
func (b *board) Stuck() int { return search.LossIn(0) }

// Make plays a move. After a removal that wins the loser is to move.
func (b *board) Make(m rules.Move) (again bool) {
	b.stack[b.ply] = undo{b.State, b.key, b.quiet}
	b.ply++
	if m.Kind() == rules.Sliding {
		b.quiet++
	} else {
		b.quiet = 0
	}
	b.key = b.PlayKey(m, b.key)
	if b.Action == rules.Won {
		b.Turn ^= 1
	}
	return b.Action == rules.RemoveMan
}

// Unmake takes back the last move.
func (b *board) Unmake() {
	b.ply--
	u := &b.stack[b.ply]
	b.State, b.key, b.quiet = u.state, u.key, u.quiet
}

// nearDraw is the number of quiet plies left below which it is part of the key.
const nearDraw = 40

// Key returns the key of the position for the search's table.
func (b *board) Key() uint64 {
	k := b.key
	if !b.style.noisy {
		k = b.SharedKey(k)
	}
	k ^= b.style.salt
	if left := b.rules.QuietPlies - b.quiet; left < nearDraw && b.Hand == [2]uint8{} {
		k ^= uint64(left) * 0x9e3779b97f4a7c15
	}
	return k
}

// Evaluate returns the heuristic value.
func (b *board) Evaluate() int {
	if b.style.net != nil {
		return b.style.net.Evaluate(&b.State)
	}
	return Hand(&b.State, b.style.mobility)
}

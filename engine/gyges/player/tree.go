package player

import (
	"math/bits"

	"thera/engine/game"
	"thera/engine/gyges/player/net"
	"thera/engine/gyges/rules"
	"thera/engine/search"
)

// tree is the board of the search.
type tree struct {
	moves       *rules.Generator
	noMoveDraws bool
	net         *net.Net // nil: evaluation by hand
	frames      [search.MaxPly + 2]frame
	ply         int
}

// frame is one ply: the board and the reach of both sides.
type frame struct {
	board   rules.Board
	seat    game.Seat
	mine    view // of the side to move
	theirs  view
	lost    bool // the last move entered the goal
	seen    bool // mine is filled
	scanned bool // theirs is filled
}

// view is where the pieces of one side may end, by start.
type view struct {
	n     int
	start [6]uint8
	reach [6]rules.Reach
	all   rules.Reach // union over all starts
}

func newTree() search.Board[rules.Move] {
	return &tree{moves: rules.NewGenerator()}
}

// set puts a position on the board.
func (t *tree) set(pos Position) {
	t.ply, t.noMoveDraws = 0, pos.NoMoveDraws
	f := &t.frames[0]
	f.board, f.seat, f.lost, f.seen, f.scanned = pos.Board, pos.Seat, false, false, false
}

// look fills v for seat and reports whether seat can enter the goal. With stop it
// returns at the first way into the goal.
func (t *tree) look(v *view, b rules.Board, seat game.Seat, stop bool) (wins bool) {
	goal := rules.GoalSet(seat)
	until := uint64(0)
	if stop {
		until = goal
	}
	v.n, v.all = 0, rules.Reach{}
	for active := b.Active(seat); active != 0; active &= active - 1 {
		start := bits.TrailingZeros64(active)
		found := t.moves.Ends(b, start, seat, until)
		v.start[v.n], v.reach[v.n] = uint8(start), found
		v.n++
		v.all.Add(found)
		if stop && found.Empty&goal != 0 {
			return true
		}
	}
	return v.all.Empty&goal != 0
}

// Known finds lost games, repetitions, wins with the next move, and positions
// without a move.
func (t *tree) Known() (score int, ok bool) {
	f := &t.frames[t.ply]
	if f.lost {
		return search.LossIn(0), true
	}
	for at := t.ply - 2; at >= 0; at -= 2 {
		if q := &t.frames[at]; q.board == f.board && q.seat == f.seat {
			return 0, true
		}
	}
	if !f.seen {
		f.seen = true
		if t.look(&f.mine, f.board, f.seat, true) {
			f.seen = false // mine is incomplete
			return search.WinIn(1), true
		}
	}
	if f.mine.all == (rules.Reach{}) {
		return t.Stuck(), true
	}
	return 0, false
}

// Stuck is a loss, or a draw if the match's rules say so.
func (t *tree) Stuck() int {
	if t.noMoveDraws {
		return 0
	}
	return search.LossIn(0)
}

// Make plays a move.
func (t *tree) Make(m rules.Move) (again bool) {
	f, next := &t.frames[t.ply], &t.frames[t.ply+1]
	next.board, next.seat, next.seen, next.scanned = f.board.After(m), f.seat.Other(), false, false
	next.lost = m.End() >= rules.Squares
	t.ply++
	return false
}

// NullMove gives the turn to the other side.
func (t *tree) NullMove() bool {
	f, next := &t.frames[t.ply], &t.frames[t.ply+1]
	next.board, next.seat, next.seen, next.scanned = f.board, f.seat.Other(), false, false
	next.lost = false
	t.ply++
	return true
}

// Unmake takes back the last move or null move.
func (t *tree) Unmake() { t.ply-- }

// Key is the hash of the board and the side to move.
func (t *tree) Key() uint64 {
	f := &t.frames[t.ply]
	return f.board.Key(f.seat)
}

// Generate appends all moves in one stage. If there is a win it appends only that.
// Under a threat it appends only moves that touch the path of the threat, or one
// other move if there are none. Of moves to the same board it appends one.
func (t *tree) Generate(_ int, list *search.List[rules.Move]) (more bool) {
	f := &t.frames[t.ply]
	t.fill(f)
	goal := rules.GoalSet(f.seat)
	if f.mine.all.Empty&goal != 0 {
		for i := range f.mine.n {
			if f.mine.reach[i].Empty&goal != 0 {
				m := rules.NewMove(int(f.mine.start[i]), bits.TrailingZeros64(goal), rules.NoDrop)
				list.AddLoud(m, tag(m), 0, 20000)
				return false
			}
		}
	}
	touch := ^uint64(0)
	path, threat := t.moves.GoalPath(f.board, f.seat.Other())
	if threat {
		touch = path | f.board.Behind(f.seat.Other())
	}
	before := len(list.Items)
	t.spread(f, touch, threat, list)
	if len(list.Items) == before {
		t.spread(f, ^uint64(0), false, list)
		list.Items = list.Items[:min(before+1, len(list.Items))]
	}
	return false
}

func (t *tree) fill(f *frame) {
	if !f.seen {
		f.seen = true
		t.look(&f.mine, f.board, f.seat, false)
	}
}

// spread appends the moves that touch the set.
func (t *tree) spread(f *frame, touch uint64, loud bool, list *search.List[rules.Move]) {
	b := f.board
	zone := b.DropZone(f.seat) &^ b.Occupied()
	still := false // a move to the same board was appended: a piece ended on its start
	for i := range f.mine.n {
		start := int(f.mine.start[i])
		value := b.At(start)
		reach := f.mine.reach[i]
		drops := zone | 1<<start
		plain := uint64(0) // squares where a piece of this value stands after a move from start
		add := func(m rules.Move) {
			if !m.Touches(touch) {
				return
			}
			item := search.Item[rules.Move]{Move: m, Tag: tag(m), Slot: slot(f.seat, value, m), Loud: loud}
			list.Items = append(list.Items, item)
		}
		for ends := reach.Empty; ends != 0; ends &= ends - 1 {
			end := bits.TrailingZeros64(ends)
			if end == start {
				if still {
					continue
				}
				still = true
			}
			plain |= 1 << end
			add(rules.NewMove(start, end, rules.NoDrop))
		}
		for ends := reach.Pieces; ends != 0; ends &= ends - 1 {
			end := bits.TrailingZeros64(ends)
			rest := drops
			if b.At(end) == value {
				if still {
					rest &^= 1 << start
				}
				still = still || rest>>start&1 != 0
				rest &^= plain
				plain |= rest
			}
			for ; rest != 0; rest &= rest - 1 {
				add(rules.NewMove(start, end, bits.TrailingZeros64(rest)))
			}
		}
	}
}

// tag is never 0.
func tag(m rules.Move) uint32 { return uint32(m) + 1 }

// slot is equal for moves that put the same value on the same square and drop on
// the same square.
func slot(seat game.Seat, value int, m rules.Move) uint16 {
	return uint16(seat-1)<<14 | uint16(value)<<12 | uint16(m.End())<<6 | uint16(m.Drop())
}

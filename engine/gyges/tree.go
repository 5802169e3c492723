package gyges

import (
	"math/bits"

	"thera/engine/game"
	"thera/engine/search"
)

// tree is the board that the player's search walks up and down.
type tree struct {
	walk    *walker
	rules   Rules
	weights weights
	frames  [search.MaxPly + 2]frame
	ply     int
}

// frame is one ply: the board and what is known of both sides' reach.
type frame struct {
	board   Board
	seat    game.Seat
	mine    view // of the side to move; whole unless it can win
	theirs  view
	lost    bool // the last move went into the goal
	seen    bool // mine is filled
	scanned bool // theirs is filled
}

// view is where one side's pieces may end, start by start.
type view struct {
	n      int
	start  [6]uint8
	reach  [6]reach
	empty  uint64 // of all
	pieces uint64
}

func newTree() search.Board[Move] { return &tree{walk: newWalker(), weights: defaultWeights()} }

// set puts a position on the board.
func (t *tree) set(b Board, seat game.Seat, rules Rules) {
	t.ply, t.rules = 0, rules
	f := &t.frames[0]
	f.board, f.seat, f.lost, f.seen, f.scanned = b, seat, false, false, false
}

// look fills v for seat; it stops at a way into the goal where stop is set.
func (t *tree) look(v *view, b Board, seat game.Seat, stop bool) (wins bool) {
	goal := goalOf(seat)
	until := uint64(0)
	if stop {
		until = goal
	}
	v.n, v.empty, v.pieces = 0, 0, 0
	for active := b.active(seat); active != 0; active &= active - 1 {
		start := bits.TrailingZeros64(active)
		found := t.walk.ends(b, start, seat, until)
		v.start[v.n], v.reach[v.n] = uint8(start), found
		v.n++
		v.empty |= found.empty
		v.pieces |= found.pieces
		if stop && found.empty&goal != 0 {
			return true
		}
	}
	return v.empty&goal != 0
}

// Known says: a win with the next move, no move at all, a repetition.
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
			f.seen = false // only part of it was looked at
			return search.WinIn(1), true
		}
	}
	if f.mine.empty|f.mine.pieces == 0 {
		return t.Stuck(), true
	}
	return 0, false
}

// Stuck is a loss on the spot, or a draw where the rules say so.
func (t *tree) Stuck() int {
	if t.rules.NoMove == "draw" {
		return 0
	}
	return search.LossIn(0)
}

// Make plays a move.
func (t *tree) Make(m Move) (again bool) {
	f, next := &t.frames[t.ply], &t.frames[t.ply+1]
	next.board, next.seat, next.seen, next.scanned = f.board.after(m), f.seat.Other(), false, false
	next.lost = m.end() >= squares
	t.ply++
	return false
}

// NullMove lets the other side move twice.
func (t *tree) NullMove() bool {
	f, next := &t.frames[t.ply], &t.frames[t.ply+1]
	next.board, next.seat, next.seen, next.scanned = f.board, f.seat.Other(), false, false
	next.lost = false
	t.ply++
	return true
}

// Unmake takes back the last move or pass.
func (t *tree) Unmake() { t.ply-- }

// Key mixes board and seat.
func (t *tree) Key() uint64 {
	f := &t.frames[t.ply]
	h := (f.board.lo | uint64(f.seat)<<squares) * 0x9e3779b97f4a7c15
	h = (h ^ h>>29 ^ f.board.hi) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>32) * 0x94d049bb133111eb
	return h ^ h>>29
}

// Generate appends all moves at once. A win comes alone; under a threat only
// what touches it comes, and one move that does not if nothing can. Of moves
// that leave the same board, which replaced twins do, one is enough.
func (t *tree) Generate(_ int, list *search.List[Move]) (more bool) {
	f := &t.frames[t.ply]
	t.fill(f)
	goal := goalOf(f.seat)
	if f.mine.empty&goal != 0 {
		for i := range f.mine.n {
			if f.mine.reach[i].empty&goal != 0 {
				m := newMove(int(f.mine.start[i]), bits.TrailingZeros64(goal), noDrop)
				list.AddLoud(m, tag(m), 0, 20000)
				return false
			}
		}
	}
	touch := ^uint64(0)
	path, threat := t.walk.goalPath(f.board, f.seat.Other())
	if threat {
		touch = path | f.board.behind(f.seat.Other())
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

// spread lists the moves that touch the set.
func (t *tree) spread(f *frame, touch uint64, loud bool, list *search.List[Move]) {
	b := f.board
	zone := b.dropZone(f.seat) &^ b.occupied()
	still := false // a piece that ends where it began: the same board for all
	for i := range f.mine.n {
		start := int(f.mine.start[i])
		value := b.at(start)
		reach := f.mine.reach[i]
		drops := zone | 1<<start
		plain := uint64(0) // where a piece of this value comes to stand instead of start
		add := func(m Move) {
			if !m.touches(touch) {
				return
			}
			item := search.Item[Move]{Move: m, Tag: tag(m), Slot: slot(f.seat, value, m), Loud: loud}
			list.Items = append(list.Items, item)
		}
		for ends := reach.empty; ends != 0; ends &= ends - 1 {
			end := bits.TrailingZeros64(ends)
			if end == start {
				if still {
					continue
				}
				still = true
			}
			plain |= 1 << end
			add(newMove(start, end, noDrop))
		}
		for ends := reach.pieces; ends != 0; ends &= ends - 1 {
			end := bits.TrailingZeros64(ends)
			rest := drops
			if b.at(end) == value {
				if still {
					rest &^= 1 << start
				}
				still = still || rest>>start&1 != 0
				rest &^= plain
				plain |= rest
			}
			for ; rest != 0; rest &= rest - 1 {
				add(newMove(start, end, bits.TrailingZeros64(rest)))
			}
		}
	}
}

// tag is never 0: no move goes from 0 to 0 dropping on 0.
func tag(m Move) uint32 { return uint32(m) + 1 }

// slot shares history among moves that put the same value on the same square
// and drop on the same one.
func slot(seat game.Seat, value int, m Move) uint16 {
	return uint16(seat-1)<<14 | uint16(value)<<12 | uint16(m.end())<<6 | uint16(m.drop())
}

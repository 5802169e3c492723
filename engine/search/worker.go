package search

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

// worker is one thread's search. Its frames are allocated once.
type worker[M any] struct {
	board   Board[M]
	noisy   Quiescer[M] // nil when the board has no noisy moves
	passer  NullMover   // nil when the board cannot pass
	memory  HashMover[M]
	aimer   BoundHinter
	options *Options
	table   *table
	on      Feature // this iteration's features
	salt    uint64  // keeps the entries of exact and selective searches apart

	maxNodes  int64 // 0: no limit
	stop      *atomic.Bool
	deadline  time.Time
	stopped   bool
	patience  int // work until the clock is read again
	pace      int // work that fits between two looks at it
	looked    time.Time
	nodes     int64 // made moves
	published atomic.Int64

	frames  [MaxPly + 2]frame[M]
	history []int16

	root     List[M]
	rooting  bool            // the root's moves are listed: all are needed, however late it is
	rootBest func(score int) // called at each better root move, may be nil
}

// frame is what one ply of the walk needs.
type frame[M any] struct {
	list    List[M]
	killers [2]uint32
	passed  bool // this ply was reached by passing
	pv      [MaxPly + 2]M
	length  int
}

func newWorker[M any](board Board[M], options *Options, t *table) *worker[M] {
	w := &worker[M]{board: board, options: options, table: t, history: make([]int16, 1<<16)}
	w.noisy, _ = board.(Quiescer[M])
	w.passer, _ = board.(NullMover)
	w.memory, _ = board.(HashMover[M])
	w.aimer, _ = board.(BoundHinter)
	if h, ok := board.(Interruptible); ok {
		h.SetInterrupt(func(work int) bool { return !w.rooting && w.poll(work) })
	}
	return w
}

// forget drops what moves were good for.
func (w *worker[M]) forget() {
	clear(w.history)
	w.begin()
}

// begin prepares a new search: killers belong to plies of one root.
func (w *worker[M]) begin() {
	for i := range w.frames {
		w.frames[i].killers = [2]uint32{}
		w.frames[i].passed = false
	}
	for i := range w.history {
		w.history[i] /= 4
	}
	w.nodes, w.patience, w.stopped, w.salt = 0, 0, false, 0
	w.pace, w.looked = 64, time.Now()
	w.published.Store(0)
}

// step plays a move unless the node limit is used up.
func (w *worker[M]) step(move M) (again, ok bool) {
	if w.nodes >= w.maxNodes && w.maxNodes > 0 {
		w.stopped = true
		return false, false
	}
	w.nodes++
	return w.board.Make(move), true
}

// poll looks at the stop flag, and at the clock once in a while. work is how
// many moves were generated or tried since the last call.
func (w *worker[M]) poll(work int) bool {
	if w.stop.Load() {
		w.stopped = true
		return true
	}
	if w.patience -= work + 1; w.patience < 0 {
		w.look()
	}
	return w.stopped
}

// look reads the clock, and guesses how much work may pass until it must be
// read again: some games make a million moves a second, some ten thousand. On
// a single core it also lets those run who wish to stop the search.
func (w *worker[M]) look() {
	w.published.Store(w.nodes)
	runtime.Gosched()
	now := time.Now()
	if w.stop.Load() || !w.deadline.IsZero() && !now.Before(w.deadline) {
		w.stopped = true
	}
	const pause = time.Millisecond / 4
	if since := now.Sub(w.looked); since > pause {
		w.pace = max(int(int64(w.pace)*int64(pause)/int64(since)), 16)
	} else {
		w.pace = min(w.pace*2, workMost)
	}
	w.looked, w.patience = now, w.pace
}

const (
	workMost  = 4096
	pollEvery = 16 // moves of one node
)

// descend is the value, for the side to move before it, of the position that
// move leads to. depth is what is left after the move.
func (w *worker[M]) descend(move M, depth, ply, alpha, beta int) int {
	again, ok := w.step(move)
	if !ok {
		return 0
	}
	w.frames[ply+1].passed = false
	var score int
	if again {
		score = w.search(depth+1, ply+1, alpha, beta)
	} else {
		score = -w.search(depth, ply+1, -beta, -alpha)
	}
	w.board.Unmake()
	return score
}

// search is the value of the board's position within the window, fail-soft.
func (w *worker[M]) search(depth, ply, alpha, beta int) int {
	frame := &w.frames[ply]
	frame.length = 0
	if score, ok := w.board.Known(); ok {
		return fromHere(score, ply)
	}
	if depth <= 0 || ply >= MaxPly {
		return w.leaf(ply, alpha, beta)
	}
	// Nothing below can be better than winning with the next move.
	if top := Win - ply - 1; top <= alpha {
		return top
	}

	var found entry
	var key uint64
	useTable := w.on.Has(Table) && depth >= w.options.Tuning.TableDepth
	if useTable {
		key = w.board.Key() ^ w.salt
		var ok bool
		if found, ok = w.table.probe(key); ok && beta-alpha == 1 {
			if score, ok := w.answer(found, depth, ply, alpha, beta); ok {
				return score
			}
		}
	}

	narrow := beta-alpha == 1
	static, skipped := 0, alpha // what is said of moves not looked at
	most := math.MaxInt         // quiet moves to look at
	if narrow && alpha > -Heuristic && beta < Heuristic {
		near := depth <= 3 && w.on&(Futility|Standing) != 0
		pass := w.passer != nil && depth >= w.options.Tuning.NullDepth && w.on.Has(NullMove) && !frame.passed
		if near || pass {
			static = w.evaluate()
			skipped = min(static, alpha)
		}
		if near && w.on.Has(Standing) && static-w.options.Tuning.Margin*(depth+1) >= beta {
			return static
		}
		if pass && static >= beta {
			if score, ok := w.pass(depth, ply, beta); ok {
				return score
			}
			if w.stopped {
				return 0
			}
		}
		if near && w.on.Has(Futility) && static+w.options.Tuning.Margin*depth <= alpha {
			if depth == 1 && w.noisy != nil && w.on.Has(Quiescence) {
				return w.leaf(ply, alpha, beta) // which sees to the loud moves
			}
			most = 1
		} else if w.on.Has(LatePruning) {
			most = w.options.Tuning.late(depth)
		}
	}

	list := &frame.list
	list.Items = list.Items[:0]
	best, bestTag, first := -Infinity, uint32(0), alpha
	more, below, recalled := true, depth-1, uint32(0)
	if w.aimer != nil {
		aim := Infinity
		if found.tag == 0 && w.on.Has(Ordering) {
			aim = beta
		}
		w.aimer.HintBound(aim, depth)
	}
	if w.memory != nil && found.tag != 0 {
		if item, ok := w.memory.HashMove(found.tag); ok {
			recalled = item.Tag
			list.Items = append(list.Items, item)
		}
	}
	for i, stage, from := 0, 0, 0; ; i++ {
		for i == len(list.Items) && more {
			more = w.board.Generate(stage, list)
			stage++
			from = i
			if recalled != 0 {
				list.drop(i, recalled)
			}
			w.order(list.Items[i:], found.tag, frame)
			if w.poll(len(list.Items) - i) {
				return 0
			}
		}
		if i == len(list.Items) {
			break
		}
		if i == 0 && !more && len(list.Items) == 1 && w.on.Has(Extensions) {
			below++
		}
		if i >= most && best > -Heuristic {
			// Nothing but loud moves from here on, in any order.
			if !list.Items[i].Loud {
				best = max(best, skipped)
				continue
			}
		} else {
			pick(list.Items[from:], i-from)
		}
		if i%pollEvery == pollEvery-1 && w.poll(0) {
			return 0
		}
		item := &list.Items[i]
		late := !item.Loud && i > 0 && best > -Heuristic
		score := w.try(item.Move, late, i, below, ply, alpha, beta)
		if w.stopped {
			return 0
		}
		if score > best {
			best = score
			if score > alpha {
				bestTag = item.Tag
				alpha = score
				w.extendLine(ply, item.Move)
				if score >= beta {
					w.credit(list.Items[:i+1], depth, frame)
					break
				}
			}
		}
	}
	if len(list.Items) == 0 {
		return fromHere(w.board.Stuck(), ply)
	}
	if useTable {
		e := entry{tag: bestTag, score: toHere(best, ply), depth: depth, bound: boundExact}
		if best >= beta {
			e.bound = boundLower
		} else if best <= first {
			e.bound = boundUpper
		}
		w.table.store(key, e)
	}
	return best
}

// answer is a table entry's score where it settles the window.
func (w *worker[M]) answer(found entry, depth, ply, alpha, beta int) (int, bool) {
	switch {
	case w.on&Selective == 0:
		if found.depth != depth {
			return 0, false
		}
	case found.depth < depth && !proven(found):
		return 0, false
	}
	score := fromHere(found.score, ply)
	return score, found.bound&boundLower != 0 && score >= beta || found.bound&boundUpper != 0 && score <= alpha
}

// pass lets the other side move twice: a mover that stays above the window
// even so needs no closer look. A win that the passing proves is not believed.
func (w *worker[M]) pass(depth, ply, beta int) (score int, ok bool) {
	if w.maxNodes > 0 && w.nodes >= w.maxNodes || !w.passer.NullMove() {
		return 0, false
	}
	w.nodes++
	w.frames[ply+1].passed = true
	t := &w.options.Tuning
	score = -w.search(depth-1-t.NullReduce-depth/4, ply+1, -beta, 1-beta)
	w.board.Unmake()
	return min(score, Heuristic), score >= beta && !w.stopped
}

// try searches one move: late ones less deep first, all but the first with an
// empty window first. depth is what is left after the move.
func (w *worker[M]) try(move M, late bool, index, depth, ply, alpha, beta int) int {
	if index == 0 {
		return w.descend(move, depth, ply, alpha, beta)
	}
	narrow := beta-alpha == 1
	if late && depth >= 2 && index >= w.options.Tuning.ReduceFrom && w.on.Has(Reductions) {
		r := w.options.Tuning.reduction(depth+1, index)
		if !narrow {
			r--
		}
		if r = min(r, depth-1); r > 0 {
			if score := w.descend(move, depth-r, ply, alpha, alpha+1); score <= alpha || w.stopped {
				return score
			}
		}
	}
	if !narrow && w.on.Has(NullWindow) {
		if score := w.descend(move, depth, ply, alpha, alpha+1); score <= alpha || score >= beta || w.stopped {
			return score
		}
	}
	return w.descend(move, depth, ply, alpha, beta)
}

// extendLine puts move before the line below it.
func (w *worker[M]) extendLine(ply int, move M) {
	at, below := &w.frames[ply], &w.frames[ply+1]
	at.pv[0] = move
	n := min(below.length, len(at.pv)-1)
	copy(at.pv[1:], below.pv[:n])
	at.length = n + 1
}

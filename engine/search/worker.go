package search

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

// worker is one thread's search. Its frames are allocated once.
type worker[M any] struct {
	board     Board[M]
	quiescer  Quiescer[M] // the board's optional abilities, nil where it lacks them
	nullMover NullMover
	hashMover HashMover[M]
	hinter    BoundHinter

	options *Options
	table   *table
	on      Feature // features of this iteration
	salt    uint64  // separates table entries of exact and selective searches

	maxNodes    int64 // 0: no limit
	stop        *atomic.Bool
	deadline    time.Time
	stopped     bool
	untilClock  int // work left before the clock is read again
	interval    int // work between two readings
	clockRead   time.Time
	nodes       int64        // moves made
	sharedNodes atomic.Int64 // nodes, as other threads see it

	frames  [MaxPly + 2]frame[M]
	history []int16

	root        List[M]
	listingRoot bool            // never interrupted: the root needs all its moves
	rootBest    func(score int) // called for each new best root move, may be nil
}

// frame is the state of one ply.
type frame[M any] struct {
	list      List[M]
	killers   [2]uint32
	afterNull bool // this ply was reached by a null move
	pv        [MaxPly + 2]M
	length    int
}

func newWorker[M any](board Board[M], options *Options, t *table) *worker[M] {
	w := &worker[M]{board: board, options: options, table: t, history: make([]int16, 1<<16)}
	w.quiescer, _ = board.(Quiescer[M])
	w.nullMover, _ = board.(NullMover)
	w.hashMover, _ = board.(HashMover[M])
	w.hinter, _ = board.(BoundHinter)
	if h, ok := board.(Interruptible); ok {
		h.SetInterrupt(func(work int) bool { return !w.listingRoot && w.poll(work) })
	}
	return w
}

// forget clears the history and the killers.
func (w *worker[M]) forget() {
	clear(w.history)
	w.begin()
}

// begin prepares a search of a new root. Killers are cleared, history decays.
func (w *worker[M]) begin() {
	for i := range w.frames {
		w.frames[i].killers = [2]uint32{}
		w.frames[i].afterNull = false
	}
	for at := 0; at < len(w.history); at += 8 {
		h := (*[8]int16)(w.history[at:])
		if h[0]|h[1]|h[2]|h[3]|h[4]|h[5]|h[6]|h[7] == 0 {
			continue // most of them: a move is rarely tried
		}
		for i := range h {
			h[i] /= 4
		}
	}
	w.nodes, w.untilClock, w.stopped, w.salt = 0, 0, false, 0
	w.interval, w.clockRead = 64, time.Now()
	w.sharedNodes.Store(0)
}

// step plays a move unless the node limit is used up.
func (w *worker[M]) makeMove(move M) (again, ok bool) {
	if w.nodes >= w.maxNodes && w.maxNodes > 0 {
		w.stopped = true
		return false, false
	}
	w.nodes++
	return w.board.Make(move), true
}

// poll reports whether the search must stop. It reads the flag on every call
// and the clock from time to time. work is the number of moves generated or
// tried since the last call.
func (w *worker[M]) poll(work int) bool {
	if w.stop.Load() {
		w.stopped = true
		return true
	}
	if w.untilClock -= work + 1; w.untilClock < 0 {
		w.readClock()
	}
	return w.stopped
}

// readClock checks the deadline and estimates how much work can be done before
// the next reading: some games make a million moves a second, some ten
// thousand. It yields, so that on one core another goroutine can stop the search.
func (w *worker[M]) readClock() {
	w.sharedNodes.Store(w.nodes)
	runtime.Gosched()
	now := time.Now()
	if w.stop.Load() || !w.deadline.IsZero() && !now.Before(w.deadline) {
		w.stopped = true
	}
	const pause = time.Millisecond / 4
	if since := now.Sub(w.clockRead); since > pause {
		w.interval = max(int(int64(w.interval)*int64(pause)/int64(since)), 16)
	} else {
		w.interval = min(w.interval*2, maxInterval)
	}
	w.clockRead, w.untilClock = now, w.interval
}

const (
	maxInterval = 4096
	pollEvery   = 16 // moves of one node
)

// searchChild makes a move and returns its value for the side that made it.
// depth is the depth left after the move.
func (w *worker[M]) searchChild(move M, depth, ply, alpha, beta int) int {
	again, ok := w.makeMove(move)
	if !ok {
		return 0
	}
	w.frames[ply+1].afterNull = false
	var score int
	if again {
		score = w.search(depth+1, ply+1, alpha, beta)
	} else {
		score = -w.search(depth, ply+1, -beta, -alpha)
	}
	w.board.Unmake()
	return score
}

// search returns the value of the position for the side to move, fail-soft.
func (w *worker[M]) search(depth, ply, alpha, beta int) int {
	frame := &w.frames[ply]
	frame.length = 0
	if score, ok := w.board.Known(); ok {
		return fromRoot(score, ply)
	}
	if depth <= 0 || ply >= MaxPly {
		return w.quiesce(ply, alpha, beta)
	}
	// Mate distance pruning: nothing beats a win with the next move.
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
			if score, ok := w.tableScore(found, depth, ply, alpha, beta); ok {
				return score
			}
		}
	}

	nullWindow := beta-alpha == 1
	static, skipped := 0, alpha // skipped is the value of moves that are not searched
	quietLimit := math.MaxInt   // number of moves after which quiet ones are skipped
	if nullWindow && alpha > -Heuristic && beta < Heuristic {
		near := depth <= w.options.Tuning.MarginDepth && w.on&(Futility|ReverseFutility) != 0
		pass := w.nullMover != nil && depth >= w.options.Tuning.NullDepth && w.on.Has(NullMove) && !frame.afterNull
		if near || pass {
			static = w.evaluate()
			skipped = min(static, alpha)
		}
		if near && w.on.Has(ReverseFutility) && static-w.options.Tuning.Margin*(depth+1) >= beta {
			return static
		}
		if pass && static >= beta {
			if score, ok := w.searchNullMove(depth, ply, beta); ok {
				return score
			}
			if w.stopped {
				return 0
			}
		}
		if near && w.on.Has(Futility) && static+w.options.Tuning.Margin*depth <= alpha {
			if depth == 1 && w.quiescer != nil && w.on.Has(Quiescence) {
				return w.quiesce(ply, alpha, beta) // which tries the loud moves
			}
			quietLimit = 1
		} else if w.on.Has(LatePruning) {
			quietLimit = w.options.Tuning.late(depth)
		}
	}

	list := &frame.list
	list.Items = list.Items[:0]
	best, bestTag, oldAlpha := -Infinity, uint32(0), alpha
	more, childDepth, hashTag := true, depth-1, uint32(0)
	if w.hinter != nil {
		hint := Infinity
		if found.tag == 0 && w.on.Has(Ordering) {
			hint = beta
		}
		w.hinter.HintBound(hint, depth)
	}
	if w.hashMover != nil && found.tag != 0 {
		if item, ok := w.hashMover.HashMove(found.tag); ok {
			hashTag = item.Tag
			list.Items = append(list.Items, item)
		}
	}
	for i, stage, from := 0, 0, 0; ; i++ {
		for i == len(list.Items) && more {
			more = w.board.Generate(stage, list)
			stage++
			from = i
			if hashTag != 0 {
				list.drop(i, hashTag)
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
			childDepth++
		}
		if i >= quietLimit && best > -Heuristic {
			// Only loud moves are searched from here on, in any order.
			if !list.Items[i].Loud {
				best = max(best, skipped)
				continue
			}
		} else {
			pickBest(list.Items[from:], i-from)
		}
		if i%pollEvery == pollEvery-1 && w.poll(0) {
			return 0
		}
		item := &list.Items[i]
		late := !item.Loud && i > 0 && best > -Heuristic
		score := w.searchMove(item.Move, late, i, childDepth, ply, alpha, beta)
		if w.stopped {
			return 0
		}
		if score > best {
			best = score
			if score > alpha {
				bestTag = item.Tag
				alpha = score
				w.updatePV(ply, item.Move)
				if score >= beta {
					w.recordCutoff(list.Items[:i+1], depth, frame)
					break
				}
			}
		}
	}
	if len(list.Items) == 0 {
		return fromRoot(w.board.Stuck(), ply)
	}
	if useTable {
		e := entry{tag: bestTag, score: fromNode(best, ply), depth: depth, bound: boundExact}
		if best >= beta {
			e.bound = boundLower
		} else if best <= oldAlpha {
			e.bound = boundUpper
		}
		w.table.store(key, e)
	}
	return best
}

// tableScore returns the score of a table entry if it decides the window.
func (w *worker[M]) tableScore(found entry, depth, ply, alpha, beta int) (int, bool) {
	switch {
	case w.on&Selective == 0:
		if found.depth != depth {
			return 0, false
		}
	case found.depth < depth && !proven(found):
		return 0, false
	}
	score := fromRoot(found.score, ply)
	return score, found.bound&boundLower != 0 && score >= beta || found.bound&boundUpper != 0 && score <= alpha
}

// searchNullMove lets the other side move twice. A side that stays above the
// window even then fails high. A win proven by a null move is not a proof.
func (w *worker[M]) searchNullMove(depth, ply, beta int) (score int, ok bool) {
	if w.maxNodes > 0 && w.nodes >= w.maxNodes || !w.nullMover.NullMove() {
		return 0, false
	}
	w.nodes++
	w.frames[ply+1].afterNull = true
	t := &w.options.Tuning
	score = -w.search(depth-1-t.NullReduce-depth/4, ply+1, -beta, 1-beta)
	w.board.Unmake()
	return min(score, Heuristic), score >= beta && !w.stopped
}

// searchMove searches one move. Late moves are first searched with reduced
// depth, all but the first move with a null window. depth is the depth left
// after the move.
func (w *worker[M]) searchMove(move M, late bool, index, depth, ply, alpha, beta int) int {
	if index == 0 {
		return w.searchChild(move, depth, ply, alpha, beta)
	}
	nullWindow := beta-alpha == 1
	if late && depth >= 2 && index >= w.options.Tuning.ReduceFrom && w.on.Has(Reductions) {
		r := w.options.Tuning.reduction(depth+1, index)
		if !nullWindow {
			r--
		}
		if r = min(r, depth-1); r > 0 {
			if score := w.searchChild(move, depth-r, ply, alpha, alpha+1); score <= alpha || w.stopped {
				return score
			}
		}
	}
	if !nullWindow && w.on.Has(NullWindow) {
		if score := w.searchChild(move, depth, ply, alpha, alpha+1); score <= alpha || score >= beta || w.stopped {
			return score
		}
	}
	return w.searchChild(move, depth, ply, alpha, beta)
}

// updatePV sets the principal variation of ply to move and the line below it.
func (w *worker[M]) updatePV(ply int, move M) {
	at, below := &w.frames[ply], &w.frames[ply+1]
	at.pv[0] = move
	n := min(below.length, len(at.pv)-1)
	copy(at.pv[1:], below.pv[:n])
	at.length = n + 1
}

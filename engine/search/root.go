package search

import (
	"math"
	"math/rand/v2"
	"slices"
)

// setRoot lists and orders the root moves.
func (w *worker[M]) setRoot(allow func(tag uint32) bool) {
	w.on = w.options.Features
	items := w.root.Items[:0]
	w.root.Items = items
	if w.hinter != nil {
		w.hinter.HintBound(Infinity, MaxPly)
	}
	w.listingRoot = true
	for stage, more := 0, true; more; stage++ {
		more = w.board.Generate(stage, &w.root)
	}
	w.listingRoot = false
	if allow != nil {
		for _, item := range w.root.Items {
			if allow(item.Tag) {
				items = append(items, item)
			}
		}
		w.root.Items = items
	}
	tag := uint32(0)
	if w.on.Has(Table) && len(w.table.buckets) > 0 {
		if found, ok := w.table.probe(w.board.Key()); ok {
			tag = found.tag
		}
	}
	w.order(w.root.Items, tag, &w.frames[0])
	slices.SortStableFunc(w.root.Items, func(a, b Item[M]) int { return int(b.Order) - int(a.Order) })
}

// random returns a root move. It is another one in each position, and does not depend on the
// order of the moves.
func (w *worker[M]) random(seed uint64) M {
	best, least := w.root.Items[0].Move, uint64(math.MaxUint64)
	for _, item := range w.root.Items {
		drawn := rand.NewPCG(w.board.Key()^seed, uint64(item.Tag))
		if n := drawn.Uint64(); n < least {
			best, least = item.Move, n
		}
	}
	return best
}

// iterate returns the root's value at one depth, by the chosen driver. last is
// the value of the previous iteration.
func (w *worker[M]) iterate(depth, last int) int {
	switch w.options.Driver {
	case MTDF:
		return w.converge(depth, last)
	case AlphaBeta:
		w.on &^= NullWindow | Aspiration
	}
	delta := w.options.Tuning.Aspiration
	if depth < 4 || delta <= 0 || !w.on.Has(Aspiration) {
		return w.searchRoot(depth, -Infinity, Infinity)
	}
	alpha, beta := last-delta, last+delta
	if sign, _ := Proven(last); sign != 0 {
		alpha, beta = -Infinity, Infinity
	}
	for {
		score := w.searchRoot(depth, alpha, beta)
		switch {
		case w.stopped:
			return score
		case score <= alpha:
			alpha = widen(score, -delta)
		case score >= beta:
			beta = widen(score, delta)
		default:
			return score
		}
		delta *= 4
	}
}

func widen(bound, delta int) int {
	bound += delta
	if bound > Heuristic || bound < -Heuristic {
		return min(max(-Infinity, delta*Infinity), Infinity)
	}
	return bound
}

// converge is MTD(f): null windows that converge on the value.
func (w *worker[M]) converge(depth, guess int) int {
	low, high := -Infinity, Infinity
	score := guess
	for low < high && !w.stopped {
		beta := score
		if score == low {
			beta++
		}
		score = w.searchRoot(depth, beta-1, beta)
		if score < beta {
			high = score
		} else {
			low = score
		}
	}
	return score
}

// searchRoot returns the root's value within the window. With Ordering on, it
// keeps the best move so far at the front of the list.
func (w *worker[M]) searchRoot(depth, alpha, beta int) int {
	items := w.root.Items
	w.frames[0].length = 0
	best, quietLimit := -Infinity, len(items)
	if late := w.options.Tuning.LateRoot; late > 0 && depth >= 3 && w.on.Has(LatePruning) {
		quietLimit = late
	}
	for i := range items {
		item := items[i]
		if i >= quietLimit && best > -Heuristic && !item.Loud {
			continue
		}
		late := !item.Loud && i > 0 && best > -Heuristic
		if w.poll(1) {
			break
		}
		score := w.searchMove(item.Move, late, i, depth-1, 0, alpha, beta)
		if w.stopped {
			break
		}
		if score <= best {
			continue
		}
		best = score
		if score > alpha {
			alpha = score
			w.updatePV(0, item.Move)
			if w.on.Has(Ordering) {
				copy(items[1:i+1], items[:i])
				items[0] = item
			}
			if w.rootBest != nil {
				w.rootBest(score)
			}
			if score >= beta {
				break
			}
		}
	}
	return best
}

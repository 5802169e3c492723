package search

import (
	"cmp"
	"math"
	"slices"
)

const (
	historyMax  = 8192
	orderTable  = 1 << 30 // the hash move
	orderShift  = 20000   // lifts the guesses for loud moves above the killers
	orderLoud   = 10000
	orderKiller = 19000
)

// order replaces the game's guesses by the sort keys of this node.
func (w *worker[M]) order(items []Item[M], tableTag uint32, frame *frame[M]) {
	on := w.on
	for i := range items {
		item := &items[i]
		value := int32(0)
		if on&Ordering != 0 {
			if value = item.Order; value > orderLoud {
				value += orderShift
			}
		}
		switch {
		case item.Tag == tableTag && tableTag != 0:
			value = orderTable
		case item.Loud:
		case item.Tag == frame.killers[0]:
			value = orderKiller
		case item.Tag == frame.killers[1]:
			value = orderKiller - 1
		case on&History != 0:
			value += int32(w.history[item.Slot])
		}
		item.Order = value
	}
}

// drop removes the move with that tag from items[from:].
func (l *List[M]) drop(from int, tag uint32) {
	for i := from; i < len(l.Items); i++ {
		if l.Items[i].Tag == tag {
			last := len(l.Items) - 1
			l.Items[i] = l.Items[last]
			l.Items = l.Items[:last]
			return
		}
	}
}

// Most cutoffs come early, so moves are selected one at a time. A node that has
// tried sortAt moves and has more than sortMore left will try them all: it sorts
// the rest, because selection takes quadratic time.
const (
	sortAt   = 16
	sortMore = 128
)

// pickBest moves the best of items[at:] to at, the first of equals. It is called
// for each at in turn, with the moves of one stage.
func pickBest[M any](items []Item[M], at int) {
	if at >= sortAt && len(items) > sortAt+sortMore {
		if at == sortAt {
			slices.SortFunc(items[at:], func(a, b Item[M]) int { return cmp.Compare(b.Order, a.Order) })
		}
		return
	}
	// A key is the order, and below it what is higher the earlier. There is no branch to
	// mispredict, and two maxima do not wait for each other.
	rest := items[at:]
	even, odd := int64(math.MinInt64), int64(math.MinInt64)
	for i := 1; i < len(rest); i += 2 {
		even = max(even, int64(rest[i-1].Order)<<32|int64(^uint32(i-1)))
		odd = max(odd, int64(rest[i].Order)<<32|int64(^uint32(i)))
	}
	if last := len(rest) - 1; last&1 == 0 {
		even = max(even, int64(rest[last].Order)<<32|int64(^uint32(last)))
	}
	if best := at + int(^uint32(max(even, odd))); best != at {
		items[at], items[best] = items[best], items[at]
	}
}

// recordCutoff makes the last move of tried a killer and updates the history:
// up for that move, down for the quiet moves before it.
func (w *worker[M]) recordCutoff(tried []Item[M], depth int, frame *frame[M]) {
	cut := &tried[len(tried)-1]
	if cut.Loud {
		return
	}
	if w.on.Has(Killers) && cut.Tag != frame.killers[0] {
		frame.killers[0], frame.killers[1] = cut.Tag, frame.killers[0]
	}
	if !w.on.Has(History) {
		return
	}
	bonus := int32(min(16*depth*depth, 1600))
	w.addHistory(cut.Slot, bonus)
	for i := range tried[:len(tried)-1] {
		if !tried[i].Loud {
			w.addHistory(tried[i].Slot, -bonus)
		}
	}
}

// addHistory moves a history entry towards ±historyMax, slower as it gets near.
func (w *worker[M]) addHistory(slot uint16, bonus int32) {
	h := int32(w.history[slot])
	size := bonus
	if size < 0 {
		size = -size
	}
	w.history[slot] = int16(h + bonus - h*size/historyMax)
}

package search

import (
	"cmp"
	"slices"
)

const (
	historyMax  = 8192
	orderTable  = 1 << 30 // the table's move
	orderShift  = 20000   // lifts loud guesses over the killers
	orderLoud   = 10000
	orderKiller = 19000
)

// order turns the game's guesses into the sort keys of this node.
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

// drop takes the move of that tag out of items[from:].
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

// Few moves are looked at before a cutoff, if any comes: the best ones are
// picked. A node that has looked at sortAt moves, with more than sortMore to
// come, will look at all: picking each would cost the square of their number.
const (
	sortAt   = 16
	sortMore = 128
)

// pick brings the best of items[at:] to at, the first of equals. It is called
// for each at in turn, with one stage's moves.
func pick[M any](items []Item[M], at int) {
	if at >= sortAt && len(items) > sortAt+sortMore {
		if at == sortAt {
			slices.SortFunc(items[at:], func(a, b Item[M]) int { return cmp.Compare(b.Order, a.Order) })
		}
		return
	}
	best, value := at, items[at].Order
	for i := at + 1; i < len(items); i++ {
		if items[i].Order > value {
			best, value = i, items[i].Order
		}
	}
	if best != at {
		items[at], items[best] = items[best], items[at]
	}
}

// credit remembers the move that cut off, the last of tried, and that the
// quiet ones before it did not.
func (w *worker[M]) credit(tried []Item[M], depth int, frame *frame[M]) {
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
	w.learn(cut.Slot, bonus)
	for i := range tried[:len(tried)-1] {
		if !tried[i].Loud {
			w.learn(tried[i].Slot, -bonus)
		}
	}
}

// learn moves a history entry towards ±historyMax, the slower the nearer.
func (w *worker[M]) learn(slot uint16, bonus int32) {
	h := int32(w.history[slot])
	size := bonus
	if size < 0 {
		size = -size
	}
	w.history[slot] = int16(h + bonus - h*size/historyMax)
}

package net

import (
	"fmt"
	"slices"

	"thera/engine/santorini/rules"
)

// Family is the networks of the match-ups of some gods. They share the weights of one network.
// Each god may have weights that are added to these where it is the worker's own god, and
// others where it is the opponent's: to the rows by their kind (Detail), and to the second layer
// where it moves or does not. A network is the sum, so a search need not know of them.
type Family struct {
	base  *Net
	list  []int16 // of base
	extra []int16 // nil if there are none, else of the rows, then of the second layer
	gods  []rules.God
	knows [rules.GodCount]bool
}

// The weights that a god adds as the worker's own or as the opponent's.
const (
	extraRows   = 2 * Details * Width       // by set, kind and number
	extraSecond = 2*Width*Neurons + Neurons // as in Net: of the second layer, then its biases

	// Added is the number of weights that a god adds in a Family.
	Added = 2 * (extraRows + extraSecond)
)

// Scale returns the integer that stands for 1.0 in weight i of the list of a Family of n gods.
func Scale(i, n int) float64 {
	const second = 2 * Width * Neurons
	i -= Rows * Width
	switch extra := i - (Size - Rows*Width); {
	case i < 0, extra >= 0 && extra < 2*n*extraRows:
		return Unit
	case extra >= 0:
		i = (extra - 2*n*extraRows) % extraSecond
	}
	if i >= second && i < second+Neurons {
		return Unit * Second >> BiasShift
	}
	return Second
}

// NewFamily returns the networks with these weights: Size, and if each god has its own, those
// of the rows as the worker's god, by god, as the opponent's, and those of the second layer for
// the god that moves and for the other. gods are the gods that it was trained on, sorted.
func NewFamily(list []int16, gods []rules.God) (*Family, error) {
	if len(list) != Size && len(list) != Size+len(gods)*Added {
		return nil, fmt.Errorf("%d weights, want %d, or %d more for each of %d gods", len(list), Size, Added, len(gods))
	}
	base, err := New(list[:Size])
	if err != nil {
		return nil, err
	}
	f := &Family{base: base, list: list[:Size], gods: gods}
	if len(list) > Size {
		f.extra = list[Size:]
	}
	for _, god := range gods {
		f.knows[god] = true
	}
	return f, nil
}

// Nets is the networks for positions in which the first side moves, and for those in which the
// second does.
type Nets [2]*Net

// For returns the networks of a match-up. It takes a millisecond.
func (f *Family) For(gods rules.Matchup) Nets {
	if f.extra == nil {
		return Nets{f.base, f.base}
	}
	first := f.sum(gods[0], gods[1])
	if gods[0] == gods[1] {
		return Nets{first, first}
	}
	return Nets{first, f.sum(gods[1], gods[0])}
}

// Knows reports whether the networks were trained on both gods.
func (f *Family) Knows(gods rules.Matchup) bool { return f.knows[gods[0]] && f.knows[gods[1]] }

// added returns the weights that a god adds as the worker's own (as is 0) or as the
// opponent's: to the rows, and to the second layer.
func (f *Family) added(god rules.God, as int) (rows, second []int16) {
	at := as*len(f.gods) + slices.Index(f.gods, god)
	return f.extra[at*extraRows:][:extraRows], f.extra[2*len(f.gods)*extraRows+at*extraSecond:][:extraSecond]
}

// sum returns the network of two gods of which the first moves.
func (f *Family) sum(mover, other rules.God) *Net {
	n := &Net{rows: slices.Clone(f.base.rows)}
	head := slices.Clone(f.list[Rows*Width:])
	for as, gods := range [2]rules.Matchup{{mover, other}, {other, mover}} {
		for set, god := range gods {
			rows, _ := f.added(god, as)
			var kinds [Details]row
			for kind := range kinds {
				kinds[kind].read(rows[(set*Details+kind)*Width:])
			}
			for r := range atToken {
				n.rows[set*setRows+r].add(&kinds[detailOf[r]])
			}
		}
		_, second := f.added(gods[0], as)
		for i, w := range second {
			head[i] += w
		}
	}
	n.finish(head)
	return n
}

// weights returns the weights of the network of two gods of which the first moves, as New
// takes them.
func (f *Family) weights(mover, other rules.God) []int16 {
	n, list := f.sum(mover, other), make([]int16, 0, Size)
	for r := range n.rows {
		for _, word := range n.rows[r] {
			list = append(list, int16(word), int16(word>>16), int16(word>>32), int16(word>>48))
		}
	}
	return append(list, n.list...)
}

// check returns an error if a sum of the network of any match-up could overflow.
func (f *Family) check() error {
	if f.extra == nil {
		return check(f.list, f.gods)
	}
	for _, mover := range f.gods {
		for _, other := range f.gods {
			if err := check(f.weights(mover, other), []rules.God{mover, other}); err != nil {
				return fmt.Errorf("%s against %s: %w", mover, other, err)
			}
		}
	}
	return nil
}

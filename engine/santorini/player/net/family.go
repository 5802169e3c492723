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
	list  []int16 // of the network that they share
	extra []int16 // what gods add: the rows, then the second layer; nil if they add nothing
	only  *Net    // if they add nothing, the network of all match-ups
	gods  []rules.God
}

// The weights that a god adds as the worker's own or as the opponent's.
const (
	extraRows   = 2 * Details * Width       // by set, kind and number
	extraSecond = 2*Width*Neurons + Neurons // as in New: of the second layer, then its biases

	// Added is the number of weights that a god adds in a Family.
	Added = 2 * (extraRows + extraSecond)
)

// Scale returns the integer that stands for 1.0 in weight i of the list of a Family of n gods.
func Scale(i, n int) float64 {
	if at := i - Size; i < Rows*Width || at >= 0 && at < 2*n*extraRows {
		return Unit
	}
	return Second
}

// The scale of biases is that of the other weights of the second layer.
var _ = [1]int{}[Unit*Second>>BiasShift-Second]

// NewFamily returns the networks with these weights: Size, and if each god has its own, those
// of the rows as the worker's god, by god, as the opponent's, and those of the second layer for
// the god that moves and for the other. gods are the gods that it was trained on, sorted.
func NewFamily(list []int16, gods []rules.God) (*Family, error) {
	switch len(list) {
	case Size:
		only, err := New(list)
		return &Family{list: list, only: only, gods: gods}, err
	case Size + len(gods)*Added:
		return &Family{list: list[:Size], extra: list[Size:], gods: gods}, nil
	}
	return nil, fmt.Errorf("%d weights, want %d, or %d more for each of %d gods", len(list), Size, Added, len(gods))
}

// Nets is the networks for positions in which the first side moves, and for those in which the
// second does.
type Nets [2]*Net

// For returns the networks of a match-up. Searches should share them: it takes milliseconds.
func (f *Family) For(gods rules.Matchup) Nets {
	if f.only != nil {
		return Nets{f.only, f.only}
	}
	first, _ := New(f.sum(gods[0], gods[1]))
	if gods[0] == gods[1] {
		return Nets{first, first}
	}
	second, _ := New(f.sum(gods[1], gods[0]))
	return Nets{first, second}
}

// sum returns the weights of the network of two gods of which the first moves, as New takes them.
func (f *Family) sum(mover, other rules.God) []int16 {
	list := slices.Clone(f.list)
	for as, gods := range [2]rules.Matchup{{mover, other}, {other, mover}} { // by set of rows
		for set, god := range gods {
			rows := f.extra[(f.index(god, as)*2+set)*Details*Width:][:Details*Width]
			for r, kind := range detailOf {
				add(list[(set*setRows+r)*Width:][:Width], rows[int(kind)*Width:])
			}
		}
		add(list[Rows*Width:], f.extra[2*len(f.gods)*extraRows+f.index(gods[0], as)*extraSecond:][:extraSecond])
	}
	return list
}

// index is the place of what a god adds as the worker's own (as is 0) or as the opponent's.
func (f *Family) index(god rules.God, as int) int {
	return as*len(f.gods) + slices.Index(f.gods, god)
}

// add adds the numbers of more to those of list, as many as the shorter has.
func add(list, more []int16) {
	for i := range min(len(list), len(more)) {
		list[i] += more[i]
	}
}

// check returns an error if a sum of the network of any match-up could overflow.
func (f *Family) check() error {
	if f.only != nil {
		return check(f.list, f.gods)
	}
	for _, mover := range f.gods {
		for _, other := range f.gods {
			if err := check(f.sum(mover, other), []rules.God{mover, other}); err != nil {
				return fmt.Errorf("%s against %s: %w", mover, other, err)
			}
		}
	}
	return nil
}

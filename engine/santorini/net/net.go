package net

import (
	"fmt"
	"math/bits"
	"slices"

	"thera/engine/lanes"
	"thera/engine/santorini/rules"
)

const (
	Lanes = 32        // numbers of a row; the first half counts for the worker's side
	Words = Lanes / 4 // of a row
	Unit  = 8         // one hundredth of a clear advantage, in the numbers of rows
)

// row is the lanes of one feature.
type row [Words]uint64

// Net is a network with its weights. It does not change after New and may be shared.
type Net struct {
	rows  []row
	steps []row // by set, height, class, square and level: what that level adds to the one below
	knows [rules.GodCount]bool
}

// New returns the network with these weights, Rows times Lanes of them, for the gods
// that it was trained on.
func New(weights []int16, gods []rules.God) (*Net, error) {
	if len(weights) != Rows*Lanes {
		return nil, fmt.Errorf("%d weights, want %d", len(weights), Rows*Lanes)
	}
	n := &Net{rows: make([]row, Rows)}
	for _, god := range gods {
		n.knows[god] = true
	}
	for i, w := range weights {
		n.rows[i/Lanes][i%Lanes/4] += lanes.Lane(w, i%4)
	}
	for _, set := range []int{0, setRows} {
		for i := range heights * classes * squares * levels {
			step := n.rows[set+atBlock+i]
			if i%levels > 0 {
				for w, below := range n.rows[set+atBlock+i-1] {
					step[w] -= below
				}
			}
			n.steps = append(n.steps, step)
		}
	}
	return n, nil
}

// check refuses weights with which a lane could overflow.
func check(weights []int16, gods []rules.God) error {
	if at, worst := overflow(weights, gods); worst > 1<<15-1 {
		return fmt.Errorf("lane %d could reach %d", at, worst)
	}
	return nil
}

// Knows reports whether the network was trained on both gods of p.
func (n *Net) Knows(p *rules.State) bool { return n.knows[p.Gods[0]] && n.knows[p.Gods[1]] }

// Evaluate is the value of p for the side to move, in hundredths of a clear advantage. An
// Evaluator is faster in a search.
func (n *Net) Evaluate(p *rules.State) int {
	var memory [maxFeatures]uint16
	sum := uint64(0)
	for side := range p.Workers {
		for mine := p.Workers[side]; mine != 0; mine &= mine - 1 {
			sum += n.view(&row{}, AppendFeatures(memory[:0], p, uint8(side), bits.TrailingZeros32(mine)))
		}
	}
	return lanes.Score(sum) / Unit
}

// maxFeatures is more than a worker of any god can have.
const maxFeatures = 128

// view is the part in the score of a worker with these features beyond start, as two
// 32-bit lanes.
func (n *Net) view(start *row, features []uint16) uint64 {
	rows := n.rows
	a, b, c, d, e, f, g, h := start.words() // in registers, which an array would not be
	for _, i := range features {
		r := &rows[i]
		a, b, c, d = a+r[0], b+r[1], c+r[2], d+r[3]
		e, f, g, h = e+r[4], f+r[5], g+r[6], h+r[7]
	}
	return lanes.Positive(a) + lanes.Positive(b) + lanes.Positive(c) + lanes.Positive(d) - lanes.Positive(e) - lanes.Positive(f) - lanes.Positive(g) - lanes.Positive(h)
}

func (r *row) words() (a, b, c, d, e, f, g, h uint64) {
	return r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]
}

// maxTokens is the largest number of tokens that a god has on the board.
const maxTokens = 3

// onlyMortals reports whether these gods use only the rows of mortals.
func onlyMortals(gods []rules.God) bool { return slices.Equal(gods, []rules.God{rules.Mortal}) }

// overflow returns the lane that could become largest in magnitude, and how large, for
// positions of these gods.
func overflow(weights []int16, gods []rules.God) (lane, worst int) {
	workers := 0
	for _, god := range gods {
		_, most := (&rules.State{Gods: rules.Matchup{god, god}}).WorkerRange(0)
		workers = max(workers, most)
	}
	for l := range Lanes {
		// most is the sum of the n largest of groups of rows from at, each group with its
		// largest weight.
		most := func(n, at, groups, each int) int {
			list := make([]int, groups)
			for i := range groups * each {
				w := int(weights[(at+i)*Lanes+l])
				list[i/each] = max(list[i/each], w, -w)
			}
			slices.Sort(list)
			total := 0
			for _, w := range list[max(0, groups-n):] {
				total += w
			}
			return total
		}
		for _, set := range []int{0, setRows} {
			power := 0 // what gods other than mortals add
			for i := range 2 {
				power += most(1, set+atGod+i*int(rules.GodCount)*classes, 1, int(rules.GodCount)*classes)
				power += most(1, set+atState+i*int(rules.GodCount)*codes, 1, int(rules.GodCount)*codes)
				power += most(maxTokens, set+atToken+i*classes*squares, classes*squares, 1)
			}
			if power += most(1, set+atFemale, 1, 1); onlyMortals(gods) {
				power = 0
			}
			for class := range classes {
				at := class * squares
				total := power + most(workers-1, set+atMate+at*heights, squares, heights) + most(workers, set+atFoe+at*heights, squares, heights)
				for height := range heights {
					place := height*classes + class
					at := total + most(1, set+atWorker+place, 1, 1) + most(squares, set+atBlock+place*squares*levels, squares, levels)
					if at > worst {
						lane, worst = l, at
					}
				}
			}
		}
	}
	return lane, worst
}

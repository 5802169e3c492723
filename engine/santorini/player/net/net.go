package net

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"thera/engine/santorini/rules"
)

// The shape. The vector code works for these values of Width and Neurons only.
const (
	Width   = 64 // numbers of a row
	Neurons = 16 // of the second layer
	Top     = 2047

	Unit   = 256  // 1.0 in the first layer
	Second = 1024 // 1.0 in the second and the last layer

	// Size is the number of weights: the rows, the second layer by input and neuron, its
	// biases, and the last weights.
	Size = Rows*Width + 2*Width*Neurons + 2*Neurons

	BiasShift = 8 // from a bias to the sums of the second layer

	secondShift = 10  // of the sums of the second layer
	valueShift  = 18  // of the value, in logits
	logit       = 150 // hundredths of a clear advantage

	words = Width / 4 // of a row

	// workerSteps is the number of steps of a worker's place, see Net.
	workerSteps = squares * levels
)

// row is the numbers of one feature.
type row [words]uint64

// Net is a network with its weights. It does not change after New and may be shared.
type Net struct {
	rows   []row
	steps  []row // by set, height, class, square and level: what that level adds to the one below
	head   weights
	second packed // of head
}

// New returns the network with these weights. There must be Size weights.
func New(list []int16) (*Net, error) {
	if len(list) != Size {
		return nil, fmt.Errorf("%d weights, want %d", len(list), Size)
	}
	n := &Net{rows: make([]row, Rows), steps: make([]row, 2*heights*classes*workerSteps)}
	for r := range Rows {
		from := list[r*Width:][:Width]
		for i := range n.rows[r] {
			n.rows[r][i] = uint64(uint16(from[4*i])) | uint64(uint16(from[4*i+1]))<<16 | uint64(uint16(from[4*i+2]))<<32 | uint64(uint16(from[4*i+3]))<<48
		}
	}
	n.head.read(list[Rows*Width:])
	n.second.read(&n.head)
	for set := range 2 {
		steps := n.steps[set*heights*classes*workerSteps:][:heights*classes*workerSteps]
		copy(steps, n.rows[set*setRows+atBlock:])
		for i := len(steps) - 1; i >= 0; i-- {
			if i%levels > 0 {
				steps[i].subtract(&steps[i-1])
			}
		}
	}
	return n, nil
}

// read reads the weights that follow the rows.
func (w *weights) read(list []int16) {
	for i := range 2 * Width {
		for j := range Neurons {
			w.second[i/2][j][i%2] = list[i*Neurons+j]
		}
	}
	list = list[2*Width*Neurons:]
	for j := range Neurons {
		w.bias[j], w.last[j] = int32(list[j])<<BiasShift, int32(list[Neurons+j])
	}
	w.floor[0] = math.MinInt32
}

// points converts a value of the second layer to a score.
func points(value int32) int { return int(int64(value) * logit >> valueShift) }

// check returns an error if a sum could overflow with these weights.
func check(list []int16, gods []rules.God) error {
	if at, worst := overflow(list, gods); worst > 1<<15-1 {
		return fmt.Errorf("element %d could reach %d", at, worst)
	}
	var head weights
	head.read(list[Rows*Width:])
	most := int64(mostWorkers(gods) * Top)
	if most > 1<<15-1 {
		return fmt.Errorf("activations of %d workers could reach %d", mostWorkers(gods), most)
	}
	// Activations are at least 0, so a sum is largest if it has only weights of one sign.
	var totals [2]int64
	for j := range Neurons {
		sums := [2]int64{max(0, int64(head.bias[j])), max(0, -int64(head.bias[j]))}
		for k := range pairs {
			for _, w := range head.second[k][j] {
				sums[0] += most * max(0, int64(w))
				sums[1] += most * max(0, -int64(w))
			}
		}
		if sum := max(sums[0], sums[1]); sum >= 1<<31 {
			return fmt.Errorf("neuron %d could reach %d", j, sum)
		}
		if j > 0 {
			sums[1] = 0 // the others are never negative
		}
		last, above, below := int64(head.last[j]), sums[0]>>secondShift+1, sums[1]>>secondShift+1
		totals[0] += max(above*last, -below*last)
		totals[1] += max(-above*last, below*last)
	}
	if total := max(totals[0], totals[1]); total >= 1<<31 {
		return fmt.Errorf("the value could reach %d", total)
	}
	return nil
}

// mostWorkers is the largest number of workers of a side.
func mostWorkers(gods []rules.God) int {
	workers := 0
	for _, god := range gods {
		_, most := (&rules.State{Gods: rules.Matchup{god, god}}).WorkerRange(0)
		workers = max(workers, most)
	}
	return workers
}

// Evaluate returns the value of p for the side to move, in hundredths of a clear advantage.
// In a search an Evaluator is faster.
func (n *Net) Evaluate(p *rules.State) int {
	var memory [maxFeatures]uint16
	var pool [2]row
	for side := range p.Workers {
		for mine := p.Workers[side]; mine != 0; mine &= mine - 1 {
			sum := row{}
			for _, r := range AppendFeatures(memory[:0], p, uint8(side), bits.TrailingZeros32(mine)) {
				sum.add(&n.rows[r])
			}
			sum.activate(&pool[(side^int(p.Mover))&1])
		}
	}
	return points(secondGeneric(&pool, &n.head, &n.second))
}

// maxFeatures is an upper bound of the features of a worker.
const maxFeatures = 128

// maxTokens is the largest number of tokens of a god on the board.
const maxTokens = 3

// onlyMortals reports whether these gods use only the rows of mortals.
func onlyMortals(gods []rules.God) bool { return slices.Equal(gods, []rules.God{rules.Mortal}) }

// overflow returns the element of a view that could become largest in magnitude, and how
// large, in positions of these gods.
func overflow(weights []int16, gods []rules.God) (element, worst int) {
	workers := mostWorkers(gods)
	for e := range Width {
		// most is the sum of the n largest of groups of rows from at, each group with its
		// largest weight.
		most := func(n, at, groups, each int) int {
			list := make([]int, groups)
			for i := range groups * each {
				w := int(weights[(at+i)*Width+e])
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
						element, worst = e, at
					}
				}
			}
		}
	}
	return element, worst
}

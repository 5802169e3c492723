package conv

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"thera/engine/hex/rules"
)

// some returns a net with random weights.
func some(t testing.TB, random *rand.Rand) *Net {
	weights := make([]int16, Weights)
	for i := range weights {
		weights[i] = int16(random.IntN(800) - 400)
	}
	n, err := New(weights)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// position is a random board and its last two moves.
func position(random *rand.Rand, size int) (board []rules.Colour, last [2]int) {
	board = make([]rules.Colour, size*size)
	for i := range board {
		board[i] = rules.Colour(random.IntN(3))
	}
	moves := random.Perm(len(board))[:2]
	if random.IntN(4) == 0 {
		moves[1] = -1
	}
	return board, [2]int(moves)
}

// plain is Look by the text of the package comment, cell by cell.
func plain(n *Net, board []rules.Colour, size int, turn rules.Colour, last [2]int) (value int, logits []int) {
	type at struct{ row, column int }
	cell := func(p at) int { // of the board before it is turned
		if turn == rules.White {
			p.row, p.column = p.column, p.row
		}
		return p.row*size + p.column
	}
	inside := func(p at) bool { return p.row >= 0 && p.row < size && p.column >= 0 && p.column < size }
	input := func(p at, plane int) int {
		if !inside(p) {
			rows, columns := p.row >= 0 && p.row < size, p.column >= 0 && p.column < size
			if plane == 0 && columns || plane == 1 && rows {
				return Unit
			}
			return 0
		}
		c := board[cell(p)]
		if plane == 0 && c == turn || plane == 1 && c == turn.Other() || plane >= 2 && last[plane-2] == cell(p) {
			return Unit
		}
		return 0
	}
	steps := []at{{-1, 0}, {-1, 1}, {0, -1}, {0, 0}, {0, 1}, {1, -1}, {1, 0}}
	var x map[at][Channels]int
	layer := func(l *layer, from func(p at, i int) int, add map[at][Channels]int) map[at][Channels]int {
		result := map[at][Channels]int{}
		for row := range size {
			for column := range size {
				p, sums := at{row, column}, [Channels]int{}
				for out := range sums {
					sum := int(l.bias[out])
					for k, step := range steps {
						for i := range l.inputs {
							sum += from(at{row + step.row, column + step.column}, i) * int(l.weights[((k*l.inputs+i)/2*Channels+out)*2+i%2])
						}
					}
					sums[out] = min(max(sum>>shift+add[p][out], 0), top)
				}
				result[p] = sums
			}
		}
		return result
	}
	of := func(x map[at][Channels]int) func(p at, i int) int { return func(p at, i int) int { return x[p][i] } }
	x = layer(&n.layers[0], input, nil)
	for i := 1; i < len(n.layers); i += 2 {
		x = layer(&n.layers[i+1], of(layer(&n.layers[i], of(x), nil)), x)
	}
	logits = make([]int, len(board))
	var pool [2 * Channels]int
	for p, list := range x {
		sum := 0
		for i, v := range list {
			sum += v * int(n.policy[i])
			pool[i] += v
			pool[Channels+i] = max(pool[Channels+i], v)
		}
		logits[cell(p)] = sum >> shift
	}
	value = int(n.bias)
	for k := range n.first {
		sum := int(n.biases[k])
		for i, w := range n.first[k] {
			if i < Channels {
				sum += int(w) * (pool[i] / len(board))
			} else {
				sum += int(w) * pool[i]
			}
		}
		value += max(0, sum>>shift) * int(n.second[k])
	}
	return value >> shift, logits
}

// The vector code, the portable code and the text of the package say the same of random positions, for either side
// to move.
func TestKernelsAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	nets := []*Net{Embedded(), some(t, random)}
	kernels := []bool{false}
	if vector {
		kernels = append(kernels, true)
	} else {
		t.Log("no vector instructions here: only the portable code is used")
	}
	defer func(fast bool) { vector = fast }(vector)
	for _, size := range []int{Least, 4, 7, 11} {
		for i := range 4 {
			n, turn := nets[i%2], rules.Black+rules.Colour(i/2)
			board, last := position(random, size)
			value, logits := plain(n, board, size, turn, last)
			for _, vector = range kernels {
				j := NewJudge(size, n)
				if i%3 == 0 { // what it saw before makes no difference
					j.Look(make([]rules.Colour, size*size), turn.Other(), last)
				}
				if got := j.Look(board, turn, last); got != value || !slices.Equal(j.Logits, logits) {
					t.Fatalf("size %d, %v to move, vector %t: %d %v, want %d %v", size, turn, vector, got, j.Logits, value, logits)
				}
			}
		}
	}
}

func TestWeightsThatOverflowAreRefused(t *testing.T) {
	const heads = Weights - Channels - hidden*(2*Channels+2) - 1
	neurons := heads + Channels
	for want, set := range map[string]func(weights []int16){
		"layer 0: channel 3 could reach": func(weights []int16) {
			for i := range around * planes {
				weights[i*Channels+3] = 1 << 14
			}
		},
		"a logit could reach": func(weights []int16) {
			for i := range Channels {
				weights[heads+i] = -1 << 14
			}
		},
		"neuron 1 could reach": func(weights []int16) {
			for i := range 2 * Channels {
				weights[neurons+2*Channels+i] = 1 << 13
			}
		},
		"the value": func(weights []int16) {
			for k := range hidden {
				weights[neurons+2*Channels*k] = 1 << 14
				weights[neurons+hidden*(2*Channels+1)+k] = 1 << 14
			}
		},
	} {
		weights := make([]int16, Weights)
		set(weights)
		if _, err := New(weights); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := New(make([]int16, 1)); err == nil || !strings.Contains(err.Error(), "1 weights, want ") {
		t.Error(err)
	}
}

func BenchmarkLook(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	board, last := position(random, 11)
	defer func(fast bool) { vector = fast }(vector)
	for _, vector = range []bool{vector, false} {
		name := "portable"
		if vector {
			name = "vector"
		}
		b.Run(name, func(b *testing.B) {
			j := NewJudge(11, Embedded())
			for b.Loop() {
				j.Look(board, rules.Black, last)
			}
		})
	}
}

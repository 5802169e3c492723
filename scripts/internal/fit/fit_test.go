package fit

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// toy is positions of two views of three of 20 rows each. The target is high if the first
// view has more even rows.
type toy struct{ lists [][2][3]uint16 }

func newToy(n int, seed uint64) *toy {
	random := rand.New(rand.NewPCG(seed, 1))
	t := &toy{make([][2][3]uint16, n)}
	for i := range t.lists {
		for v := range 2 {
			for k := range 3 {
				t.lists[i][v][k] = uint16(10*v + random.IntN(10))
			}
		}
	}
	return t
}

func (t *toy) Len() int { return len(t.lists) }

func (t *toy) Target(i int) float64 {
	even := 0
	for v, list := range t.lists[i] {
		for _, r := range list {
			even += (1 - int(r)%2) * (1 - 2*v)
		}
	}
	return 1 / (1 + math.Exp(-float64(even)))
}

func (t *toy) Views(v *Views, i int, _ *rand.Rand) {
	for pool, list := range t.lists[i] {
		v.Add(pool, func(rows []uint16) []uint16 { return append(rows, list[:]...) })
	}
}

var toyShape = Shape{
	Rows: 20, Lanes: 8, Groups: 2,
	GroupsOf: func(list []int, row int) []int { return append(list, row/10) },
}

// deepToy has a second layer, and a limit that some activations reach.
var deepToy = Shape{Rows: 20, Lanes: 8, Groups: 2, GroupsOf: toyShape.GroupsOf, Neurons: 3, Top: 0.8}

// TestGradient compares the slope of each weight with the loss on both sides of it.
func TestGradient(t *testing.T) {
	for _, shape := range []Shape{toyShape, deepToy} {
		m := New(shape, rand.New(rand.NewPCG(1, 2)))
		for i := range m.Weights {
			m.Weights[i] *= 10
		}
		set := newToy(1, 3)
		const target = 0.8
		loss := func() float64 { return CrossEntropy(target, m.Evaluate(set, 0, nil)) }
		m.Back(float32(1/(1+math.Exp(-m.Evaluate(set, 0, nil))) - target))
		checked, limited := 0, false
		compare := func(kind string, weights, slopes []float32) {
			for i, slope := range slopes {
				if slope == 0 {
					continue
				}
				const step = 1.0 / 256
				w := weights[i]
				weights[i] = w + step
				up := loss()
				weights[i] = w - step
				down := loss()
				weights[i] = w
				if numeric := (up - down) / (2 * step); math.Abs(numeric-float64(slope)) > 0.01 {
					t.Errorf("%d neurons, %s %d: slope %.4f, want %.4f", shape.Neurons, kind, i, slope, numeric)
				}
				checked++
			}
		}
		compare("weight", m.Weights, m.slope)
		if m.head != nil {
			for _, x := range m.sums {
				limited = limited || x > shape.Top
			}
			for kind, p := range map[string]*parts{"second": &m.head.second, "bias": &m.head.bias, "last": &m.head.last} {
				compare(kind, p.value, p.slope)
			}
		}
		if checked < 10 || limited != (m.head != nil) {
			t.Errorf("%d neurons: only %d slopes were compared, limit reached: %v", shape.Neurons, checked, limited)
		}
	}
}

// TestAdd compares the vector code with the definition.
func TestAdd(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for n := range 70 {
		var lists [3][]float32
		for i := range lists {
			for range n {
				lists[i] = append(lists[i], float32(random.NormFloat64()))
			}
		}
		lists[1] = append([]float32(nil), lists[0]...)
		add(lists[0], lists[2])
		addGeneric(lists[1], lists[2])
		for i, x := range lists[0] {
			if x != lists[1][i] {
				t.Fatalf("%d numbers: number %d is %v, want %v", n, i, x, lists[1][i])
			}
		}
	}
}

// TestFitLearns what new positions are worth, and the same again.
func TestFitLearns(t *testing.T) {
	train, held := newToy(2000, 5), newToy(200, 6)
	f := Settings{Epochs: 10, Batch: 50, Rate: 0.02, Seed: 1}
	var said bytes.Buffer
	m := f.Fit(toyShape, train, held, &said)
	deep := f.Fit(deepToy, train, held, new(bytes.Buffer))
	constant := Loss(held, func(int) float64 { return 0 })
	if loss := Loss(held, func(i int) float64 { return m.Evaluate(held, i, nil) }); loss > constant/10 {
		t.Errorf("loss %v, that of a constant is %v", loss, constant)
	}
	if loss := Loss(held, func(i int) float64 { return deep.Evaluate(held, i, nil) }); loss > constant/10 {
		t.Errorf("with a second layer: loss %v, that of a constant is %v", loss, constant)
	}
	if list := deep.Quantized(Scales{100, 50, 25}); len(list) != (20+2*3)*8+2*3 || list[20*8] != int16(math.Round(float64(deep.head.second.value[0])*50)) {
		t.Errorf("%d weights", len(list))
	}
	if n := strings.Count(said.String(), "held-out loss"); n != f.Epochs {
		t.Errorf("%d lines", n)
	}
	again := f.Fit(toyShape, train, held, new(bytes.Buffer))
	for i, w := range m.Quantized(Scales{Rows: 100}) {
		if w != again.Quantized(Scales{Rows: 100})[i] || w == 0 && m.Weights[i] > 0.01 {
			t.Fatalf("weight %d is %d, then %d", i, w, again.Quantized(Scales{Rows: 100})[i])
		}
	}
}

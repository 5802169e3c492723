// Package fit fits the weights of the players' nets to positions of self-play: rows of
// numbers that are added up for the features of a view, negative sums count as 0, and the
// first half of the lanes is added, the second half subtracted. It refuses to know games
// and files: a Set shows it positions as lists of rows.
package fit

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Shape is the form of a net.
type Shape struct {
	Rows, Lanes int
	Groups      int                             // of rows that share a part, 0 for none
	GroupsOf    func(list []int, row int) []int // appends the groups of a row

	// Neurons is the size of a second layer, 0 for none. Its inputs are the sums of the
	// activations of views, Lanes of each of two pools. An activation is at most Top.
	Neurons int
	Top     float32
}

// Set is positions to learn from. Views shows position i; with random it may be a position
// that is equal by symmetry. Target is its expected score, 0 to 1.
type Set interface {
	Len() int
	Target(i int) float64
	Views(v *Views, i int, random *rand.Rand)
}

// Views are the lists of rows whose sums a position is valued by.
type Views struct {
	rows []uint16
	ends []int // of each view in rows
	pool []int // of each view
}

// Add adds a view to pool 0 or 1: list appends its rows.
func (v *Views) Add(pool int, list func([]uint16) []uint16) {
	v.rows = list(v.rows)
	v.ends = append(v.ends, len(v.rows))
	v.pool = append(v.pool, pool)
}

// Model is the weights while they are fitted, in logits. The weights of a row are the
// sum of a part of its own and of the parts of its groups.
type Model struct {
	shape          Shape
	Weights, slope []float32 // by row
	own, shared    parts     // by row and by group
	groups         [][]int   // of each row
	head           *head     // the second layer, nil for none
	views          Views     // of the last evaluation
	sums           []float32 // and their lanes
	delta          []float32
}

// parts are numbers that are fitted, with Adam's moments.
type parts struct{ value, slope, first, second []float32 }

func newParts(n int) parts {
	return parts{make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)}
}

// firstSize is the standard deviation of the first weights.
const firstSize = 0.03

// New returns a model with random weights.
func New(shape Shape, random *rand.Rand) *Model {
	m := &Model{shape: shape, own: newParts(shape.Rows * shape.Lanes), shared: newParts(shape.Groups * shape.Lanes)}
	m.Weights, m.slope = make([]float32, len(m.own.value)), m.own.slope
	m.delta = make([]float32, shape.Lanes)
	for i := range m.own.value {
		m.own.value[i] = float32(random.NormFloat64() * firstSize)
	}
	for i := range m.shared.value {
		m.shared.value[i] = float32(random.NormFloat64() * firstSize)
	}
	for r := range shape.Rows {
		var groups []int
		if shape.Groups > 0 {
			groups = shape.GroupsOf(nil, r)
		}
		m.groups = append(m.groups, groups)
	}
	m.join()
	if shape.Neurons > 0 {
		m.head = newHead(shape, random)
	}
	return m
}

// row is the numbers of row r in a list by row or group.
func (m *Model) row(list []float32, r int) []float32 {
	return list[r*m.shape.Lanes:][:m.shape.Lanes]
}

// join computes the weights from their parts.
func (m *Model) join() {
	copy(m.Weights, m.own.value)
	for r, groups := range m.groups {
		row := m.row(m.Weights, r)
		for _, g := range groups {
			add(row, m.row(m.shared.value, g))
		}
	}
}

// Evaluate computes the logit of a position and keeps what the gradient needs.
func (m *Model) Evaluate(s Set, i int, random *rand.Rand) float64 {
	v := &m.views
	v.rows, v.ends, v.pool = v.rows[:0], v.ends[:0], v.pool[:0]
	s.Views(v, i, random)
	sum, from := float32(0), 0
	m.sums = m.sums[:0]
	for _, to := range v.ends {
		at := len(m.sums)
		for range m.shape.Lanes {
			m.sums = append(m.sums, 0)
		}
		lanes := m.sums[at:]
		for _, r := range v.rows[from:to] {
			add(lanes, m.row(m.Weights, int(r)))
		}
		from = to
		if m.head != nil {
			continue
		}
		for l, x := range lanes {
			if l < m.shape.Lanes/2 {
				sum += max(x, 0)
			} else {
				sum -= max(x, 0)
			}
		}
	}
	if m.head != nil {
		return m.head.evaluate(m.sums, v.pool)
	}
	return float64(sum)
}

// Back adds the gradient of the last evaluation, whose loss has this slope.
func (m *Model) Back(slope float32) {
	from := 0
	if m.head != nil {
		m.head.back(slope)
	}
	for i, to := range m.views.ends {
		for l, x := range m.row(m.sums, i) {
			switch {
			case x <= 0 || m.head != nil && x >= m.shape.Top:
				m.delta[l] = 0
			case m.head != nil:
				m.delta[l] = m.head.delta[m.views.pool[i]*m.shape.Lanes+l]
			case l < m.shape.Lanes/2:
				m.delta[l] = slope
			default:
				m.delta[l] = -slope
			}
		}
		for _, r := range m.views.rows[from:to] {
			add(m.row(m.slope, int(r)), m.delta)
		}
		from = to
	}
}

// update is step number n of Adam, from 1, with the slopes of count positions.
func (m *Model) update(rate, decay float64, n, count int) {
	for r, groups := range m.groups {
		row := m.row(m.slope, r)
		for _, g := range groups {
			add(m.row(m.shared.slope, g), row)
		}
	}
	m.own.update(rate, decay, n, count)
	m.shared.update(rate, decay, n, count)
	if m.head != nil {
		m.head.update(rate, decay, n, count)
	}
	m.join()
}

// update is a step with decoupled weight decay. It clears the slopes.
func (p *parts) update(rate, decay float64, n, count int) {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	correct := float32(rate * math.Sqrt(1-math.Pow(beta2, float64(n))) / (1 - math.Pow(beta1, float64(n))))
	keep, scale := float32(1-rate*decay), 1/float32(count)
	for i, g := range p.slope {
		if g == 0 && p.first[i] == 0 {
			continue
		}
		g *= scale
		p.slope[i] = 0
		p.first[i] += (1 - beta1) * (g - p.first[i])
		p.second[i] += (1 - beta2) * (g*g - p.second[i])
		p.value[i] = p.value[i]*keep - correct*p.first[i]/(float32(math.Sqrt(float64(p.second[i])))+epsilon)
	}
}

// Scales say how many to a logit, or to 1, weights are as whole numbers: rows, those of the
// second layer, and biases.
type Scales struct{ Rows, Second, Bias float64 }

// Quantized are weights as the nearest whole numbers: rows, then the second layer by input and
// neuron, its biases, and the last weights.
func (s Scales) Quantized(shape Shape, weights []float32) []int16 {
	list, rows, second := make([]int16, len(weights)), shape.Rows*shape.Lanes, 2*shape.Lanes*shape.Neurons
	for i, w := range weights {
		scale := s.Second
		switch at := i - rows; {
		case at < 0:
			scale = s.Rows
		case at >= second && at < second+shape.Neurons:
			scale = s.Bias
		}
		list[i] = int16(max(-1<<15+1, min(math.Round(float64(w)*scale), 1<<15-1)))
	}
	return list
}

// Quantized are the weights as whole numbers.
func (m *Model) Quantized(scales Scales) []int16 {
	weights := m.Weights
	if h := m.head; h != nil {
		weights = slices.Concat(weights, h.second.value, h.bias.value, h.last.value)
	}
	return scales.Quantized(m.shape, weights)
}

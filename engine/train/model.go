package train

import "math/rand/v2"

// Shape is the shape of a net. Each feature of a position selects a row of Width numbers, and
// the rows are added up. Negative sums count as 0. The first half of the sums is added and
// the second half subtracted.
type Shape struct {
	Rows, Width int
	Groups      int                             // of rows that share a part, 0 for none
	GroupsOf    func(list []int, row int) []int // appends the groups of a row
}

// Model holds the weights during a fit, in logits. The weights of a row are the sum of its
// term and the terms of its groups.
type Model struct {
	shape          Shape
	Weights        []float32 // by row
	single, shared *Adam     // by row and by group
	groups         [][]int   // of each row
	rows           []uint16  // of the last evaluation
	sums           []float32 // of them
	delta          []float32
}

// firstSize is the standard deviation of the first weights.
const firstSize = 0.03

// NewModel returns a model with random weights.
func NewModel(shape Shape, random *rand.Rand) *Model {
	m := &Model{shape: shape, single: NewAdam(shape.Rows * shape.Width), shared: NewAdam(shape.Groups * shape.Width)}
	m.Weights = make([]float32, len(m.single.Value))
	m.sums, m.delta = make([]float32, shape.Width), make([]float32, shape.Width)
	for _, list := range [][]float32{m.single.Value, m.shared.Value} {
		for i := range list {
			list[i] = float32(random.NormFloat64() * firstSize)
		}
	}
	for r := range shape.Rows {
		var groups []int
		if shape.Groups > 0 {
			groups = shape.GroupsOf(nil, r)
		}
		m.groups = append(m.groups, groups)
	}
	m.join()
	return m
}

// row returns the numbers of row r in a list that is ordered by row or by group.
func (m *Model) row(list []float32, r int) []float32 {
	return list[r*m.shape.Width:][:m.shape.Width]
}

// join computes the weights from their terms.
func (m *Model) join() {
	copy(m.Weights, m.single.Value)
	for r, groups := range m.groups {
		for _, g := range groups {
			add(m.row(m.Weights, r), m.row(m.shared.Value, g))
		}
	}
}

// Evaluate returns the logit of a position with these rows, and keeps what Back needs.
func (m *Model) Evaluate(rows []uint16) float64 {
	m.rows = append(m.rows[:0], rows...)
	clear(m.sums)
	for _, r := range rows {
		add(m.sums, m.row(m.Weights, int(r)))
	}
	sum := float32(0)
	for l, x := range m.sums {
		if l < m.shape.Width/2 {
			sum += max(x, 0)
		} else {
			sum -= max(x, 0)
		}
	}
	return float64(sum)
}

// Back adds the gradient of the last evaluation. slope is the slope of its loss.
func (m *Model) Back(slope float32) {
	for l, x := range m.sums {
		switch {
		case x <= 0:
			m.delta[l] = 0
		case l < m.shape.Width/2:
			m.delta[l] = slope
		default:
			m.delta[l] = -slope
		}
	}
	for _, r := range m.rows {
		add(m.row(m.single.Slope, int(r)), m.delta)
	}
}

// Update makes a step of Adam.
func (m *Model) Update(rate, decay float64, step, count int) {
	for r, groups := range m.groups {
		for _, g := range groups {
			add(m.row(m.shared.Slope, g), m.row(m.single.Slope, r))
		}
	}
	m.single.Update(rate, decay, step, count)
	m.shared.Update(rate, decay, step, count)
	m.join()
}

// add adds the numbers of row to those of sum.
func add(sum, row []float32) {
	for i, x := range row[:len(sum)] {
		sum[i] += x
	}
}

package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"thera/engine/santorini/net"
	"thera/engine/santorini/player"
	"thera/engine/santorini/rules"
	"thera/engine/search"
)

// sample is a position to learn from.
type sample struct {
	state  rules.State
	score  int16 // of the search
	winner int8  // seat, 0 if the result says nothing
}

// target is the expected score of the side to move: a mixture of what the search says
// and how the game ended.
func (s *sample) target(lambda float64) float64 {
	sign, _ := search.Proven(int(s.score))
	if sign != 0 {
		return float64(sign+1) / 2
	}
	searched := player.ExpectedScore(int(s.score))
	switch int(s.winner) {
	case 0:
		return searched
	case int(s.state.Mover&1) + 1:
		return lambda*searched + 1 - lambda
	}
	return lambda * searched
}

// pointsOfLogit is the score at which the logit of the expected score is 1.
var pointsOfLogit = 1 / math.Log(1/(1/player.ExpectedScore(1)-1))

func logit(points int) float64 { return float64(points) / pointsOfLogit }

// fitting is the settings of a training.
type fitting struct {
	epochs, batch       int
	lambda, rate, decay float64
	seed                uint64
}

// loss is the mean cross entropy of an evaluation, in logits, less that of the target.
func (f *fitting) loss(samples []sample, evaluate func(*sample) float64) float64 {
	sum := 0.0
	for i := range samples {
		s := &samples[i]
		t := s.target(f.lambda)
		sum += crossEntropy(t, evaluate(s)) - entropy(t)
	}
	return sum / float64(len(samples))
}

// crossEntropy is -t log σ(z) - (1-t) log(1-σ(z)).
func crossEntropy(t, z float64) float64 {
	return math.Log1p(math.Exp(-math.Abs(z))) + max(z, 0) - t*z
}

func entropy(t float64) float64 {
	h := 0.0
	for _, p := range []float64{t, 1 - t} {
		if p > 0 {
			h -= p * math.Log(p)
		}
	}
	return h
}

// model is the weights while they are fitted, in logits. The weights of a row are the
// sum of a part of its own and of the parts of its groups.
type model struct {
	weights, slope []float32 // by row
	own, shared    parts     // by row and by group
	groups         [][]int   // of each row
	views          []view
	features       []uint16
}

// parts are numbers that are fitted, with Adam's moments.
type parts struct{ value, slope, first, second []float32 }

func newParts(n int) parts {
	return parts{make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)}
}

// view is one worker's part of an evaluation.
type view struct {
	from, to int // in features
	lanes    [net.Lanes]float32
}

func newModel(random *rand.Rand) *model {
	m := &model{own: newParts(net.Rows * net.Lanes), shared: newParts(net.Groups * net.Lanes)}
	m.weights, m.slope = make([]float32, len(m.own.value)), m.own.slope
	for i := range m.own.value {
		m.own.value[i] = float32(random.NormFloat64() * firstSize)
	}
	for i := range m.shared.value {
		m.shared.value[i] = float32(random.NormFloat64() * firstSize)
	}
	for r := range net.Rows {
		m.groups = append(m.groups, net.AppendGroups(nil, r))
	}
	m.join()
	return m
}

// firstSize is the standard deviation of the first weights.
const firstSize = 0.03

// join computes the weights from their parts.
func (m *model) join() {
	copy(m.weights, m.own.value)
	for r, groups := range m.groups {
		row := m.weights[r*net.Lanes:][:net.Lanes]
		for _, g := range groups {
			part := m.shared.value[g*net.Lanes:][:net.Lanes]
			for l := range row {
				row[l] += part[l]
			}
		}
	}
}

// evaluate computes the logit of p and keeps what the gradient needs.
func (m *model) evaluate(p *rules.State) float64 {
	m.views, m.features = m.views[:0], m.features[:0]
	sum := float32(0)
	for side := range uint8(2) {
		for s := range rules.Squares {
			if p.Workers[side]>>s&1 == 0 {
				continue
			}
			v := view{from: len(m.features)}
			m.features = net.AppendFeatures(m.features, p, side, s)
			v.to = len(m.features)
			for _, r := range m.features[v.from:v.to] {
				row := m.weights[int(r)*net.Lanes:][:net.Lanes]
				for l := range v.lanes {
					v.lanes[l] += row[l]
				}
			}
			for l, x := range v.lanes {
				if l < net.Lanes/2 {
					sum += max(x, 0)
				} else {
					sum -= max(x, 0)
				}
			}
			m.views = append(m.views, v)
		}
	}
	return float64(sum)
}

// back adds the gradient of the last evaluation, whose loss has this slope.
func (m *model) back(slope float32) {
	for i := range m.views {
		v := &m.views[i]
		var d [net.Lanes]float32
		for l, x := range v.lanes {
			switch {
			case x <= 0:
			case l < net.Lanes/2:
				d[l] = slope
			default:
				d[l] = -slope
			}
		}
		for _, r := range m.features[v.from:v.to] {
			row := m.slope[int(r)*net.Lanes:][:net.Lanes]
			for l := range d {
				row[l] += d[l]
			}
		}
	}
}

// update is step number n of Adam, from 1, with the slopes of count positions.
func (m *model) update(rate, decay float64, n, count int) {
	for r, groups := range m.groups {
		row := m.slope[r*net.Lanes:][:net.Lanes]
		for _, g := range groups {
			part := m.shared.slope[g*net.Lanes:][:net.Lanes]
			for l := range part {
				part[l] += row[l]
			}
		}
	}
	m.own.update(rate, decay, n, count)
	m.shared.update(rate, decay, n, count)
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

// fit trains a new model.
func (f *fitting) fit(d *data, out io.Writer) *model {
	random := rand.New(rand.NewPCG(f.seed, 0))
	m := newModel(random)
	order := make([]int, len(d.train))
	for i := range order {
		order[i] = i
	}
	steps := f.epochs * ((len(order) + f.batch - 1) / f.batch)
	step := 0
	for epoch := range f.epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		sum := 0.0
		for at := 0; at < len(order); at += f.batch {
			batch := order[at:min(at+f.batch, len(order))]
			for _, i := range batch {
				s := &d.train[i]
				p := turned(&s.state, random.IntN(8))
				t, z := s.target(f.lambda), m.evaluate(&p)
				sum += crossEntropy(t, z) - entropy(t)
				m.back(float32(1/(1+math.Exp(-z)) - t))
			}
			rate := f.rate * (1 + math.Cos(math.Pi*float64(step)/float64(steps))) / 2
			step++
			m.update(rate, f.decay, step, len(batch))
		}
		held := f.loss(d.held, func(s *sample) float64 { return m.evaluate(&s.state) })
		fmt.Fprintf(out, "epoch %d: loss %.5f, held-out loss %.5f\n", epoch+1, sum/float64(len(order)), held)
	}
	return m
}

// quantized are the weights as the net adds them.
func (m *model) quantized() []int16 {
	list := make([]int16, len(m.weights))
	for i, w := range m.weights {
		n := math.Round(float64(w) * pointsOfLogit * net.Unit)
		list[i] = int16(max(-1<<15+1, min(n, 1<<15-1)))
	}
	return list
}

// turned is p after a symmetry of the board. The states of gods that name squares are
// not turned: such positions stay as they are.
func turned(p *rules.State, turn int) rules.State {
	q := *p
	for side, god := range p.Gods {
		if god.HasState() && p.GodState[side] != 0 {
			return q
		}
	}
	q.Above, q.Workers = [4]uint32{}, [2]uint32{}
	for s := range rules.Squares {
		to := rules.Bit(net.Turned(s, turn))
		for k, set := range p.Above {
			q.Above[k] |= to & -(set >> s & 1)
		}
		for side, set := range p.Workers {
			q.Workers[side] |= to & -(set >> s & 1)
		}
	}
	return q
}

package fit

import "math/rand/v2"

// head is a second layer: neurons of the pooled activations, the first of them without a
// limit and the others at least 0, and their sum with last weights.
type head struct {
	shape              Shape
	second, bias, last parts
	inputs, delta      []float32 // of the last evaluation: pooled activations, and their slopes
	sums, slopes       []float32 // by neuron
}

// The standard deviations of the first weights.
const (
	firstSecond = 0.1
	firstLast   = 0.2
)

// headDecay is the share of the decay that the second layer has.
const headDecay = 0.1

func newHead(shape Shape, random *rand.Rand) *head {
	inputs, n := 2*shape.Lanes, shape.Neurons
	h := &head{shape: shape, second: newParts(inputs * n), bias: newParts(n), last: newParts(n)}
	h.inputs, h.delta = make([]float32, inputs), make([]float32, inputs)
	h.sums, h.slopes = make([]float32, n), make([]float32, n)
	for i := range inputs {
		for j := range n {
			h.second.value[i*n+j] = float32(random.NormFloat64() * firstSecond)
		}
		h.second.value[i*n] = 1 // neuron 0 begins as the sum of half of the lanes less that of the others
		if i%shape.Lanes >= shape.Lanes/2 {
			h.second.value[i*n] = -1
		}
	}
	for j := range n {
		h.last.value[j] = float32(random.NormFloat64() * firstLast)
	}
	h.last.value[0] = 1
	return h
}

// evaluate is the logit of views with these sums and pools.
func (h *head) evaluate(sums []float32, pools []int) float64 {
	clear(h.inputs)
	lanes := h.shape.Lanes
	for v, pool := range pools {
		to := h.inputs[pool*lanes:][:lanes]
		for l, x := range sums[v*lanes:][:lanes] {
			to[l] += max(0, min(x, h.shape.Top))
		}
	}
	copy(h.sums, h.bias.value)
	n := len(h.sums)
	for i, x := range h.inputs {
		if x == 0 {
			continue
		}
		row := h.second.value[i*n:][:n]
		for j, w := range row {
			h.sums[j] += x * w
		}
	}
	total := float32(0)
	for j, z := range h.sums {
		if z > 0 || j == 0 {
			total += z * h.last.value[j]
		}
	}
	return float64(total)
}

// back adds the gradient of the last evaluation and computes delta.
func (h *head) back(slope float32) {
	for j, z := range h.sums {
		if h.slopes[j] = 0; z > 0 || j == 0 {
			h.last.slope[j] += slope * z
			h.slopes[j] = slope * h.last.value[j]
			h.bias.slope[j] += h.slopes[j]
		}
	}
	n := len(h.sums)
	for i, x := range h.inputs {
		if h.delta[i] = 0; x == 0 {
			continue // no view has an activation there, so that none has a slope
		}
		row, slopes := h.second.value[i*n:][:n], h.second.slope[i*n:][:n]
		for j, d := range h.slopes {
			slopes[j] += x * d
			h.delta[i] += d * row[j]
		}
	}
}

func (h *head) update(rate, decay float64, n, count int) {
	h.second.update(rate, decay*headDecay, n, count)
	h.bias.update(rate, 0, n, count)
	h.last.update(rate, decay*headDecay, n, count)
}

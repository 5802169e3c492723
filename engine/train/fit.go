package train

import (
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
)

// Settings are the settings of a fit.
type Settings struct {
	Epochs, Batch int
	Rate, Decay   float64
	Lambda        float64
	Seed          uint64
}

// Flags declares flags for the settings, whose values are the defaults.
func (s *Settings) Flags(flags *flag.FlagSet) {
	flags.IntVar(&s.Epochs, "epochs", s.Epochs, "number of times that each position is used")
	flags.IntVar(&s.Batch, "batch", s.Batch, "number of positions of a step")
	flags.Float64Var(&s.Rate, "rate", s.Rate, "learning rate at the start; it falls to 0 along a cosine")
	flags.Float64Var(&s.Decay, "decay", s.Decay, "weight decay")
}

// Run calls learn with each position of list in random order, s.Epochs times. learn returns
// the loss of the position. After each batch Run calls update with the learning rate, the
// number of the step, counted from 1, and the number of positions. After each epoch it prints
// the mean loss and that on held-out positions, which held returns.
func Run[P any](s *Settings, random *rand.Rand, list []P, learn func(p *P) float64,
	update func(rate float64, step, count int), held func() float64, out io.Writer,
) {
	order := random.Perm(len(list))
	steps, step := s.Epochs*((len(list)+s.Batch-1)/s.Batch), 0
	for epoch := range s.Epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		sum := 0.0
		for at := 0; at < len(order); at += s.Batch {
			batch := order[at:min(at+s.Batch, len(order))]
			for _, i := range batch {
				sum += learn(&list[i])
			}
			rate := s.Rate * (1 + math.Cos(math.Pi*float64(step)/float64(steps))) / 2
			step++
			update(rate, step, len(batch))
		}
		fmt.Fprintf(out, "epoch %d: loss %.5f, held-out loss %.5f\n", epoch+1, sum/float64(len(order)), held())
	}
}

// Loss is the mean cross entropy of an evaluation, in logits, minus the mean entropy of the
// target.
func Loss[P any](list []P, target, evaluate func(p *P) float64) float64 {
	sum := 0.0
	for i := range list {
		t := target(&list[i])
		sum += CrossEntropy(t, evaluate(&list[i])) - entropy(t)
	}
	return sum / float64(len(list))
}

// CrossEntropy is -t log σ(z) - (1-t) log(1-σ(z)).
func CrossEntropy(t, z float64) float64 {
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

// Adam holds numbers that the optimizer Adam fits (Kingma and Ba 2015), with decoupled weight
// decay.
type Adam struct {
	Value, Slope  []float32
	first, second []float32 // moments
}

// NewAdam returns n numbers, all 0.
func NewAdam(n int) *Adam {
	return &Adam{make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)}
}

// Update makes a step, counted from 1, with the sum of the slopes of count positions. It
// clears the slopes.
func (a *Adam) Update(rate, decay float64, step, count int) {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	correct := float32(rate * math.Sqrt(1-math.Pow(beta2, float64(step))) / (1 - math.Pow(beta1, float64(step))))
	keep, scale := float32(1-rate*decay), 1/float32(count)
	for i, g := range a.Slope {
		if g == 0 && a.first[i] == 0 {
			continue
		}
		g *= scale
		a.Slope[i] = 0
		a.first[i] += (1 - beta1) * (g - a.first[i])
		a.second[i] += (1 - beta2) * (g*g - a.second[i])
		a.Value[i] = a.Value[i]*keep - correct*a.first[i]/(float32(math.Sqrt(float64(a.second[i])))+epsilon)
	}
}

// Quantized returns the integer nearest to weight times scale, clamped to 16 bits.
func Quantized(weight, scale float64) int16 {
	return int16(max(-1<<15+1, min(math.Round(weight*scale), 1<<15-1)))
}

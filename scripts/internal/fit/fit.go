package fit

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
)

// Settings are those of a training.
type Settings struct {
	Epochs, Batch int
	Rate, Decay   float64
	Seed          uint64
}

// HeldOut is the share of games, one in so many, that are not trained on.
const HeldOut = 10

// Enough shows how many positions there are, and refuses too few games.
func Enough(games, train, held int, out io.Writer) error {
	if train == 0 || held == 0 {
		return fmt.Errorf("%d positions to train on and %d to hold out: not enough games", train, held)
	}
	fmt.Fprintf(out, "%d games, %d positions to train on, %d held out\n", games, train, held)
	return nil
}

// Net trains a net. It returns its weights as whole numbers, and shows and returns the
// losses of the net and of the evaluation by hand. Evaluations are of held-out positions,
// in logits; build makes that of the weights.
func (f *Settings) Net(shape Shape, train, held Set, scales Scales, hand func(i int) float64,
	build func(weights []int16) (evaluate func(i int) float64, err error), out io.Writer,
) (weights []int16, loss, handLoss float64, err error) {
	handLoss = Loss(held, hand)
	fmt.Fprintf(out, "held-out loss of the evaluation by hand %.5f\n", handLoss)
	weights = f.Fit(shape, train, held, out).Quantized(scales)
	evaluate, err := build(weights)
	if err != nil {
		return nil, 0, 0, err
	}
	loss = Loss(held, evaluate)
	fmt.Fprintf(out, "held-out loss of the quantized net %.5f\n", loss)
	return weights, loss, handLoss, nil
}

// Fit trains a new model and shows its losses after each epoch.
func (f *Settings) Fit(shape Shape, train, held Set, out io.Writer) *Model {
	random := rand.New(rand.NewPCG(f.Seed, 0))
	m := New(shape, random)
	order := make([]int, train.Len())
	for i := range order {
		order[i] = i
	}
	steps := f.Epochs * ((len(order) + f.Batch - 1) / f.Batch)
	step := 0
	for epoch := range f.Epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		sum := 0.0
		for at := 0; at < len(order); at += f.Batch {
			batch := order[at:min(at+f.Batch, len(order))]
			for _, i := range batch {
				t, z := train.Target(i), m.Evaluate(train, i, random)
				sum += CrossEntropy(t, z) - entropy(t)
				m.Back(float32(1/(1+math.Exp(-z)) - t))
			}
			rate := f.Rate * (1 + math.Cos(math.Pi*float64(step)/float64(steps))) / 2
			step++
			m.update(rate, f.Decay, step, len(batch))
		}
		loss := Loss(held, func(i int) float64 { return m.Evaluate(held, i, nil) })
		fmt.Fprintf(out, "epoch %d: loss %.5f, held-out loss %.5f\n", epoch+1, sum/float64(len(order)), loss)
	}
	return m
}

// Loss is the mean cross entropy of an evaluation, in logits, less that of the target.
func Loss(s Set, evaluate func(i int) float64) float64 {
	sum := 0.0
	for i := range s.Len() {
		t := s.Target(i)
		sum += CrossEntropy(t, evaluate(i)) - entropy(t)
	}
	return sum / float64(s.Len())
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

package train

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"thera/engine/search"
)

// Sample is a training position.
type Sample[P any] struct {
	Position P
	Score    int  // of the search, for the side to move
	Outcome  int  // of the game, for the side to move: 1, 0 or -1
	Detached bool // it follows a random move that the game did not make, so Outcome says nothing about it
}

// Recipe says how a net is fitted to the scores and outcomes of games.
type Recipe[P, N any] struct {
	Name     string // of the game; the header of a file begins with it
	Shape    Shape
	Unit     float64 // one point of the evaluation, in the units of rows
	Position func(text string) (P, error)
	Rows     func(list []uint16, p *P, random *rand.Rand) []uint16 // with random, of a random image of p
	Hand     func(p *P) int                                        // the evaluation by hand
	Evaluate func(n *N, p *P) int
	Format   *Format[N]
}

// Fit reads games, fits the net and writes the weights to path, unless path is "". The record
// of the file has the command and commit of t.
func (r *Recipe[P, N]) Fit(s *Settings, t Training, files []string, path string, out io.Writer) error {
	g, err := r.Read(files, out)
	if err != nil {
		return err
	}
	// The net has the scale of the evaluation by hand, so that the margins of the search fit.
	points := pointsOfLogit(g.Train, func(p *Sample[P]) int { return r.Hand(&p.Position) })
	searched := pointsOfLogit(g.Train, func(p *Sample[P]) int { return p.Score })
	fmt.Fprintf(out, "a logit is %.0f points by hand and %.0f of the search\n", points, searched)
	target := func(p *Sample[P]) float64 { return p.Target(s.Lambda, searched) }
	loss := func(evaluate func(p *P) int) float64 {
		return Loss(g.Held, target, func(p *Sample[P]) float64 { return float64(evaluate(&p.Position)) / points })
	}
	record := g.Training
	record.Command, record.Commit, record.Lambda, record.Epochs = t.Command, t.Commit, s.Lambda, s.Epochs
	record.HandLoss = loss(r.Hand)
	fmt.Fprintf(out, "held-out loss of the evaluation by hand %.5f\n", record.HandLoss)
	weights := r.fit(s, g, target, points*r.Unit, out)
	n, err := r.Format.New(weights)
	if err != nil {
		return err
	}
	record.Loss = loss(func(p *P) int { return r.Evaluate(n, p) })
	fmt.Fprintf(out, "held-out loss of the quantized net %.5f\n", record.Loss)
	if path == "" {
		return nil
	}
	file, err := r.Format.Encode(record, weights)
	if err != nil {
		return err
	}
	return os.WriteFile(path, file, 0o644)
}

// Read reads files of games and prints the numbers of games and positions.
func (r *Recipe[P, N]) Read(files []string, out io.Writer) (*Games[Sample[P]], error) {
	g := new(Games[Sample[P]])
	return g, g.ReadAll(files, func(path string) error { return g.Read(path, r.header, r.parse) }, out)
}

// fit returns the weights of a new model as integers. A logit is scale.
func (r *Recipe[P, N]) fit(s *Settings, g *Games[Sample[P]], target func(p *Sample[P]) float64, scale float64, out io.Writer) []int16 {
	random := rand.New(rand.NewPCG(s.Seed, 0))
	m := NewModel(r.Shape, random)
	var rows []uint16
	evaluate := func(p *Sample[P], random *rand.Rand) float64 {
		rows = r.Rows(rows[:0], &p.Position, random)
		return m.Evaluate(rows)
	}
	Run(s, random, g.Train, func(p *Sample[P]) float64 {
		t, z := target(p), evaluate(p, random)
		m.Back(float32(1/(1+math.Exp(-z)) - t))
		return CrossEntropy(t, z) - entropy(t)
	}, func(rate float64, step, count int) {
		m.Update(rate, s.Decay, step, count)
	}, func() float64 {
		return Loss(g.Held, target, func(p *Sample[P]) float64 { return evaluate(p, nil) })
	}, out)
	weights := make([]int16, len(m.Weights))
	for i, w := range m.Weights {
		weights[i] = Quantized(float64(w), scale)
	}
	return weights
}

func (r *Recipe[P, N]) header(text string) error {
	if !strings.HasPrefix(text, r.Name+": ") {
		return fmt.Errorf("%.60q: want games of %s", text, r.Name)
	}
	return nil
}

// parse reads a line that Self.Player wrote.
func (r *Recipe[P, N]) parse(text string) (game int, s Sample[P], err error) {
	words := strings.SplitN(text, " ", 4)
	if len(words) < 4 {
		return 0, s, fmt.Errorf("%.60q: want a game, a score, an outcome and a position", text)
	}
	if _, err := fmt.Sscan(words[0]+" "+words[1], &game, &s.Score); err != nil {
		return 0, s, err
	}
	switch words[2] {
	case "1":
		s.Outcome = 1
	case "0":
	case "-1":
		s.Outcome = -1
	case "?":
		s.Detached = true
	default:
		return 0, s, fmt.Errorf("outcome %q: want 1, 0, -1 or ?", words[2])
	}
	s.Position, err = r.Position(words[3])
	return game, s, err
}

// Target is the expected score of the side to move. lambda is the weight of the search's
// score; the rest is the outcome. points is the number of points of a logit of the score.
func (s *Sample[P]) Target(lambda, points float64) float64 {
	if sign, _ := search.Proven(s.Score); sign != 0 {
		return float64(sign+1) / 2
	}
	searched := 1 / (1 + math.Exp(-float64(s.Score)/points))
	if s.Detached {
		return searched
	}
	return lambda*searched + (1-lambda)*float64(s.Outcome+1)/2
}

// pointsOfLogit returns the number of points for which score/points, as a logit, predicts the
// outcomes best.
func pointsOfLogit[P any](list []Sample[P], score func(*Sample[P]) int) float64 {
	best, least := 0.0, math.Inf(1)
	for points := 20.0; points < 2000; points *= 1.02 {
		sum := 0.0
		for i := range list {
			p := &list[i]
			if sign, _ := search.Proven(p.Score); sign == 0 && !p.Detached {
				sum += CrossEntropy(float64(p.Outcome+1)/2, float64(score(p))/points)
			}
		}
		if sum < least {
			best, least = points, sum
		}
	}
	return best
}

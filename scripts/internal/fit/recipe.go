package fit

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"

	"thera/engine/game"
	"thera/engine/search"
)

// Sample is a position to learn from.
type Sample[P any] struct {
	Position P
	Score    int  // of the search, for the side to move
	Outcome  int  // of the game, for the side to move: 1, 0 or -1
	Aside    bool // it came after a random move: the outcome says nothing
}

// Result is how a file of games writes the outcome for the side to move: 1, 0 or -1, or ?
// of a position that came after a random move.
func Result(winner, mover game.Seat, aside bool) string {
	switch {
	case aside:
		return "?"
	case winner == game.None:
		return "0"
	case winner == mover:
		return "1"
	}
	return "-1"
}

// SetResult reads what Result returned.
func (s *Sample[P]) SetResult(text string) error {
	switch text {
	case "1":
		s.Outcome = 1
	case "0":
	case "-1":
		s.Outcome = -1
	case "?":
		s.Aside = true
	default:
		return fmt.Errorf("outcome %q", text)
	}
	return nil
}

// Training is how weights were made, as the record of a net says it.
type Training struct {
	Games, Positions, HeldOut int
	Sources                   []string
	Lambda                    float64
	Epochs                    int
	Loss, HandLoss            float64
}

// Recipe is how a net is fitted to scores and outcomes of games.
type Recipe[P any] struct {
	Shape  Shape
	Unit   float64 // a point of the evaluation, in the numbers of rows
	Parse  func(line string) (game int, s Sample[P], err error)
	View   func(v *Views, p *P, random *rand.Rand) // as Set says
	Hand   func(p *P) int                          // the evaluation by hand
	Net    func(weights []int16) (evaluate func(p *P) int, err error)
	Encode func(t Training, weights []int16) ([]byte, error)
}

// Fit reads games, fits the net and writes the file of weights if it has a name. lambda is
// how much the score counts, beside the outcome.
func (r *Recipe[P]) Fit(f *Settings, lambda float64, files []string, path string, out io.Writer) error {
	if len(files) == 0 {
		return errors.New("want files of games: play makes them")
	}
	var g Games[Sample[P]]
	for _, name := range files {
		if err := g.Read(name, nil, r.Parse); err != nil {
			return err
		}
	}
	train, held := &samples[P]{list: g.Train, lambda: lambda, view: r.View}, &samples[P]{list: g.Held, lambda: lambda, view: r.View}
	if err := Enough(g.Count, train.Len(), held.Len(), out); err != nil {
		return err
	}
	points := train.pointsOfLogit(func(s *Sample[P]) int { return r.Hand(&s.Position) }) // the scale of the net, so that the margins of the search stay right
	train.points = train.pointsOfLogit(func(s *Sample[P]) int { return s.Score })
	held.points = train.points
	fmt.Fprintf(out, "a logit is %.0f points by hand and %.0f of the search\n", points, train.points)
	logit := func(evaluate func(p *P) int) func(i int) float64 {
		return func(i int) float64 { return float64(evaluate(&held.list[i].Position)) / points }
	}
	weights, loss, handLoss, err := f.Net(r.Shape, train, held, Scales{Rows: points * r.Unit}, logit(r.Hand), func(weights []int16) (func(i int) float64, error) {
		evaluate, err := r.Net(weights)
		return logit(evaluate), err
	}, out)
	if err != nil || path == "" {
		return err
	}
	file, err := r.Encode(Training{
		Games: g.Count, Positions: train.Len(), HeldOut: held.Len(), Sources: g.Sources,
		Lambda: lambda, Epochs: f.Epochs, Loss: loss, HandLoss: handLoss,
	}, weights)
	if err != nil {
		return err
	}
	return os.WriteFile(path, file, 0o644)
}

// samples is the Set of a recipe.
type samples[P any] struct {
	list   []Sample[P]
	lambda float64
	points float64 // of the score, for a logit
	view   func(v *Views, p *P, random *rand.Rand)
}

func (s *samples[P]) Len() int { return len(s.list) }

func (s *samples[P]) Target(i int) float64 {
	p := &s.list[i]
	if sign, _ := search.Proven(p.Score); sign != 0 {
		return float64(sign+1) / 2
	}
	searched := 1 / (1 + math.Exp(-float64(p.Score)/s.points))
	if p.Aside {
		return searched
	}
	return s.lambda*searched + (1-s.lambda)*float64(p.Outcome+1)/2
}

func (s *samples[P]) Views(v *Views, i int, random *rand.Rand) {
	s.view(v, &s.list[i].Position, random)
}

// pointsOfLogit is the number of points of an evaluation that predict the outcomes best if
// they are a logit.
func (s *samples[P]) pointsOfLogit(score func(*Sample[P]) int) float64 {
	best, least := 0.0, math.Inf(1)
	for points := 20.0; points < 2000; points *= 1.02 {
		sum := 0.0
		for i := range s.list {
			p := &s.list[i]
			if sign, _ := search.Proven(p.Score); sign == 0 && !p.Aside {
				sum += CrossEntropy(float64(p.Outcome+1)/2, float64(score(p))/points)
			}
		}
		if sum < least {
			best, least = points, sum
		}
	}
	return best
}

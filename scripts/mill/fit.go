package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"thera/engine/mill/net"
	"thera/engine/mill/player"
	"thera/engine/mill/rules"
	"thera/engine/search"
	"thera/scripts/internal/fit"
)

// sample is a position to learn from.
type sample struct {
	state   rules.State
	score   int // of the search
	outcome int // of the game, for the side to move
	aside   bool
}

// samples are positions and how much the score counts beside the outcome.
type samples struct {
	list   []sample
	lambda float64
	points float64 // of the score, for a logit
}

func (s *samples) Len() int { return len(s.list) }

func (s *samples) Target(i int) float64 {
	p := &s.list[i]
	if sign, _ := search.Proven(p.score); sign != 0 {
		return float64(sign+1) / 2
	}
	searched := 1 / (1 + math.Exp(-float64(p.score)/s.points))
	if p.aside {
		return searched
	}
	return s.lambda*searched + (1-s.lambda)*float64(p.outcome+1)/2
}

// Views shows the position as it is: its images have the same features.
func (s *samples) Views(v *fit.Views, i int, _ *rand.Rand) {
	v.Add(func(list []uint16) []uint16 {
		rows, n := net.Features(&s.list[i].state)
		return append(list, rows[:n]...)
	})
}

// data is what was read.
type data struct {
	train, held samples
	games       int
	sources     []string
}

// read adds the games of a file.
func (d *data) read(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	last := -1
	scan := bufio.NewScanner(file)
	for n := 1; scan.Scan(); n++ {
		if header, ok := strings.CutPrefix(scan.Text(), "# "); ok && n == 1 {
			d.sources = append(d.sources, header)
			continue
		}
		g, s, err := parse(scan.Text())
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if g != last {
			d.games++
			last = g
		}
		to := &d.train
		if g%fit.HeldOut == 0 {
			to = &d.held
		}
		to.list = append(to.list, s)
	}
	return scan.Err()
}

// parse reads a line of play.
func parse(text string) (g int, s sample, err error) {
	words := strings.SplitN(text, " ", 4)
	if len(words) < 4 {
		return 0, s, errors.New("want a game, a score, an outcome and a position")
	}
	if _, err := fmt.Sscan(words[0]+" "+words[1], &g, &s.score); err != nil {
		return 0, s, err
	}
	switch words[2] {
	case "1":
		s.outcome = 1
	case "0":
	case "-1":
		s.outcome = -1
	case "?":
		s.aside = true
	default:
		return 0, s, fmt.Errorf("outcome %q", words[2])
	}
	p, err := rules.Parse(rules.Default(), words[3])
	if err != nil {
		return 0, s, err
	}
	s.state = p.State()
	return g, s, nil
}

// pointsOfLogit is the number of points of an evaluation that predict the outcomes best if
// they are a logit.
func (s *samples) pointsOfLogit(score func(*sample) int) float64 {
	best, least := 0.0, math.Inf(1)
	for points := 20.0; points < 2000; points *= 1.02 {
		sum := 0.0
		for i := range s.list {
			p := &s.list[i]
			if sign, _ := search.Proven(p.score); sign == 0 && !p.aside {
				sum += fit.CrossEntropy(float64(p.outcome+1)/2, float64(score(p))/points)
			}
		}
		if sum < least {
			best, least = points, sum
		}
	}
	return best
}

var shape = fit.Shape{Rows: net.Rows, Lanes: net.Lanes}

// fitNet reads games, fits the net and writes the file of weights if it has a name.
func fitNet(f *fit.Settings, lambda float64, files []string, path string, out io.Writer) error {
	if len(files) == 0 {
		return errors.New("want files of games: mill play makes them")
	}
	var d data
	for _, name := range files {
		if err := d.read(name); err != nil {
			return err
		}
	}
	train, held := &d.train, &d.held
	if err := fit.Enough(d.games, train, held, out); err != nil {
		return err
	}
	byHand := func(s *sample) int { return player.Hand(&s.state, true) }
	points := train.pointsOfLogit(byHand) // the scale of the net, so that the margins of the search stay right
	train.lambda, held.lambda = lambda, lambda
	train.points = train.pointsOfLogit(func(s *sample) int { return s.score })
	held.points = train.points
	fmt.Fprintf(out, "a logit is %.0f points by hand and %.0f of the search\n", points, train.points)
	hand := func(i int) float64 { return float64(byHand(&held.list[i])) / points }
	weights, loss, handLoss, err := f.Net(shape, train, held, points*net.Unit, hand, func(weights []int16) (func(i int) float64, error) {
		n, err := net.New(weights)
		return func(i int) float64 { return float64(n.Evaluate(&held.list[i].state)) / points }, err
	}, out)
	if err != nil || path == "" {
		return err
	}
	record := net.Record{}
	record.Games, record.Positions, record.HeldOut, record.Sources = d.games, train.Len(), held.Len(), d.sources
	record.Lambda, record.Epochs, record.Loss, record.HandLoss = lambda, f.Epochs, loss, handLoss
	file, err := net.Encode(record, weights)
	if err != nil {
		return err
	}
	return os.WriteFile(path, file, 0o644)
}

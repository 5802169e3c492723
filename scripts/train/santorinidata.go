package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"thera/engine/santorini/net"
	"thera/engine/santorini/player"
	"thera/engine/santorini/rules"
	"thera/engine/santorini/selfplay"
	"thera/engine/search"
	"thera/engine/train"
)

// stateSample is a position to learn from.
type stateSample struct {
	state  rules.State
	score  int16 // of the search
	winner int8  // seat, 0 if the result says nothing
}

// target is the expected score of the side to move: a mixture of what the search says
// and how the game ended.
func (s *stateSample) target(lambda float64) float64 {
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

// data is what was read.
type data struct {
	train.Games[stateSample]
	gods  []string
	known []rules.God // the same
}

// readAll adds the games of files.
func (d *data) readAll(names []string) error {
	return d.ReadAll(names, func(path string) error {
		if err := d.read(path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}, io.Discard)
}

// read adds the games of a file of thera engine santorini datagen.
func (d *data) read(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	r, err := selfplay.NewReader(io.TeeReader(file, sum))
	if err != nil {
		return err
	}
	for _, name := range r.Header.Gods {
		if !slices.Contains(d.gods, name) {
			god, _ := rules.ParseGod(name) // which the reader has checked
			d.gods, d.known = append(d.gods, name), append(d.known, god)
		}
	}
	for {
		var g selfplay.Game
		if err := r.Next(&g); errors.Is(err, io.EOF) || errors.Is(err, selfplay.ErrIncomplete) {
			break
		} else if err != nil {
			return err
		}
		to := &d.Train
		if d.Training.Games%train.HeldOut == 0 {
			to = &d.Held
		}
		for _, s := range g.Samples {
			winner := int8(g.Winner)
			if s.Aside {
				winner = 0
			}
			*to = append(*to, stateSample{s.State, int16(s.Score), winner})
		}
		d.Training.Games++
	}
	h := r.Header
	d.Training.Sources = append(d.Training.Sources, fmt.Sprintf("%d games: engine %d, %d nodes, %d plies, seed %d, %d gods, options %v", r.Games, h.Engine, h.Nodes, h.Plies, h.Seed, len(h.Gods), h.Options))
	if _, err := io.Copy(sum, file); err != nil {
		return err
	}
	d.Training.Inputs = append(d.Training.Inputs, hex.EncodeToString(sum.Sum(nil)))
	return nil
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

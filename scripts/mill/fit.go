package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"thera/engine/mill/net"
	"thera/engine/mill/player"
	"thera/engine/mill/rules"
	"thera/scripts/internal/fit"
)

// recipe fits the net of Mill. Images of a position have the same features, so none is
// turned.
var recipe = fit.Recipe[rules.State]{
	Shape: fit.Shape{Rows: net.Rows, Lanes: net.Lanes},
	Unit:  net.Unit,
	Parse: parse,
	View: func(v *fit.Views, p *rules.State, _ *rand.Rand) {
		v.Add(0, func(list []uint16) []uint16 {
			rows, n := net.Features(p)
			return append(list, rows[:n]...)
		})
	},
	Hand: func(p *rules.State) int { return player.Hand(p, true) },
	Net: func(weights []int16) (func(p *rules.State) int, error) {
		n, err := net.New(weights)
		return n.Evaluate, err
	},
	Encode: encode,
}

// parse reads a line of play.
func parse(text string) (g int, s fit.Sample[rules.State], err error) {
	words := strings.SplitN(text, " ", 4)
	if len(words) < 4 {
		return 0, s, errors.New("want a game, a score, an outcome and a position")
	}
	if _, err := fmt.Sscan(words[0]+" "+words[1], &g, &s.Score); err != nil {
		return 0, s, err
	}
	if err := s.SetResult(words[2]); err != nil {
		return 0, s, err
	}
	p, err := rules.Parse(rules.Default(), words[3])
	if err != nil {
		return 0, s, err
	}
	s.Position = p.State()
	return g, s, nil
}

func encode(t fit.Training, weights []int16) ([]byte, error) {
	r := net.Record{}
	r.Games, r.Positions, r.HeldOut, r.Sources = t.Games, t.Positions, t.HeldOut, t.Sources
	r.Lambda, r.Epochs, r.Loss, r.HandLoss = t.Lambda, t.Epochs, t.Loss, t.HandLoss
	return net.Encode(r, weights)
}

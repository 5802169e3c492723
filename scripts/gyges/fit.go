package main

import (
	"fmt"
	"math/rand/v2"

	"thera/engine/game"
	"thera/engine/gyges/net"
	"thera/engine/gyges/player"
	"thera/engine/gyges/rules"
	"thera/scripts/internal/fit"
)

// recipe fits the net of Gyges. Every other time a position is used it is mirrored.
func recipe() *fit.Recipe[net.View] {
	gen := rules.NewGenerator()
	return &fit.Recipe[net.View]{
		Shape: fit.Shape{Rows: net.Rows, Lanes: net.Lanes, Groups: net.Groups, GroupsOf: net.AppendGroups},
		Unit:  net.Unit,
		Parse: func(line string) (int, fit.Sample[net.View], error) { return parse(line, gen) },
		View: func(v *fit.Views, p *net.View, random *rand.Rand) {
			mirror := random != nil && random.IntN(2) == 0
			v.Add(0, func(list []uint16) []uint16 {
				list = p.AppendFeatures(list)
				if mirror {
					for k, r := range list {
						list[k] = uint16(net.Mirrored(int(r)))
					}
				}
				return list
			})
		},
		Hand: player.Hand,
		Net: func(weights []int16) (func(p *net.View) int, error) {
			n, err := net.New(weights)
			return n.Evaluate, err
		},
		Encode: encode,
	}
}

// parse reads a line of play.
func parse(text string, gen *rules.Generator) (g int, s fit.Sample[net.View], err error) {
	var seat game.Seat
	var layout, outcome string
	if _, err := fmt.Sscanf(text, "%d %s %d %d %s", &g, &layout, &seat, &s.Score, &outcome); err != nil {
		return 0, s, err
	}
	b, err := rules.ParseBoard(layout, 12)
	if err != nil {
		return 0, s, err
	}
	if seat != game.First && seat != game.Second {
		return 0, s, fmt.Errorf("side to move %d", seat)
	}
	if err := s.SetResult(outcome); err != nil {
		return 0, s, err
	}
	s.Position = net.Look(gen, b, seat)
	return g, s, nil
}

func encode(t fit.Training, weights []int16) ([]byte, error) {
	r := net.Record{}
	r.Games, r.Positions, r.HeldOut, r.Sources = t.Games, t.Positions, t.HeldOut, t.Sources
	r.Lambda, r.Epochs, r.Loss, r.HandLoss = t.Lambda, t.Epochs, t.Loss, t.HandLoss
	return net.Encode(r, weights)
}

package main

import (
	"context"
	"math/rand/v2"

	"thera/engine/game"
	"thera/engine/mill/player"
	"thera/engine/mill/player/net"
	"thera/engine/mill/rules"
	"thera/engine/train"
)

// mill is the net of Mill. Symmetric positions have the same features, so none is turned.
func mill() fitted {
	recipe := train.Recipe[rules.State, net.Net]{
		Name:  "mill",
		Shape: train.Shape{Rows: net.Rows, Width: net.Width},
		Unit:  net.Unit,
		Position: func(text string) (rules.State, error) {
			p, err := rules.Parse(rules.Default(), text)
			if err != nil {
				return rules.State{}, err
			}
			return p.State(), nil
		},
		Rows: func(list []uint16, p *rules.State, _ *rand.Rand) []uint16 {
			rows, n := net.Features(p)
			return append(list, rows[:n]...)
		},
		Hand:     func(p *rules.State) int { return player.Hand(p, true) },
		Evaluate: (*net.Net).Evaluate,
		Format:   &net.Format,
	}
	return valued(recipe, train.Settings{Epochs: 20, Batch: 256, Rate: 0.0015, Decay: 0.7}, 8, 2000, millSelf)
}

func millSelf(nodes int64, byHand bool, n *net.Net) (*train.Self[*rules.Position], error) {
	engine, goal := player.New(), player.Goal{Nodes: nodes}
	options := player.Options{
		Algorithm: player.PVS, Skill: player.FullStrength, Mobility: true, Hash: 4, Net: !byHand,
	}
	engine.Net = n
	return &train.Self[*rules.Position]{
		Start: func(*rand.Rand) *rules.Position { return rules.Start(rules.Default()) },
		Outcome: func(p *rules.Position) (game.Seat, bool) {
			outcome, over := p.Outcome()
			return outcome.Winner, over
		},
		Mover: func(p *rules.Position) game.Seat { return p.State().Turn.Seat() },
		Random: func(p *rules.Position, random *rand.Rand) *rules.Position {
			s, r := p.State(), p.Rules()
			list := s.Moves(&r, nil)
			return p.Next(list[random.IntN(len(list))])
		},
		Search: func(ctx context.Context, p *rules.Position) (*rules.Position, int) {
			r := engine.Think(ctx, p, &options, &goal, nil)
			if ctx.Err() != nil {
				return p, 0
			}
			return p.Next(r.Move), r.Score
		},
		NewGame:  func() error { engine.Clear(); return nil },
		Text:     (*rules.Position).String,
		MaxPlies: 250,
	}, nil
}

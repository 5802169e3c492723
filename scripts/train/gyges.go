package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"thera/engine/game"
	"thera/engine/gyges/player"
	"thera/engine/gyges/player/net"
	"thera/engine/gyges/rules"
	"thera/engine/search"
	"thera/engine/train"
)

// gyges is the net of Gyges. A position is mirrored every other time that it is used.
func gyges() fitted {
	gen := rules.NewGenerator()
	recipe := train.Recipe[net.View, net.Net]{
		Name:  "gyges",
		Shape: train.Shape{Rows: net.Rows, Width: net.Width, Groups: net.Groups, GroupsOf: net.AppendGroups},
		Unit:  net.Unit,
		Position: func(text string) (net.View, error) {
			p, err := gygesPosition(text)
			if err != nil {
				return net.View{}, err
			}
			return net.Look(gen, p.Board, p.Seat), nil
		},
		Rows: func(list []uint16, p *net.View, random *rand.Rand) []uint16 {
			list = p.AppendFeatures(list)
			if random != nil && random.IntN(2) == 0 {
				for k, r := range list {
					list[k] = uint16(net.Mirrored(int(r)))
				}
			}
			return list
		},
		Hand:     player.Hand,
		Evaluate: (*net.Net).Evaluate,
		Format:   &net.Format,
	}
	s := train.Settings{Epochs: 20, Batch: 256, Rate: 0.0015, Decay: 0.7}
	return valued(recipe, s, 6, 1000, func(nodes int64, byHand bool, n *net.Net) (*train.Self[player.Position], error) {
		return gygesSelf(rules.NewGenerator(), nodes, byHand, n)
	})
}

// gygesPosition reads a layout and the side to move.
func gygesPosition(text string) (p player.Position, err error) {
	layout, seat, _ := strings.Cut(text, " ")
	p.Board, err = rules.ParseBoard(layout, 12)
	switch seat {
	case "1":
		p.Seat = game.First
	case "2":
		p.Seat = game.Second
	default:
		return p, fmt.Errorf("side to move %q: want 1 or 2", seat)
	}
	return p, err
}

func gygesSelf(gen *rules.Generator, nodes int64, byHand bool, n *net.Net) (*train.Self[player.Position], error) {
	engine := player.New(8 << 20)
	engine.Net = n
	if byHand {
		if err := engine.Set(player.OptionEval, "hand"); err != nil {
			return nil, err
		}
	}
	after := func(p player.Position, m rules.Move) player.Position {
		return player.Position{Board: p.Board.After(m), Seat: p.Seat.Other()}
	}
	return &train.Self[player.Position]{
		Start: func(random *rand.Rand) player.Position {
			return player.Position{Board: rules.RandomPlacement(random), Seat: game.First}
		},
		Outcome: func(p player.Position) (game.Seat, bool) {
			if _, found := gen.GoalPath(p.Board, p.Seat); found {
				return p.Seat, true
			}
			return p.Seat.Other(), !gen.CanMove(p.Board, p.Seat)
		},
		Mover: func(p player.Position) game.Seat { return p.Seat },
		Random: func(p player.Position, random *rand.Rand) player.Position {
			list := gen.Moves(p.Board, p.Seat, nil)
			return after(p, list[random.IntN(len(list))])
		},
		Search: func(ctx context.Context, p player.Position) (player.Position, int) {
			r := engine.Search(ctx, p, search.Limits{Nodes: nodes}, nil)
			return after(p, r.Move), r.Score
		},
		NewGame:  func() error { return engine.Set(player.OptionClear, "true") },
		Text:     func(p player.Position) string { return fmt.Sprintf("%s %d", p.Board, p.Seat) },
		MaxPlies: 200,
	}, nil
}

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"

	"thera/engine/game"
	"thera/engine/mill/player"
	"thera/engine/mill/rules"
	"thera/scripts/internal/fit"
)

// playing is the settings of self-play.
type playing struct {
	games, plies int
	nodes        int64
	seed         uint64
	net          bool
}

// longest is the ply at which a game of self-play is drawn.
const longest = 250

// line is a position as a game is played: its text, the side to move, the score of the
// search and whether it stands beside the game, after a random move.
type line struct {
	fen   string
	turn  rules.Side
	score int
	aside bool
}

// header is the first line of a file of games.
func (p *playing) header() string {
	return fmt.Sprintf("# %d games, %d nodes, at most %d random plies, seed %d, net %v", p.games, p.nodes, p.plies, p.seed, p.net)
}

// play writes the header and the games, one position a line: the number of the game, the
// score of the search for the side to move, how the game ended for it: 1, 0 or -1, or ?
// after a random move, and the position.
func (p *playing) play(ctx context.Context, out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, p.header())
	engine := player.New()
	options := player.Options{Algorithm: player.PVS, Skill: player.FullStrength, Mobility: true, Deepening: true, Hash: 4, Net: p.net}
	for g := range p.games {
		engine.Clear()
		lines, winner, err := p.one(ctx, engine, &options, rand.New(rand.NewPCG(p.seed, uint64(g))))
		if err != nil {
			return err
		}
		for _, l := range lines {
			fmt.Fprintf(w, "%d %d %s %s\n", g, l.score, fit.Result(winner, l.turn.Seat(), l.aside), l.fen)
		}
	}
	return w.Flush()
}

// one plays a game from random moves.
func (p *playing) one(ctx context.Context, engine *player.Player, options *player.Options, random *rand.Rand) (lines []line, winner game.Seat, err error) {
	goal := player.Goal{Nodes: p.nodes}
	think := func(pos *rules.Position, aside bool) rules.Move {
		r := engine.Think(ctx, pos, options, &goal, nil)
		lines = append(lines, line{pos.String(), pos.State().Turn, r.Score, aside})
		return r.Move
	}
	pos := rules.Start(rules.Default())
	for range 1 + random.IntN(p.plies) {
		pos = pos.Next(randomMove(pos, random))
	}
	for ply := 0; ply < longest; ply++ {
		if outcome, over := pos.Outcome(); over {
			return lines, outcome.Winner, nil
		}
		move := think(pos, false)
		if ply%3 == 2 {
			if other := pos.Next(randomMove(pos, random)); other.ToMove() != 0 {
				think(other, true)
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		pos = pos.Next(move)
	}
	return lines, game.None, nil
}

// randomMove is a random move of a position that is not over.
func randomMove(pos *rules.Position, random *rand.Rand) rules.Move {
	s, r := pos.State(), pos.Rules()
	list := s.Moves(&r, nil)
	return list[random.IntN(len(list))]
}

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"

	"thera/engine/game"
	"thera/engine/gyges/player"
	"thera/engine/gyges/rules"
	"thera/engine/search"
	"thera/scripts/internal/fit"
)

// playing is the settings of self-play.
type playing struct {
	games, plies int
	nodes        int64
	seed         uint64
	eval         string // of the player
}

// longest is the ply at which a game of self-play is drawn.
const longest = 200

// line is a position as a game is played: the board, the side to move, the score of the
// search and whether it stands beside the game, after a random move.
type line struct {
	board rules.Board
	seat  game.Seat
	score int
	aside bool
}

// header is the first line of a file of games.
func (p *playing) header() string {
	return fmt.Sprintf("# %d games, %d nodes, at most %d random plies, seed %d, eval %s", p.games, p.nodes, p.plies, p.seed, p.eval)
}

// play writes the header and the games, one position a line: the number of the game, the
// layout, the side to move, the score of the search for it, and how the game ended for it:
// 1, 0 or -1, or ? after a random move.
func (p *playing) play(ctx context.Context, out io.Writer) error {
	w := bufio.NewWriter(out)
	engine := player.New(8 << 20)
	if err := engine.Set(player.OptionEval, p.eval); err != nil {
		return err
	}
	fmt.Fprintln(w, p.header())
	gen := rules.NewGenerator()
	for g := range p.games {
		lines, winner, err := p.one(ctx, engine, gen, rand.New(rand.NewPCG(p.seed, uint64(g))))
		if err != nil {
			return err
		}
		for _, l := range lines {
			fmt.Fprintf(w, "%d %s %d %d %s\n", g, l.board, l.seat, l.score, fit.Result(winner, l.seat, l.aside))
		}
	}
	return w.Flush()
}

// one plays a game from a random placement and random moves.
func (p *playing) one(ctx context.Context, engine *player.Player, gen *rules.Generator, random *rand.Rand) (lines []line, winner game.Seat, err error) {
	b, seat := rules.RandomPlacement(random), game.First
	for range 1 + random.IntN(p.plies) {
		if wins(gen, b, seat) || !gen.CanMove(b, seat) {
			break
		}
		b, seat = b.After(randomMove(gen, b, seat, random)), seat.Other()
	}
	if err := engine.Set(player.OptionClear, "true"); err != nil {
		return nil, 0, err
	}
	seen := map[rules.Board]int{}
	for ply := 0; ply < longest && !wins(gen, b, seat) && gen.CanMove(b, seat); ply++ {
		if seen[b]++; seen[b] > 4 {
			return lines, 0, nil
		}
		r := engine.Search(ctx, player.Position{Board: b, Seat: seat}, search.Limits{Nodes: p.nodes}, nil)
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		lines = append(lines, line{b, seat, r.Score, false})
		if ply%3 == 2 {
			other := b.After(randomMove(gen, b, seat, random))
			if !wins(gen, other, seat.Other()) && gen.CanMove(other, seat.Other()) {
				r := engine.Search(ctx, player.Position{Board: other, Seat: seat.Other()}, search.Limits{Nodes: p.nodes}, nil)
				lines = append(lines, line{other, seat.Other(), r.Score, true})
			}
		}
		b, seat = b.After(r.Move), seat.Other()
	}
	switch {
	case wins(gen, b, seat):
		winner = seat
	case !gen.CanMove(b, seat):
		winner = seat.Other()
	}
	return lines, winner, ctx.Err()
}

func wins(gen *rules.Generator, b rules.Board, seat game.Seat) bool {
	_, found := gen.GoalPath(b, seat)
	return found
}

// randomMove is a random move that does not enter the goal. There must be one.
func randomMove(gen *rules.Generator, b rules.Board, seat game.Seat, random *rand.Rand) rules.Move {
	list := gen.Moves(b, seat, nil)
	return list[random.IntN(len(list))]
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"

	"thera/engine/hex/player"
	"thera/engine/hex/player/net"
	"thera/engine/hex/rules"
	"thera/engine/train"
)

// hexSelf is the settings of self-play.
type hexSelf struct {
	size, playouts int
	policy         *net.Net
}

// The first moves of a game of self-play are random, and later one in surprise. One in
// byVisits is drawn in proportion to the visits.
const (
	randomMoves = 4
	surprise    = 25
	byVisits    = 6
	leastShare  = 100 // moves with less than 1/leastShare of the visits are left out
)

// player plays games. Each line is a searched position: the number of the game, the moves so
// far, and how often the search visited each move.
func (p *hexSelf) player(seed uint64) (train.Player, error) {
	return func(ctx context.Context, game int) ([]byte, error) {
		var text bytes.Buffer
		err := p.one(ctx, &text, game, rand.New(rand.NewPCG(seed, uint64(game))))
		return text.Bytes(), err
	}, nil
}

func (p *hexSelf) one(ctx context.Context, w io.Writer, g int, random *rand.Rand) error {
	bot := player.New()
	bot.Policy = p.policy
	if err := bot.Set(player.OptionSeed, strconv.FormatUint(random.Uint64(), 10)); err != nil {
		return err
	}
	bot.SetPlayouts(p.playouts)
	bot.Reset(p.size)
	stones, turn := rules.NewStones(p.size), rules.Black
	var moves []byte
	first := 1 + random.IntN(randomMoves)
	for ply := 0; ; ply++ {
		cell := -1
		if ply < first || random.IntN(surprise) == 0 {
			for cell < 0 || stones.Cells[cell] != rules.None {
				cell = random.IntN(p.size * p.size)
			}
		} else {
			cell = bot.Choose(ctx, p.size, stones.Cells, turn).Cell
			if err := ctx.Err(); err != nil {
				return err
			}
			var visits [][2]int
			total := 0
			open := bot.Visits(func(cell, n int) {
				if n*leastShare >= p.playouts {
					visits = append(visits, [2]int{cell, n})
					total += n
				}
			})
			if !open || total == 0 {
				return nil // decided
			}
			line := fmt.Appendf(nil, "%d %s ", g, moves)
			for i, v := range visits {
				line = fmt.Appendf(line, "%s%s:%d", between(i), rules.CellName(v[0], p.size), v[1])
			}
			fmt.Fprintf(w, "%s\n", line)
			if random.IntN(byVisits) == 0 {
				at := random.IntN(total)
				for _, v := range visits {
					if at -= v[1]; at < 0 {
						cell = v[0]
						break
					}
				}
			}
		}
		moves = rules.AppendCell(append(moves, between(ply)...), cell, p.size)
		if stones.Put(cell, turn) {
			return nil
		}
		turn = turn.Other()
	}
}

// between returns the comma before element i of a list, "" before the first.
func between(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

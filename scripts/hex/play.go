package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"

	"thera/engine/hex/player"
	"thera/engine/hex/rules"
)

// playing is the settings of self-play.
type playing struct {
	games, size, playouts int
	seed                  uint64
}

// Moves of self-play are random at first and one in surprise later; one in sample is drawn
// by visits.
const (
	randomMoves = 4
	surprise    = 25
	sample      = 6
	leastShare  = 100 // one in so many visits: moves with less are left out
)

// header is the first line of a file of games.
func (p *playing) header() string {
	return fmt.Sprintf("# %d games, size %d, %d playouts, seed %d", p.games, p.size, p.playouts, p.seed)
}

// play writes the header and the games, one searched position a line: the number of the
// game, the moves so far, and how often the search tried each move.
func (p *playing) play(ctx context.Context, out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, p.header())
	for g := range p.games {
		if err := p.one(ctx, w, g); err != nil {
			return err
		}
	}
	return w.Flush()
}

func (p *playing) one(ctx context.Context, w io.Writer, g int) error {
	random := rand.New(rand.NewPCG(p.seed, uint64(g)))
	bot := player.New()
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
			if random.IntN(sample) == 0 {
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

// between is the comma before all but the first element of a list.
func between(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

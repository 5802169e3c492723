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
	judge          bool
}

// The first moves of a game of self-play are random, until the side to move expects at least lopsided and at most
// 1 - lopsided. Then one move in byVisits is drawn in proportion to the visits, of the early moves one in two.
const (
	randomMoves = 4
	lopsided    = 0.25
	early       = 10
	byVisits    = 8
	leastShare  = 100 // moves with less than 1/leastShare of the visits are left out
)

// player plays games. Each line is a searched position: the number of the game, the moves so far, how often the
// search visited each move, what the side to move expected, and the colour that won.
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
	if !p.judge {
		bot.Judge = nil
	}
	if err := bot.Set(player.OptionSeed, strconv.FormatUint(random.Uint64(), 10)); err != nil {
		return err
	}
	bot.SetPlayouts(p.playouts)
	bot.Reset(p.size)
	stones, turn := rules.NewStones(p.size), rules.Black
	var moves []byte
	put := func(cell int) (won bool) {
		moves = rules.AppendCell(append(moves, between(len(moves))...), cell, p.size)
		won, turn = stones.Put(cell, turn), turn.Other()
		return won
	}
	ply := 1 + random.IntN(randomMoves)
	var choice player.Choice
	for {
		for range ply {
			cell := random.IntN(p.size * p.size)
			for stones.Cells[cell] != rules.None {
				cell = random.IntN(p.size * p.size)
			}
			put(cell)
		}
		choice = bot.Choose(ctx, p.size, stones.Cells, turn)
		if ctx.Err() != nil || choice.Value >= lopsided && choice.Value <= 1-lopsided {
			break
		}
		stones, turn, moves = rules.NewStones(p.size), rules.Black, moves[:0]
		bot.Reset(p.size)
	}
	for lines := []string(nil); ; ply++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		visits, total := p.visits(bot)
		if total == 0 { // decided
			won := turn
			if choice.Value < 0.5 {
				won = turn.Other()
			}
			return p.write(w, g, lines, won)
		}
		line := fmt.Sprintf("%d %s ", g, moves)
		for i, v := range visits {
			line += fmt.Sprintf("%s%s:%d", between(i), rules.CellName(v[0], p.size), v[1])
		}
		lines = append(lines, fmt.Sprintf("%s %.3f", line, choice.Value))
		odds := byVisits
		if ply < early {
			odds = 2
		}
		cell := choice.Cell
		if random.IntN(odds) == 0 {
			cell = drawn(visits, random.IntN(total))
		}
		if put(cell) {
			return p.write(w, g, lines, turn.Other())
		}
		choice = bot.Choose(ctx, p.size, stones.Cells, turn)
	}
}

// visits are the cells of the last search with their visits, but for those with few, and the sum. It is 0 if the search
// decided the game.
func (p *hexSelf) visits(bot *player.Player) (list [][2]int, total int) {
	bot.Visits(func(cell, n int) {
		if n*leastShare >= p.playouts {
			list = append(list, [2]int{cell, n})
			total += n
		}
	})
	return list, total
}

// drawn is the cell that holds visit at of all visits.
func drawn(visits [][2]int, at int) (cell int) {
	i := 0
	for at >= visits[i][1] {
		at -= visits[i][1]
		i++
	}
	return visits[i][0]
}

// write writes the lines of a game with its winner.
func (p *hexSelf) write(w io.Writer, g int, lines []string, won rules.Colour) error {
	for _, line := range lines {
		if _, err := fmt.Fprintf(w, "%s %d\n", line, won); err != nil {
			return err
		}
	}
	return nil
}

// between returns the comma before element i of a list, "" before the first.
func between(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

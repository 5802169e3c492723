package hex

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"thera/engine/protocol"
)

// The kinds of built-in players.
const (
	botTree     = "mcts"
	botDistance = "two-distance"
	botRandom   = "random"
)

// The options' names, on the command line with two dashes, and on the wire
// after `option`.
const (
	optionSize     = "size"
	optionTime     = "time"
	optionPlayouts = "playouts"
	optionBot      = "bot"
	optionSwap     = "swap"
	optionSeed     = "seed"
)

// bot is a built-in player and its options.
type bot struct {
	kind   string
	budget budget
	swaps  bool // it may answer the first stone with swap
	seed   uint64

	thinker *thinker
	meter   *meter
	rng     *rand.Rand
}

// defaultTime keeps usual limits where nobody says one.
const defaultTime = 100 * time.Millisecond

func newBot() *bot {
	return &bot{kind: botTree, budget: budget{time: defaultTime}, seed: 1}
}

// set sets an option.
func (b *bot) set(name, value string) error {
	switch name {
	case optionTime:
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return fmt.Errorf("time %q: want a duration such as 500ms", protocol.Clip(value))
		}
		b.budget.time = d
	case optionPlayouts:
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("playouts %q: want a whole number from 1", protocol.Clip(value))
		}
		b.budget = budget{playouts: n}
	case optionBot:
		if !slices.Contains([]string{botTree, botDistance, botRandom}, value) {
			return fmt.Errorf("bot %q: want %s", protocol.Clip(value), strings.Join([]string{botTree, botDistance, botRandom}, ", "))
		}
		b.kind = value
	case optionSwap:
		on, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("swap %q: want true or false", protocol.Clip(value))
		}
		b.swaps = on
	case optionSeed:
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return fmt.Errorf("seed %q: want a whole number", protocol.Clip(value))
		}
		b.seed = n
		b.thinker, b.rng = nil, nil
	default:
		return fmt.Errorf("unknown option %q", protocol.Clip(name))
	}
	return nil
}

// CheckOption says what is wrong with an option of the built-in engine. The
// session knows one more value, auto.
func (*Hex) CheckOption(name, value string) error {
	if value == "auto" && (name == optionTime || name == optionPlayouts) {
		return nil
	}
	return newBot().set(name, value)
}

// reset begins a new game on a board of that size: equal games are answered
// equally, wherever no clock decides.
func (b *bot) reset(size int) {
	b.thinker, b.meter = newThinker(size, b.seed), newMeter(size)
	b.rng = rand.New(rand.NewPCG(b.seed, 0x68657862))
}

// choose is turn's cell; the board must have an empty one.
func (b *bot) choose(ctx context.Context, size int, board []colour, turn colour) choice {
	if b.thinker == nil || b.thinker.field.size != size {
		b.reset(size)
	}
	switch b.kind {
	case botRandom:
		var empty []int
		for cell, c := range board {
			if c == none {
				empty = append(empty, cell)
			}
		}
		return choice{cell: empty[b.rng.IntN(len(empty))], value: 0.5}
	case botDistance:
		cell, _ := b.meter.onePly(board, turn)
		return choice{cell: cell, value: 0.5}
	}
	return b.thinker.search(ctx, board, turn, b.budget)
}

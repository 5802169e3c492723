// Package player is the built-in player of Hex: Monte Carlo tree search, a
// one-ply player with two-distances, and a random one. It speaks no protocol.
package player

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
	"thera/engine/hex/player/conv"
	"thera/engine/hex/player/net"
	"thera/engine/hex/rules"
	"thera/engine/protocol"
)

// The values of optionBot.
const (
	botTree     = "mcts"
	botDistance = "two-distance"
	botRandom   = "random"
)

// The names of the options, on the command line after two dashes, and in the
// protocol after `option`. OptionSize is the engine's, not the player's.
const (
	OptionSize     = "size"
	OptionTime     = "time"
	OptionCPU      = "cpu"
	OptionPlayouts = "playouts"
	OptionDepth    = "depth"
	OptionSwap     = "swap"
	optionBot      = "bot"
	optionPlain    = "plain"
	OptionSeed     = "seed"
)

var options = []string{
	OptionTime, OptionCPU, OptionPlayouts, OptionDepth, OptionSwap, optionBot, optionPlain, OptionSeed,
}

// Player is a built-in player and its options. Only one goroutine may use it at a
// time.
type Player struct {
	Policy *net.Net         // guesses in place of the embedded net
	Judge  func() *conv.Net // the net that judges; nil: none does

	kind   string
	budget budget
	Swaps  bool // it may answer the first stone with a swap
	seed   uint64
	plain  bool // the tree search of before 0.2

	tree *tree
	dist *net.Distances
	rng  *rand.Rand
}

// started is when the process began, for systems that do not say their CPU time.
var started = time.Now()

// defaultTime is the limit of a move if none is set.
const defaultTime = 100 * time.Millisecond

// New returns the tree search with its default limit.
func New() *Player {
	return &Player{Policy: net.Embedded(), Judge: conv.Embedded, kind: botTree, budget: budget{time: defaultTime}, seed: 1}
}

// Set sets an option. The error names the option and the value.
func (b *Player) Set(name, value string) error {
	switch name {
	case OptionTime, OptionCPU:
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return fmt.Errorf("%s %q: want a duration such as 500ms", name, protocol.Clip(value))
		}
		if b.budget.time = d; name == OptionCPU {
			b.budget = budget{cpu: d}
		}
	case OptionPlayouts, OptionDepth:
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("%s %q: want a whole number from 1", name, protocol.Clip(value))
		}
		if b.budget = (budget{playouts: n}); name == OptionDepth {
			b.budget = budget{depth: n}
		}
	case optionBot:
		if !slices.Contains([]string{botTree, botDistance, botRandom}, value) {
			return fmt.Errorf("bot %q: want %s", protocol.Clip(value), strings.Join([]string{botTree, botDistance, botRandom}, ", "))
		}
		b.kind = value
	case OptionSwap, optionPlain:
		on, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("%s %q: want true or false", name, protocol.Clip(value))
		}
		if name == OptionSwap {
			b.Swaps = on
		} else {
			b.plain = on
		}
	case OptionSeed:
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return fmt.Errorf("seed %q: want a whole number", protocol.Clip(value))
		}
		b.seed = n
		b.tree, b.rng = nil, nil
	default:
		return game.Unknown("option", protocol.Clip(name), options)
	}
	return nil
}

// SetPlayouts limits a search by a number of playouts instead of time.
func (b *Player) SetPlayouts(n int) { b.budget = budget{playouts: n} }

// Reset starts a new game on a board of that size. With a limit of playouts,
// equal games get equal answers.
func (b *Player) Reset(size int) {
	b.tree, b.dist = newTree(size, b.seed, b.Policy, b.Judge), net.NewDistances(size)
	b.rng = rand.New(rand.NewPCG(b.seed, 0x68657862))
}

// Choose returns turn's cell on a board that has an empty one. It resets the
// player if the size has changed.
func (b *Player) Choose(ctx context.Context, size int, board []rules.Colour, turn rules.Colour) Choice {
	if b.tree == nil || b.tree.field.Size != size {
		b.Reset(size)
	}
	switch b.kind {
	case botRandom:
		var empty []int
		for cell, c := range board {
			if c == rules.None {
				empty = append(empty, cell)
			}
		}
		return Choice{Cell: empty[b.rng.IntN(len(empty))], Value: 0.5}
	case botDistance:
		cell, _ := b.dist.OnePly(board, turn)
		return Choice{Cell: cell, Value: 0.5}
	}
	b.tree.plain = b.plain
	return b.tree.search(ctx, board, turn, b.budget)
}

// Visits calls see with each move that the last tree search tried and how often. It
// reports whether there was such a search, which proved nothing.
func (b *Player) Visits(see func(cell, visits int)) (open bool) {
	if b.tree == nil || b.tree.nodes.count == 0 || b.tree.nodes.at(0).proof != 0 {
		return false
	}
	for _, child := range b.tree.nodes.children(b.tree.nodes.at(0)) {
		if child.visits > 0 {
			see(b.tree.field.CellAt(int(child.at)), int(child.visits))
		}
	}
	return true
}

// Package player is the built-in player of Gyges: a board for the search, an
// evaluation, and options. It speaks no protocol.
package player

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
	"thera/engine/gyges/player/net"
	"thera/engine/gyges/rules"
	"thera/engine/protocol"
	"thera/engine/search"
)

// The options of the protocol's text, clearHash, which clients use for a new game, and
// eval, the evaluation.
const (
	OptionPly   = "maxPly"
	OptionTime  = "maxTime"
	OptionNodes = "maxNodes"
	OptionClear = "clearHash"
	OptionEval  = "eval"

	optionRandom = "random" // any turn, without a search
)

// The evaluations of the option eval.
const (
	evalNet  = "net"
	evalHand = "hand"
)

// features are the heuristics of the search. The board has no quiescence search.
const features = search.All &^ search.Quiescence

// Player is the built-in engine: the search and its options. Only one goroutine
// may use it at a time.
type Player struct {
	Net *net.Net // evaluates in place of the embedded net; may be nil

	engine *search.Engine[rules.Move]
	limits search.Limits
	eval   string
}

// New returns a player with a transposition table of that many bytes.
func New(tableBytes int64) *Player {
	p := &Player{engine: search.New(newTree), eval: evalNet}
	p.engine.Options.Table, p.engine.Options.Features = tableBytes, features
	return p
}

// Limits are the limits set by options.
func (p *Player) Limits() search.Limits { return p.limits }

// option is an option and how it is set.
type option struct {
	name string
	set  func(p *Player, value string) error
}

// options lists the options in the order of the handshake.
func options() []option {
	list := []option{
		{OptionPly, func(p *Player, value string) error {
			n, err := wholeFrom1(value, search.MaxPly-1)
			p.limits.Depth = keep(n, p.limits.Depth, err)
			return err
		}},
		{OptionTime, func(p *Player, value string) error {
			d, err := secondsOf(value)
			p.limits.Time = keep(d, p.limits.Time, err)
			return err
		}},
		{OptionNodes, func(p *Player, value string) error {
			n, err := wholeFrom1[int64](value, math.MaxInt64)
			p.limits.Nodes = keep(n, p.limits.Nodes, err)
			return err
		}},
		{"hash", func(p *Player, value string) error {
			n, err := wholeFrom1(value, 4096)
			p.engine.Options.Table = keep(int64(n)<<20, p.engine.Options.Table, err)
			return err
		}},
		{"threads", func(p *Player, value string) error {
			n, err := wholeFrom1(value, 64)
			p.engine.Options.Threads = keep(n, p.engine.Options.Threads, err)
			return err
		}},
		{OptionEval, func(p *Player, value string) error {
			if value != evalNet && value != evalHand {
				return fmt.Errorf("want %s or %s", evalNet, evalHand)
			}
			p.eval = value
			p.engine.Clear() // the table has scores of the other evaluation
			return nil
		}},
		{optionRandom, func(p *Player, value string) error {
			on, err := strconv.ParseBool(value)
			if err != nil {
				return errors.New("want true or false")
			}
			p.engine.Options.Random = on
			return nil
		}},
		{OptionClear, func(p *Player, value string) error {
			if on, err := strconv.ParseBool(value); err != nil || !on {
				return errors.New("want true")
			}
			p.engine.Clear()
			return nil
		}},
	}
	for _, name := range features.Names() {
		list = append(list, option{name, func(p *Player, value string) error { return p.feature(name, value) }})
	}
	return list
}

// Options lists the names of the options in the order of the handshake.
func Options() []string {
	var names []string
	for _, o := range options() {
		names = append(names, o.name)
	}
	return names
}

// keep returns value, or before if err is not nil.
func keep[T any](value, before T, err error) T {
	if err != nil {
		return before
	}
	return value
}

func wholeFrom1[T int | int64](text string, most T) (T, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > int64(most) {
		return 0, fmt.Errorf("want a whole number from 1 to %d", most)
	}
	return T(n), nil
}

// secondsOf reads seconds, with or without a fraction.
func secondsOf(text string) (time.Duration, error) {
	s, err := strconv.ParseFloat(text, 64)
	if err != nil || !(s > 0) || s > 1e9 {
		return 0, fmt.Errorf("want seconds above 0")
	}
	return max(1, time.Duration(s*float64(time.Second))), nil
}

func (p *Player) feature(name, value string) error {
	on, err := strconv.ParseBool(value)
	if err != nil {
		return errors.New("want true or false")
	}
	f, err := search.FeatureOf(name)
	if err != nil {
		return err
	}
	p.engine.Options.Features = p.engine.Options.Features.With(f, on)
	return nil
}

// Set sets an option by its name, in any case of letters: the protocol's text
// has MaxPly and maxPly. The error names the option and the value.
func (p *Player) Set(name, value string) error {
	for _, o := range options() {
		if strings.EqualFold(o.name, name) {
			if err := o.set(p, value); err != nil {
				return fmt.Errorf("option %s: %q: %w", o.name, protocol.Clip(value), err)
			}
			return nil
		}
	}
	return game.Unknown("option", protocol.Clip(name), Options())
}

// reserve is kept back from a time limit for the way to the referee.
const reserve = 5 * time.Millisecond

// Position is a position to search.
type Position struct {
	Board       rules.Board
	Seat        game.Seat // to move
	NoMoveDraws bool      // a side without a move draws instead of losing
}

// Search returns the best move of a position within the limits. report may be
// nil; see search.Engine.
func (p *Player) Search(ctx context.Context, pos Position, limits search.Limits, report func(search.Result[rules.Move])) search.Result[rules.Move] {
	if limits.Time > 0 {
		limits.Time = max(limits.Time-reserve, limits.Time/2)
	}
	set := func(board search.Board[rules.Move]) { p.place(board.(*tree), pos) }
	return p.engine.Search(ctx, set, limits, report)
}

// place puts a position on a board that evaluates as the options say.
func (p *Player) place(t *tree, pos Position) {
	t.net = nil
	if p.eval == evalNet {
		if t.net = p.Net; t.net == nil {
			t.net = net.Embedded()
		}
	}
	t.set(pos)
}

package gyges

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
	"thera/engine/protocol"
	"thera/engine/search"
)

// player is the built-in engine behind the protocol: the search and its
// options.
type player struct {
	engine *search.Engine[Move]
	limits search.Limits
}

func newPlayer() *player {
	p := &player{engine: search.New(newTree)}
	p.engine.Options.Table = 32 << 20
	return p
}

// option is one of the player's settings, as listed.
type option struct {
	name string
	set  func(p *player, value string) error
}

// options lists the settings in the order of the handshake. The first two are
// the protocol's own.
func options() []option {
	list := []option{
		{optionPly, func(p *player, value string) error {
			n, err := wholeFrom1(value, search.MaxPly-1)
			p.limits.Depth = keep(n, p.limits.Depth, err)
			return err
		}},
		{optionTime, func(p *player, value string) error {
			d, err := secondsOf(value)
			p.limits.Time = keep(d, p.limits.Time, err)
			return err
		}},
		{optionNodes, func(p *player, value string) error {
			n, err := wholeFrom1[int64](value, math.MaxInt64)
			p.limits.Nodes = keep(n, p.limits.Nodes, err)
			return err
		}},
		{"hash", func(p *player, value string) error {
			n, err := wholeFrom1(value, 4096)
			p.engine.Options.Table = keep(int64(n)<<20, p.engine.Options.Table, err)
			return err
		}},
		{"threads", func(p *player, value string) error {
			n, err := wholeFrom1(value, 64)
			p.engine.Options.Threads = keep(n, p.engine.Options.Threads, err)
			return err
		}},
		{optionClear, func(p *player, value string) error {
			if on, err := strconv.ParseBool(value); err != nil || !on {
				return errors.New("want true")
			}
			p.engine.Clear()
			return nil
		}},
	}
	for _, name := range search.FeatureNames() {
		list = append(list, option{name, func(p *player, value string) error { return p.feature(name, value) }})
	}
	return list
}

// keep is now, or before where err says that now is no value.
func keep[T any](now, before T, err error) T {
	if err != nil {
		return before
	}
	return now
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

func (p *player) feature(name, value string) error {
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

// set sets an option by its name, which may be written in any case: the
// protocol's text says MaxPly and maxPly.
func (p *player) set(name, value string) error {
	for _, o := range options() {
		if strings.EqualFold(o.name, name) {
			if err := o.set(p, value); err != nil {
				return fmt.Errorf("option %s: %q: %w", o.name, protocol.Clip(value), err)
			}
			return nil
		}
	}
	return fmt.Errorf("unknown option: %s", protocol.Clip(name))
}

// CheckOption says what is wrong with an option of the built-in engine.
func (*Gyges) CheckOption(name, value string) error { return newPlayer().set(name, value) }

// reserve is kept back from a time limit for the way to the referee.
const reserve = 5 * time.Millisecond

// search seeks a move for player 1 on b. report may be nil.
func (p *player) search(ctx context.Context, b Board, limits search.Limits, report func(search.Result[Move])) search.Result[Move] {
	return p.play(ctx, b, game.First, Rules{NoMove: "loss"}, limits, report)
}

func (p *player) play(ctx context.Context, b Board, seat game.Seat, rules Rules, limits search.Limits, report func(search.Result[Move])) search.Result[Move] {
	if limits.Time > 0 {
		limits.Time = max(limits.Time-reserve, limits.Time/2)
	}
	set := func(board search.Board[Move]) { board.(*tree).set(b, seat, rules) }
	return p.engine.Search(ctx, set, limits, report)
}

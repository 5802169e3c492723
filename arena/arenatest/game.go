// Package arenatest has doubles for the tests of the arena's rooms: a small
// game, workers without engines, a store without a file.
//
// It is for tests only, and refuses to judge: tests assert, it only plays.
package arenatest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
)

// Countdown is a game of one heap: a turn takes 1 to Take, who takes the last
// wins. Its openings list heaps, as god match-ups list gods.
type Countdown struct {
	Rules CountdownRules
	Heaps []int
}

// CountdownRules are the game's settings.
type CountdownRules struct {
	Take  int           `yaml:"take" doc:"most that a turn takes"`
	Word  string        `yaml:"word" enum:"last,misere" doc:"who wins"`
	Pause time.Duration `yaml:"pause" doc:"not used"`
}

// CountdownOpenings are its own part of the openings.
type CountdownOpenings struct {
	Heaps struct {
		List []int `yaml:"list" doc:"sizes of the heap, 1 to 1000"`
	} `yaml:"heaps" doc:"starts"`
}

// NewCountdown is the game with default settings.
func NewCountdown() game.Game {
	return &Countdown{Rules: CountdownRules{Take: 3, Word: "last"}, Heaps: []int{21}}
}

// Name implements game.Game.
func (g *Countdown) Name() string { return "countdown" }

// Settings implements game.Game.
func (g *Countdown) Settings() (rules, openings any) {
	return &CountdownRules{Take: 3, Word: "last"}, &CountdownOpenings{}
}

// With implements game.Game.
func (g *Countdown) With(rules, openings any) (game.Game, []game.Problem) {
	bound := &Countdown{Rules: *rules.(*CountdownRules), Heaps: openings.(*CountdownOpenings).Heaps.List}
	var problems []game.Problem
	if bound.Rules.Take < 1 {
		problems = append(problems, game.Problem{Path: "rules.take", Err: fmt.Errorf("%d is out of range, expected 1 or more", bound.Rules.Take)})
	}
	for i, heap := range bound.Heaps {
		if heap < 1 || heap > 1000 {
			problems = append(problems, game.Problem{Path: fmt.Sprintf("openings.heaps.list[%d]", i), Err: fmt.Errorf("unknown heap %d, expected 1 to 1000", heap)})
		}
	}
	if len(bound.Heaps) == 0 {
		bound.Heaps = []int{21}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return bound, nil
}

// Starts implements game.Game.
func (g *Countdown) Starts() int { return len(g.Heaps) }

// Start implements game.Game.
func (g *Countdown) Start(i int, _ uint64) (game.Position, error) {
	return heap{left: g.Heaps[i], mover: game.First, take: g.Rules.Take}, nil
}

// Parse implements game.Game: "21 1" is a heap and the seat to move.
func (g *Countdown) Parse(text string) (game.Position, error) {
	size, seat, ok := strings.Cut(text, " ")
	left, err := strconv.Atoi(size)
	if !ok || err != nil || left < 0 || seat != "1" && seat != "2" {
		return nil, fmt.Errorf("%q is not a heap and seat", text)
	}
	return heap{left: left, mover: game.Seat(seat[0] - '0'), take: g.Rules.Take}, nil
}

// Dialects implements game.Game.
func (g *Countdown) Dialects() []game.Dialect { return []game.Dialect{plain("plain"), plain("fancy")} }

// Serve implements game.Engine.
func (g *Countdown) Serve(context.Context, []string, io.Reader, io.Writer, io.Writer) error {
	return errors.New("this engine only has a name")
}

// CheckOption implements game.Engine: any option will do.
func (g *Countdown) CheckOption(name, value string) error { return nil }

// Signature implements game.Engine.
func (g *Countdown) Signature(context.Context, map[string]string) (int64, error) { return 1, nil }

// Expect implements game.Judge: a multiple of Take+1 is lost for the mover.
func (g *Countdown) Expect(_ context.Context, pos game.Position, _ int64) (float64, error) {
	h := pos.(heap)
	if (h.left%(g.Rules.Take+1) == 0) == (h.mover == game.First) {
		return 0.4, nil
	}
	return 0.6, nil
}

type heap struct {
	left, take int
	mover      game.Seat
}

func (h heap) String() string { return fmt.Sprint(h.left, " ", h.mover) }

func (h heap) ToMove() game.Seats {
	if h.left == 0 {
		return 0
	}
	return game.SeatsOf(h.mover)
}

func (h heap) Moves(seat game.Seat) []string {
	var moves []string
	for n := 1; h.ToMove().Has(seat) && n <= min(h.take, h.left); n++ {
		moves = append(moves, strconv.Itoa(n))
	}
	return moves
}

func (h heap) Play(turn game.Turn) (game.Position, error) {
	n, err := strconv.Atoi(turn.Of(h.mover))
	if err != nil || n < 1 || n > min(h.take, h.left) {
		return nil, &game.Illegal{Seat: h.mover, Move: turn.Of(h.mover), Rule: fmt.Sprintf("take 1 to %d", min(h.take, h.left))}
	}
	return heap{left: h.left - n, take: h.take, mover: h.mover.Other()}, nil
}

func (h heap) Outcome() (game.Outcome, bool) {
	return game.Outcome{Winner: h.mover.Other(), Reason: "took the last"}, h.left == 0
}

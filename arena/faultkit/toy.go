// Package faultkit supports tests of the arena. It has a toy game, a healthy
// engine for it, and the same engine with every known fault.
//
// It is for tests only. It is not an example of a good game or engine.
package faultkit

import (
	"fmt"
	"strconv"
	"strings"

	"thera/engine/game"
)

// Toy is nim: take 1 to 3 from a heap; whoever takes the last one wins. With
// Both, both seats take at the same time and late answers are forgiven.
type Toy struct {
	Heap     int
	Both     bool
	NoNodes  bool // its engines do not announce limits
	Patience int  // with Both: a seat loses after more replaced moves; 0 means never
}

// Name is "toy".
func (Toy) Name() string { return "toy" }

// Settings has none.
func (Toy) Settings() (rules, openings any) { return nil, nil }

// With binds nothing.
func (t Toy) With(any, any) (game.Game, []game.Problem) { return t, nil }

// Starts is 1.
func (Toy) Starts() int { return 1 }

// Start is the full heap.
func (t Toy) Start(int, uint64) (game.Position, error) {
	p := heap{left: t.Heap, seat: game.First}
	if t.Both {
		return rush{p, t.Patience}, nil
	}
	return p, nil
}

// Parse reads "heap seat" and "heap both".
func (Toy) Parse(text string) (game.Position, error) {
	left, who, ok := strings.Cut(text, " ")
	n, err := strconv.Atoi(left)
	if !ok || err != nil || n < 0 {
		return nil, fmt.Errorf("position %q: want HEAP SEAT", text)
	}
	switch who {
	case "1", "2":
		return heap{left: n, seat: game.Seat(who[0] - '0')}, nil
	case "both":
		return rush{heap{left: n, seat: game.First}, 0}, nil
	}
	return nil, fmt.Errorf("position %q: seat %q is not 1, 2 or both", text, who)
}

// Dialects is the one of Serve.
func (t Toy) Dialects() []game.Dialect { return []game.Dialect{dialect{limits: !t.NoNodes}} }

type heap struct {
	left int
	seat game.Seat
}

func (h heap) String() string { return fmt.Sprint(h.left, " ", h.seat) }

func (h heap) ToMove() game.Seats {
	if h.left == 0 {
		return 0
	}
	return game.SeatsOf(h.seat)
}

func (h heap) Moves(seat game.Seat) []string {
	if h.left == 0 || seat != h.seat {
		return nil
	}
	return []string{"1", "2", "3"}[:min(3, h.left)]
}

func (h heap) Play(turn game.Turn) (game.Position, error) {
	n, err := h.take(h.seat, turn.Of(h.seat))
	if err != nil {
		return nil, err
	}
	return heap{left: h.left - n, seat: h.seat.Other()}, nil
}

func (h heap) take(seat game.Seat, move string) (int, error) {
	if len(move) == 1 && move[0] >= '1' && move[0] <= '3' && int(move[0]-'0') <= h.left {
		return int(move[0] - '0'), nil
	}
	return 0, &game.Illegal{Seat: seat, Move: move, Rule: "take 1 to 3, not more than there are", Near: "1"}
}

// Proven knows that the mover loses at a multiple of four. Only adjudication
// with tables asks.
func (Toy) Proven(pos game.Position) (game.Outcome, bool) {
	h, ok := pos.(heap)
	if !ok || h.left == 0 || h.left%4 != 0 {
		return game.Outcome{}, false
	}
	return game.Outcome{Winner: h.seat.Other(), Reason: "a multiple of four"}, true
}

func (h heap) Outcome() (game.Outcome, bool) {
	return game.Outcome{Winner: h.seat.Other(), Reason: "took the last"}, h.left == 0
}

// rush is the heap from which both take at the same time.
type rush struct {
	heap
	patience int
}

func (r rush) String() string { return fmt.Sprint(r.left, " both") }

func (r rush) ToMove() game.Seats {
	if r.left == 0 {
		return 0
	}
	return game.Both
}

func (r rush) Moves(game.Seat) []string { return r.heap.Moves(r.seat) }

func (r rush) Replacement(game.Seat) (string, int) { return "1", r.patience }

func (r rush) Play(turn game.Turn) (game.Position, error) {
	left := r.left
	for _, seat := range [2]game.Seat{game.First, game.Second} {
		n, err := r.take(seat, turn.Of(seat))
		if err != nil {
			return nil, err
		}
		left -= n
	}
	return rush{heap{left: max(left, 0), seat: game.First}, r.patience}, nil
}

func (r rush) Outcome() (game.Outcome, bool) {
	return game.Outcome{Reason: "empty"}, r.left == 0
}

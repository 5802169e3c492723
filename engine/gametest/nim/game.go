// Package nim is the small game that tests of the arena play: a heap, a
// protocol and an engine.
//
// It is for tests only. It is not an example of a good game or engine.
package nim

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
	"thera/engine/svg"
)

// Game is nim with one heap: a turn takes 1 to Rules.Take, and whoever takes
// the last one wins. Its openings list heaps, as Santorini's list gods.
type Game struct {
	Rules    rules
	Heaps    []int
	Both     bool // both seats take at the same time, and late answers are forgiven
	Patience int  // with Both: a seat loses after more replaced moves; 0 means never
	NoNodes  bool // its engines do not announce limits
}

// rules are the game's settings. They are of as many types as tests of match
// files need; only Take has an effect.
type rules struct {
	Take  int           `yaml:"take" doc:"most that a turn takes"`
	Word  string        `yaml:"word" enum:"last,misere" doc:"who wins"`
	Pause time.Duration `yaml:"pause" doc:"not used"`
}

type openings struct {
	Heaps struct {
		List []int `yaml:"list" doc:"sizes of the heap, 1 to 1000"`
	} `yaml:"heaps" doc:"starts"`
}

// New is the game with these heaps, or one of 21, of which a turn takes 1 to 3.
func New(heaps ...int) *Game {
	if len(heaps) == 0 {
		heaps = []int{21}
	}
	return &Game{Rules: rules{Take: 3, Word: "last"}, Heaps: heaps}
}

// NewBoth is the game in which both seats take at the same time.
func NewBoth(heap, patience int) *Game {
	g := New(heap)
	g.Both, g.Patience = true, patience
	return g
}

// Name implements game.Game.
func (g *Game) Name() string { return "nim" }

// Settings implements game.Game.
func (g *Game) Settings() (any, any) { r := New().Rules; return &r, &openings{} }

// With implements game.Game.
func (g *Game) With(r, o any) (game.Game, []game.Problem) {
	bound := New(o.(*openings).Heaps.List...)
	bound.Rules = *r.(*rules)
	var problems []game.Problem
	if bound.Rules.Take < 1 {
		problems = append(problems, game.Problem{Path: "rules.take", Err: fmt.Errorf("%d is out of range, expected 1 or more", bound.Rules.Take)})
	}
	for i, heap := range bound.Heaps {
		if heap < 1 || heap > 1000 {
			problems = append(problems, game.Problem{Path: fmt.Sprintf("openings.heaps.list[%d]", i), Err: fmt.Errorf("unknown heap %d, expected 1 to 1000", heap)})
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return bound, nil
}

// Starts implements game.Game.
func (g *Game) Starts() int { return len(g.Heaps) }

// Start implements game.Game.
func (g *Game) Start(i int, _ uint64) (game.Position, error) {
	h := heap{left: g.Heaps[i], mover: game.First, take: g.Rules.Take}
	if g.Both {
		return rush{h}, nil
	}
	return h, nil
}

// Parse implements game.Game: "21 1" is a heap and the seat to move, "21 both"
// a heap from which both seats take.
func (g *Game) Parse(text string) (game.Position, error) {
	size, seat, ok := strings.Cut(text, " ")
	left, err := strconv.Atoi(size)
	h := heap{left: left, mover: game.First, take: g.Rules.Take}
	switch {
	case !ok || err != nil || left < 0:
	case seat == "1":
		return h, nil
	case seat == "2":
		h.mover = game.Second
		return h, nil
	case seat == "both":
		return rush{h}, nil
	}
	return nil, fmt.Errorf("%q is not a heap and seat", text)
}

// Late implements game.Game.
func (g *Game) Late() (move string, most int) {
	if g.Both {
		return "1", g.Patience
	}
	return "", 0
}

// Dialects implements game.Game.
func (g *Game) Dialects() []game.Dialect { return []game.Dialect{dialect{limits: !g.NoNodes}} }

// Expect implements game.Player.
func (g *Game) Expect(ctx context.Context, pos game.Position, _ int64) (float64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if h := pos.(heap); (h.best() == 0) == (h.mover == game.First) {
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
	n, err := h.read(h.mover, turn)
	if err != nil {
		return nil, err
	}
	return heap{left: h.left - n, take: h.take, mover: h.mover.Other()}, nil
}

// Draw is the text of the position.
func (h heap) Draw(game.Turn, bool) string { return h.String() + "\n" }

// SVG is the text of the position.
func (h heap) SVG(game.Turn, game.Position) string { return picture(h.String()) }

// Words is "": the text of a turn says as much.
func (h heap) Words(game.Turn) string { return "" }

func picture(text string) string {
	c := svg.New("position "+text, 120, 40)
	c.Text(14, 26, text)
	return c.String()
}

func (h heap) read(seat game.Seat, turn game.Turn) (int, error) {
	n, err := strconv.Atoi(turn.Of(seat))
	if most := min(h.take, h.left); err != nil || n < 1 || n > most {
		return 0, &game.Illegal{Seat: seat, Move: turn.Of(seat), Rule: fmt.Sprintf("take 1 to %d", most), Near: "1"}
	}
	return n, nil
}

func (h heap) Outcome() (game.Outcome, bool) {
	return game.Outcome{Winner: h.mover.Other(), Reason: "took the last"}, h.left == 0
}

// best is the move that wins, 0 if none does.
func (h heap) best() int { return h.left % (h.take + 1) }

// rush is a heap from which both seats take at the same time.
type rush struct{ heap }

func (r rush) String() string { return fmt.Sprint(r.left, " both") }

func (r rush) Draw(game.Turn, bool) string { return r.String() + "\n" }

func (r rush) SVG(game.Turn, game.Position) string { return picture(r.String()) }

func (r rush) ToMove() game.Seats {
	if r.left == 0 {
		return 0
	}
	return game.Both
}

func (r rush) Moves(game.Seat) []string { return r.heap.Moves(r.mover) }

func (r rush) Play(turn game.Turn) (game.Position, error) {
	left := r.left
	for _, seat := range [2]game.Seat{game.First, game.Second} {
		n, err := r.read(seat, turn)
		if err != nil {
			return nil, err
		}
		left -= n
	}
	r.left = max(left, 0)
	return r, nil
}

func (r rush) Outcome() (game.Outcome, bool) {
	return game.Outcome{Reason: "empty"}, r.left == 0
}

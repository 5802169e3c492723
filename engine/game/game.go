// Package game holds the contracts between the arena and the games it
// referees: what a game, a position, a dialect and a session are.
//
// It knows no game and no process, imports nothing but the standard library,
// and refuses to hold behaviour that only one side needs. Everything in
// engine/<game> implements it; everything in arena/* uses it.
package game

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Game is a value already bound to its settings. It is immutable and safe for
// concurrent use.
type Game interface {
	// Name is the word used in match files and on the command line.
	Name() string

	// Settings returns fresh pointers to structs that hold the defaults of the
	// match file's `rules` and of the game's part of `openings`, or nil
	// where the game has none. Fields carry the tags `yaml:"name"`,
	// `doc:"one line"` and, for closed sets of words, `enum:"a,b"`. Kinds
	// allowed: bool, int, float64, string, time.Duration, slices and structs of
	// these, map[string]string.
	Settings() (rules, openings any)

	// With binds settings that Settings returned and the caller filled. On any
	// problem the Game is nil.
	With(rules, openings any) (Game, []Problem)

	// Starts is the number of distinct starts described by the openings (god
	// match-ups, say), at least 1.
	Starts() int

	// Start makes the i-th start, 0 <= i < Starts(). A random start
	// (a maze, a placement) is drawn from a generator seeded with seed, and is
	// the same on every machine.
	Start(i int, seed uint64) (Position, error)

	// Parse reads what Position.String wrote, strictly. The error names the
	// field that is wrong. Repetition history is not part of the text.
	Parse(text string) (Position, error)

	// Late is the move that stands in for a late or unreadable one, in PyRat STAY, and how
	// many moves of a seat it replaces in a game, 0 for any number: one more loses. It is ""
	// where such a move loses at once.
	Late() (move string, most int)
	// Dialects lists the protocols engines of this game speak; the first is
	// the default of `protocol: auto`.
	Dialects() []Dialect
}

// Player is the engine that comes with a game. Games and their sessions do not know it.
type Player interface {
	// Serve runs the engine: it speaks the game's written protocol on in and
	// out until quit or the end of input. args are the words after `thera
	// engine GAME`.
	Serve(ctx context.Context, args []string, in io.Reader, out, err io.Writer) error

	// CheckOption returns what is wrong with an option of the engine, or nil.
	CheckOption(name, value string) error

	// FullStrength are the options without which the engine is weaker than it can
	// be; nil where it plays at full strength by default.
	FullStrength() []Option

	// Signature is the number of nodes that the engine visits on a fixed set
	// of positions, the same on every machine. options are by name, as in a
	// match file.
	Signature(ctx context.Context, options map[string]string) (nodes int64, err error)

	// Expect estimates the expected score of the first seat, between 0 and 1, with a
	// search of about that many nodes. A player that cannot returns ErrNoJudge.
	Expect(ctx context.Context, pos Position, nodes int64) (float64, error)

	// Version is what decides how it plays. Tests compute it and compare.
	Version() Version

	// Baselines are opponents that stay the same when the engine gets better, the weakest
	// first. Their strengths are measured in results/baselines.md.
	Baselines() []Baseline
}

// Baseline is the player with options and a limit that make its games the same in each program that has it.
type Baseline struct {
	Name    string
	Options []Option
	Nodes   int64

	// Plays is a hash of its moves in fixed games, its identity. A test computes it. Where the
	// player has changed, either options keep the moves of before, or the hash is another
	// one, and so is the baseline: results against it are not continued.
	Plays string
}

// Version is what decides how a player plays. Two programs with equal ones have the same
// engine, whatever else differs between them; without a Signature it is not known.
type Version struct {
	Signature int64  // that of no options
	Weights   string // SHA-256 of the files that the game's packages embed; "" if there are none
	Judge     string // what Expect says in some fixed positions, hashed; "" without a judge
	Revision  int    // raised when it plays otherwise and nothing above shows it: by its use of time, its threads, an option
}

// ErrNoJudge is the error of a player that does not judge positions.
var ErrNoJudge = errors.New("the player judges no positions")

// Problem is a fault in settings: Path is dotted from the match file's root,
// as in "openings.gods.list[2]" or "rules.size".
type Problem struct {
	Path string
	Err  error
}

func (p Problem) Error() string { return fmt.Sprintf("%s: %v", p.Path, p.Err) }

func (p Problem) Unwrap() error { return p.Err }

// Position is one state of a game, immutable. It links back to its
// predecessors where a rule (repetition) needs them.
type Position interface {
	// String is the position's text; cold, never called once a ply.
	String() string

	// ToMove is the set of seats that must move: one of them, or both at once.
	// It is empty only when the game is over. The same seat twice running is
	// one turn (Mill's removal) and is one stretch of its clock.
	ToMove() Seats

	// Moves lists the legal moves of seat as text, sorted bytewise, distinct;
	// nil when seat is not to move. Cold.
	Moves(seat Seat) []string

	// Play applies the moves of all seats in ToMove. Hot: each move is parsed
	// once and compared as a concrete value. A move that is not legal is an
	// *Illegal.
	Play(turn Turn) (Position, error)

	// Outcome reports whether and how the game is over.
	Outcome() (Outcome, bool)

	// Draw is a picture in several lines, each with its newline; with colour it may
	// hold ANSI colours. last is the turn that led here, to be marked, or zero if it
	// is unknown.
	Draw(last Turn, colour bool) string

	// SVG is the same picture as an SVG element, as package engine/svg writes it:
	// for files and for pages that allow no styles of an element. In a game whose
	// moves are positions, what differs from unlike is marked instead of last; nil
	// is not a position.
	SVG(last Turn, unlike Position) string

	// Words is a turn from this position in words, such as "B2-C1, builds D1". It
	// is "" if turn is none, or if its text says as much.
	Words(turn Turn) string
}

// Outcome is the end of a game. Winner is None for a draw. Points are the
// game's score of each seat (PyRat's cheese), zero where it has none.
type Outcome struct {
	Winner Seat       `json:"winner"`
	Reason string     `json:"reason"`
	Points [2]float64 `json:"points,omitzero"`
}

// Resigned is the Reason of an engine that gave up: the one natural end that is not
// visible in the position.
const Resigned = "resigned"

// Illegal is the error of a move that the rules do not allow.
type Illegal struct {
	Seat Seat
	Move string
	Rule string // the rule broken, in words
	Near string // the legal move nearest to it, "" if there is none
}

func (e *Illegal) Error() string {
	text := fmt.Sprintf("illegal move %q: %s", e.Move, e.Rule)
	if e.Near != "" {
		text += fmt.Sprintf(" (nearest legal: %s)", e.Near)
	}
	return text
}

// History is a game so far, persistent: taking back is Prev, and what is new to
// somebody is the walk to the common ancestor.
type History struct {
	Prev     *History
	Turn     Turn // the turn that led from Prev here; zero at the start
	Position Position
	Ply      int // turns played since the start, whose Ply is 0
}

// Begin is the history of a game that starts at pos.
func Begin(pos Position) *History { return &History{Position: pos} }

// Play extends the history by one turn.
func (h *History) Play(turn Turn) (*History, error) {
	pos, err := h.Position.Play(turn)
	if err != nil {
		return nil, err
	}
	return &History{Prev: h, Turn: turn, Position: pos, Ply: h.Ply + 1}, nil
}

// Start is the first entry.
func (h *History) Start() *History {
	for h.Prev != nil {
		h = h.Prev
	}
	return h
}

// Turns are the turns played since the start, in order.
func (h *History) Turns() []Turn {
	turns := make([]Turn, h.Ply)
	for at := h; at.Prev != nil; at = at.Prev {
		turns[at.Ply-1] = at.Turn
	}
	return turns
}

// Common is the last entry that a and b share, nil if they do not share one:
// then they are different games.
func Common(a, b *History) *History {
	for a != nil && b != nil && a != b {
		switch {
		case a.Ply > b.Ply:
			a = a.Prev
		case b.Ply > a.Ply:
			b = b.Prev
		default:
			a, b = a.Prev, b.Prev
		}
	}
	if a == nil || b == nil {
		return nil
	}
	return a
}

// RandomTurn is a turn from pos, with a move of each seat that is to move: pick chooses one of n.
func RandomTurn(pos Position, pick func(n int) int) (turn Turn) {
	for i := range turn {
		if moves := pos.Moves(Seat(i + 1)); len(moves) > 0 {
			turn[i] = moves[pick(len(moves))]
		}
	}
	return turn
}

// TurnsFrom lists every turn that can be played from pos: the moves of the
// side to move, or all pairs where both move at once. Cold.
func TurnsFrom(pos Position) []Turn {
	var turns []Turn
	switch seats := pos.ToMove(); seats {
	case 0:
	case Both:
		for _, a := range pos.Moves(First) {
			for _, b := range pos.Moves(Second) {
				turns = append(turns, Turn{a, b})
			}
		}
	default:
		for _, m := range pos.Moves(seats.Only()) {
			turns = append(turns, By(seats.Only(), m))
		}
	}
	return turns
}

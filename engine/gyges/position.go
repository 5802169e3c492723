package gyges

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"thera/engine/game"
	"thera/engine/protocol"
)

// The reasons of natural ends.
const (
	reasonGoal       = "reached the goal"
	reasonNoMove     = "no legal move"
	reasonRepetition = "repetition"
	reasonPlyCap     = "ply cap"
)

// position is a board with its side to move and, for repetition, its past.
type position struct {
	rules   Rules
	board   Board
	mover   game.Seat
	prev    *position
	ply     int
	over    bool
	outcome game.Outcome
}

// walkers lends the referee its scratch memory.
var walkers = sync.Pool{New: func() any { return newWalker() }}

// newPosition is a start: it has no past.
func (g *Gyges) newPosition(b Board, mover game.Seat) *position {
	p := &position{rules: g.rules, board: b, mover: mover}
	w := walkers.Get().(*walker)
	defer walkers.Put(w)
	p.settle(w)
	return p
}

// settle finds out whether the game is over, goals aside.
func (p *position) settle(w *walker) {
	switch {
	case !w.canMove(p.board, p.mover):
		winner := p.mover.Other()
		if p.rules.NoMove == "draw" {
			winner = game.None
		}
		p.end(winner, reasonNoMove)
	case p.third():
		p.end(game.None, reasonRepetition)
	case p.rules.MaxPlies > 0 && p.ply >= p.rules.MaxPlies:
		p.end(game.None, reasonPlyCap)
	}
}

func (p *position) end(winner game.Seat, reason string) {
	p.over, p.outcome = true, game.Outcome{Winner: winner, Reason: reason}
}

// third says whether this board with this mover occurs for the third time.
func (p *position) third() bool {
	times := 1
	for q := p.prev; q != nil; q = q.prev {
		if q.mover == p.mover && q.board == p.board {
			if times++; times == 3 {
				return true
			}
		}
	}
	return false
}

// String is "<layout> <mover>", and after a goal move "<layout> <mover>
// goal:<winner>", where the mover is the one who would be next.
func (p *position) String() string {
	text := fmt.Sprintf("%s %d", p.board, p.mover)
	if p.over && p.outcome.Reason == reasonGoal {
		text += fmt.Sprintf(" goal:%d", p.outcome.Winner)
	}
	return text
}

// Parse reads a position. Beside what String writes it knows the layouts
// start, bench and test by name, which without a mover are player 1's, as the
// protocol has them.
func (g *Gyges) Parse(text string) (game.Position, error) {
	fields := strings.Split(text, " ")
	if len(fields) == 2 && fields[0] == "data" || len(fields) == 3 && fields[0] == "data" {
		fields = fields[1:]
	}
	layout := fields[0]
	named, isNamed := layoutNamed(layout)
	if isNamed {
		layout = named
		if len(fields) == 1 {
			fields = append(fields, "1")
		}
	}
	if len(fields) != 2 && len(fields) != 3 {
		return nil, fmt.Errorf("position %q: want <layout> <1|2>", protocol.Clip(text))
	}
	var mover game.Seat
	switch fields[1] {
	case "1":
		mover = game.First
	case "2":
		mover = game.Second
	default:
		return nil, fmt.Errorf("side to move %q: want 1 or 2", protocol.Clip(fields[1]))
	}
	if len(fields) == 2 {
		board, err := ParseBoard(layout, 12)
		if err != nil {
			return nil, err
		}
		return g.newPosition(board, mover), nil
	}
	if want := fmt.Sprintf("goal:%d", mover.Other()); fields[2] != want {
		return nil, fmt.Errorf("third field %q: want %s or nothing", protocol.Clip(fields[2]), want)
	}
	board, err := ParseBoard(layout, 11)
	if err != nil {
		return nil, err
	}
	p := &position{rules: g.rules, board: board, mover: mover}
	p.end(mover.Other(), reasonGoal)
	return p, nil
}

// ToMove is the mover, nobody when the game is over.
func (p *position) ToMove() game.Seats {
	if p.over {
		return 0
	}
	return game.SeatsOf(p.mover)
}

// Moves lists the legal moves as text.
func (p *position) Moves(seat game.Seat) []string {
	if p.over || seat != p.mover {
		return nil
	}
	w := walkers.Get().(*walker)
	defer walkers.Put(w)
	moves := w.generate(p.board, p.mover, nil)
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = m.String()
	}
	slices.Sort(list)
	return list
}

// Play makes the mover's move.
func (p *position) Play(turn game.Turn) (game.Position, error) {
	text := turn.Of(p.mover)
	if p.over {
		return nil, &game.Illegal{Seat: p.mover, Move: text, Rule: "game over"}
	}
	m, err := ParseMove(text)
	if err != nil {
		return nil, &game.Illegal{Seat: p.mover, Move: text, Rule: err.Error()}
	}
	w := walkers.Get().(*walker)
	defer walkers.Put(w)
	if !w.legal(p.board, p.mover, m) {
		rule, near := w.explain(p.board, p.mover, m)
		return nil, &game.Illegal{Seat: p.mover, Move: text, Rule: rule, Near: near}
	}
	return p.after(m, w), nil
}

// after is the position that a legal move leaves.
func (p *position) after(m Move, w *walker) *position {
	next := &position{
		rules: p.rules, board: p.board.after(m), mover: p.mover.Other(), prev: p, ply: p.ply + 1,
	}
	if m.end() >= squares {
		next.end(p.mover, reasonGoal)
		return next
	}
	next.settle(w)
	return next
}

// Outcome says whether and how the game is over.
func (p *position) Outcome() (game.Outcome, bool) { return p.outcome, p.over }

package protocol

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
	"thera/engine/hex/rules"
	"thera/engine/protocol"
)

// session is one bot's conversation. Bots keep the board themselves, so the
// session remembers the moves on it and sends the difference.
type session struct {
	protocol.Client
	version  int
	auto     bool // it may speak GTP, while it has not moved
	size     int
	options  []game.Option
	autoTime bool
	obeys    bool // it takes limits of playouts and depth
	limited  bool // the last question has one

	seat   game.Seat
	begun  bool            // the bot's board holds known
	known  []int           // moves on the bot's board
	at     *rules.Position // the position after known, or before the bot's last move
	dirty  bool            // the bot sent error: it needs the whole board again
	pos    game.Position   // that was asked about last
	line   []byte          // the message being sent
	open   int             // make_move messages that are not answered
	errors int             // sent by the bot in this game
}

// Fits refuses what the generation cannot say: a swap, or another size than
// that of the command line.
func (s *session) Fits(pos game.Position) error {
	p, ok := pos.(*rules.Position)
	switch {
	case !ok:
		return fmt.Errorf("position %s is not one of hex", pos)
	case s.version == 1 && p.Swap():
		return errors.New("protocol v1 has no swap; use v2 or the rule swap: false")
	case s.version == 1 && p.Size() != s.size:
		return fmt.Errorf("protocol v1 has no message for the size: the bot was started for %d, not %d", s.size, p.Size())
	}
	return nil
}

// Seat begins a game with a fresh board.
func (s *session) Seat(_ context.Context, seat game.Seat, history *game.History) error {
	s.seat, s.begun, s.errors = seat, false, 0
	for _, o := range s.options {
		if o.Value == "auto" {
			continue
		}
		if err := s.Say("option", o.Name, o.Value); err != nil {
			return err
		}
	}
	if history == nil {
		return nil
	}
	return s.update(history.Position)
}

// Sync sends what has changed on the board. One more stone is left to be sent
// with the question, in one write: two would wake the bot twice.
func (s *session) Sync(_ context.Context, history *game.History) error {
	s.Drain(s.late)
	if p, ok := history.Position.(*rules.Position); ok && s.begun && !s.dirty && s.follow(p) {
		return nil
	}
	return s.update(history.Position)
}

// late sees a line that the bot sent without being asked. After an error its
// board is not ours; after a move it has a stone that the game does not have.
func (s *session) late(line []byte) (used bool) {
	switch word := strings.TrimSpace(string(line)); {
	case word == okWord:
		return true
	case word == errorWord:
		s.refused()
	case s.open > 0 && isMove(word):
		s.open--
		s.begun = false
	}
	return false
}

// refused notes an error of the bot: once a game its board is set up again.
func (s *session) refused() {
	if s.errors++; s.errors == 1 {
		s.dirty = true
		s.Conn.Warn("the bot said error; its board is set up again")
	}
}

// update brings the bot's board to that of pos: by taking stones back and
// adding some, or, at the start and across a swap, from an empty board.
func (s *session) update(pos game.Position) error {
	p, ok := pos.(*rules.Position)
	if !ok {
		return fmt.Errorf("position %s is not one of hex", pos)
	}
	if s.begun && !s.dirty && s.follow(p) {
		return s.add(p, nil)
	}
	moves := p.History()
	same := 0
	for same < len(moves) && same < len(s.known) && moves[same] == s.known[same] {
		same++
	}
	if !s.begun || s.dirty || swaps(s.known[same:]) {
		return s.restart(p, moves)
	}
	for i := len(s.known) - 1; i >= same; i-- {
		if err := s.message("unset ", s.known[i], p.Size()); err != nil {
			return err
		}
	}
	s.known = s.known[:same]
	return s.add(p, moves)
}

// follow reports whether p is the bot's position or one move further: then the
// moves need not be compared. The bot's move may follow s.at.
func (s *session) follow(p *rules.Position) bool {
	known := len(s.known)
	if p == s.at {
		return known == p.Ply()
	}
	after := p
	if p.Ply() == known+1 {
		if after = p.Prev(); after == s.at {
			return true
		}
	}
	return after != nil && after.Prev() != nil && after.Prev() == s.at && after.Ply() == known && s.known[known-1] == after.Move()
}

// swaps reports whether a swap is among the moves: it can't be taken back.
func swaps(moves []int) bool {
	for _, m := range moves {
		if m == rules.SwapMove {
			return true
		}
	}
	return false
}

// restart sends init_board and every move.
func (s *session) restart(p *rules.Position, moves []int) error {
	s.begun, s.dirty, s.known = true, false, s.known[:0]
	init := []string{"init_board", strconv.Itoa(p.Size())}
	if s.version == 1 {
		init = init[:1]
	}
	if err := s.Say(init...); err != nil {
		return err
	}
	if err := s.blank(); err != nil {
		return err
	}
	return s.add(p, moves)
}

// add sends the moves that follow the known ones; nil stands for p's last move
// alone. The bot's stones that it did not answer with are sent by sety.
// After a swap, stones keep the owners that they had when they were placed.
func (s *session) add(p *rules.Position, moves []int) error {
	s.at = p
	for i := len(s.known); i < p.Ply(); i++ {
		move := p.Move()
		if moves != nil {
			move = moves[i]
		}
		s.known = append(s.known, move)
		if move == rules.SwapMove {
			// A bot that swapped itself has it in known, unless its board is set up again.
			if err := s.Say(rules.SwapWord); err != nil {
				return err
			}
			continue
		}
		word := "seto "
		if s.movedAt(i) {
			word = "sety "
		}
		if err := s.message(word, move, p.Size()); err != nil {
			return err
		}
	}
	return nil
}

// movedAt reports whether the session's program made the i-th move: seats
// alternate, swap or not.
func (s *session) movedAt(i int) bool { return (i%2 == 0) == (s.seat == game.First) }

// message sends a line about a cell; in v2 an empty line follows.
func (s *session) message(word string, cell, size int) error {
	s.line = rules.AppendCell(append(s.line[:0], word...), cell, size)
	if err := s.Conn.Send(s.line); err != nil {
		return err
	}
	return s.blank()
}

func (s *session) blank() error {
	if s.version > 1 {
		return s.Conn.Send(nil)
	}
	return nil
}

const errorWord = "error"

// The options that limit a move, and the answer of a bot that takes one.
const (
	optionTime     = "time"
	optionCPU      = "cpu"
	optionPlayouts = "playouts"
	optionDepth    = "depth"
	okWord         = "ok"
)

// Ask sends what the bot does not know of the board, and the question.
func (s *session) Ask(ask game.Ask) error {
	s.pos = ask.History.Position
	if err := s.update(s.pos); err != nil {
		return err
	}
	if err := s.limit(ask); err != nil {
		return err
	}
	return s.question()
}

func (s *session) question() error {
	s.open++
	return s.Say("make_move")
}

// Answer waits for the move. A bot that sends error is given the whole board
// and asked again, once a game; if it sends error again and then nothing, that
// was its answer, and it loses. The protocol has no stop.
func (s *session) Answer(ctx context.Context) (game.Reply, error) {
	var reply game.Reply
	again := false
	err := s.Read(ctx, nil, func(line []byte) (bool, error) {
		word := strings.TrimSpace(string(line))
		switch {
		case word == okWord:
			s.obeys = s.obeys || s.limited
		case s.limited && !s.obeys && (isMove(word) || word == errorWord):
			return true, game.ErrLimit
		case isMove(word) && s.stale(word, s.pos):
			s.late(line)
			s.Pass(line)
		case isMove(word):
			s.open--
			s.auto = false
			s.played(word, s.pos)
			s.begun = s.open == 0 // an answer still to come sets a stone that the game does not have
			reply.Move = word
			return true, nil
		case word != errorWord:
			if _, refused, ok := protocol.ReadGTP(line); ok && refused && s.auto {
				return true, errGTP
			}
			s.Pass(line)
		case s.errors > 0:
			s.errors++
			again = true
		default:
			s.refused()
			if err := s.update(s.pos); err != nil {
				return false, err
			}
			return false, s.question()
		}
		return false, nil
	})
	if again && protocol.IsTimeout(err) {
		err = game.Protocolf("%q again, after its board was set up again", errorWord)
	}
	return reply, err
}

// stale reports whether a move can only be the answer to an earlier question: the
// bot owes more than one, and the cell is taken.
func (s *session) stale(word string, pos game.Position) bool {
	p, ok := pos.(*rules.Position)
	if !ok || s.open < 2 {
		return false
	}
	_, why := p.Step(word)
	return why != ""
}

// played adds the bot's answer to its board.
func (s *session) played(word string, pos game.Position) {
	p, ok := pos.(*rules.Position)
	if !ok {
		return
	}
	switch cell, err := rules.ParseCell(word, p.Size()); {
	case word == rules.SwapWord:
		s.known = append(s.known, rules.SwapMove)
	case err == nil && p.Cells()[cell] == rules.None:
		s.known = append(s.known, cell)
	}
}

// limit sends limits of playouts and depth to every bot, and to the built-in engine its
// time; so does the option `time: auto`. Its CPU time goes first: it replaces a limit of time. Little of it is kept
// back: an answer takes less than a millisecond.
func (s *session) limit(ask game.Ask) error {
	s.limited = ask.Nodes > 0 || ask.Depth > 0
	for i, n := range [2]int64{ask.Nodes, int64(ask.Depth)} {
		if n > 0 {
			name := [2]string{optionPlayouts, optionDepth}[i]
			if err := s.Say("option", name, strconv.FormatInt(n, 10)); err != nil {
				return err
			}
		}
	}
	if !s.autoTime {
		return nil
	}
	t := ask.Time
	if left := ask.Clock.Left[s.seat.Index()]; left > 0 {
		share := left/time.Duration(ask.Clock.Parts(s.seat, 30)) + ask.Clock.Increment[s.seat.Index()]*3/4
		if t == 0 || share < t {
			t = share
		}
	}
	if ask.CPU > 0 {
		most := max(ask.CPU-min(ask.CPU/40, 2*time.Millisecond), time.Millisecond)
		if err := s.Say("option", optionCPU, most.String()); err != nil {
			return err
		}
	}
	if t == 0 {
		return nil
	}
	return s.Say("option", optionTime, most(t, 2*time.Millisecond).String())
}

// most is what the engine may use of a limit. It cannot be stopped: what it takes to notice its
// limit does not grow with a long one.
func most(limit, answer time.Duration) time.Duration {
	return max(limit-min(limit/20, 10*time.Millisecond)-answer, time.Millisecond)
}

// isMove reports whether a line is an attempt at a move, well formed or not: a
// letter and a number, or swap. Everything else is noise.
func isMove(word string) bool {
	if word == rules.SwapWord {
		return true
	}
	if len(word) < 2 || len(word) > 8 {
		return false
	}
	letter := word[0] | 0x20
	if letter < 'a' || letter > 'z' {
		return false
	}
	digits := strings.TrimLeft(word[1:], "+-")
	_, err := strconv.ParseUint(digits, 10, 32)
	return err == nil
}

// End sends nothing: the protocol has only quit, which ends the process.
func (s *session) End(context.Context, *game.History, game.Outcome) error { return nil }

package hex

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
)

// session is one bot's conversation. Bots keep the board themselves, so the
// session remembers what the bot was told and sends the difference.
type session struct {
	conn     game.Conn
	version  int
	size     int
	options  []game.Option
	autoTime bool

	seat  game.Seat
	begun bool      // the bot has a board of told
	told  []int     // moves on the bot's board
	at    *position // the position of told, or before the bot's own last move
	dirty bool      // the bot said error: it needs the whole board again
	line  []byte    // scratch
	owed  int       // make_move without an answer yet
	errs  int       // how often it said error in this game
}

// Fits refuses what the generation cannot say: a swap, or another size than
// that of the command line.
func (s *session) Fits(pos game.Position) error {
	p, ok := pos.(*position)
	switch {
	case !ok:
		return fmt.Errorf("position %s is not one of hex", pos)
	case s.version == 1 && p.rules.Swap:
		return errors.New("protocol v1 has no swap; use v2 or the rule swap: false")
	case s.version == 1 && p.rules.Size != s.size:
		return fmt.Errorf("protocol v1 has no message for the size: the bot was started for %d, not %d", s.size, p.rules.Size)
	}
	return nil
}

// Seat begins a game with a fresh board.
func (s *session) Seat(_ context.Context, seat game.Seat, line *game.Line) error {
	s.seat, s.begun, s.errs = seat, false, 0
	for _, o := range s.options {
		if o.Value == "auto" {
			continue
		}
		if err := s.send("option " + o.Name + " " + o.Value); err != nil {
			return err
		}
	}
	if line == nil {
		return nil
	}
	return s.tell(line.Position)
}

// Sync tells the bot what has changed on the board since it was last told. One
// stone more is told with the question, in one write: it would wake the bot
// twice.
func (s *session) Sync(_ context.Context, line *game.Line) error {
	s.drain()
	if p, ok := line.Position.(*position); ok && s.begun && !s.dirty && s.follow(p) {
		return nil
	}
	return s.tell(line.Position)
}

// drain passes over what the bot said without being asked; an error among it
// means that the bot's board is another than ours.
func (s *session) drain() {
	for {
		line, more := s.conn.Pending()
		if !more {
			return
		}
		if strings.TrimSpace(string(line)) == errorWord {
			s.complained()
		}
		s.pass(line)
	}
}

// complained notes an error of the bot: its board is to be set anew, once a
// game.
func (s *session) complained() {
	if s.errs++; s.errs == 1 {
		s.dirty = true
		s.conn.Warn("the bot said error; its board is set anew")
	}
}

func (s *session) pass(line []byte) {
	if s.owed > 0 && isMove(strings.TrimSpace(string(line))) {
		s.owed--
		s.begun = false // it set a stone that the game does not have
	}
	s.conn.Passed(line)
}

// tell brings the bot's board to that of pos: by taking back and adding
// stones, or, at the start and across a swap, anew.
func (s *session) tell(pos game.Position) error {
	p, ok := pos.(*position)
	if !ok {
		return fmt.Errorf("position %s is not one of hex", pos)
	}
	if s.begun && !s.dirty && s.follow(p) {
		return s.add(p, nil)
	}
	moves := p.moves()
	same := 0
	for same < len(moves) && same < len(s.told) && moves[same] == s.told[same] {
		same++
	}
	if !s.begun || s.dirty || swaps(s.told[same:]) {
		return s.restart(p, moves)
	}
	for i := len(s.told) - 1; i >= same; i-- {
		if err := s.message("unset ", s.told[i], p.rules.Size); err != nil {
			return err
		}
	}
	s.told = s.told[:same]
	return s.add(p, moves)
}

// follow says whether p is what the bot knows, or one move more: then the walk
// through all moves is spared. Behind the position told last may lie the bot's
// own move.
func (s *session) follow(p *position) bool {
	known := len(s.told)
	if p == s.at {
		return known == p.ply
	}
	own := p
	if p.ply == known+1 {
		if own = p.prev; own == s.at {
			return true
		}
	}
	return own != nil && own.prev != nil && own.prev == s.at && own.ply == known && s.told[known-1] == own.move
}

// swaps says whether a swap is among the moves: it can't be taken back.
func swaps(moves []int) bool {
	for _, m := range moves {
		if m == swapMove {
			return true
		}
	}
	return false
}

// restart is init_board and every move anew.
func (s *session) restart(p *position, moves []int) error {
	init := "init_board"
	if s.version > 1 {
		init += " " + strconv.Itoa(p.rules.Size)
	}
	s.begun, s.dirty, s.told = true, false, s.told[:0]
	if err := s.send(init); err != nil {
		return err
	}
	if err := s.blank(); err != nil {
		return err
	}
	return s.add(p, moves)
}

// add tells the moves after those told; nil moves are at most p's last one. A
// bot that was not asked for its own stones is given them by sety; after a
// swap the stones' owners are those of the colours at the time.
func (s *session) add(p *position, moves []int) error {
	s.at = p
	for i := len(s.told); i < p.ply; i++ {
		move := p.move
		if moves != nil {
			move = moves[i]
		}
		s.told = append(s.told, move)
		if move == swapMove {
			// A bot that swapped itself knows, unless its board is built anew.
			if err := s.send(swapWord); err != nil {
				return err
			}
			continue
		}
		word := "seto "
		if s.movedAt(i) {
			word = "sety "
		}
		if err := s.message(word, move, p.rules.Size); err != nil {
			return err
		}
	}
	return nil
}

// movedAt says whether the session's own program made the i-th move: seats
// alternate, swap or not.
func (s *session) movedAt(i int) bool { return (i%2 == 0) == (s.seat == game.First) }

// message sends a line about a cell, which v2 follows by an empty one.
func (s *session) message(word string, cell, size int) error {
	s.line = appendCell(append(s.line[:0], word...), cell, size)
	if err := s.conn.Send(s.line); err != nil {
		return err
	}
	return s.blank()
}

func (s *session) blank() error {
	if s.version > 1 {
		return s.conn.Send(nil)
	}
	return nil
}

func (s *session) send(line string) error { return s.conn.Send([]byte(line)) }

const errorWord = "error"

// Go asks for one move. A bot that says error is given the whole board and
// asked again, once a game; when it says error again and then nothing, that
// was its answer, and its loss.
func (s *session) Go(ctx context.Context, ask game.Ask) (game.Reply, error) {
	if err := s.tell(ask.Line.Position); err != nil {
		return game.Reply{}, err
	}
	if err := s.limit(ask); err != nil {
		return game.Reply{}, err
	}
	if err := s.ask(); err != nil {
		return game.Reply{}, err
	}
	refused := false
	for {
		line, err := s.conn.Recv(ctx)
		if errors.Is(err, game.ErrSoft) {
			continue // the protocol has no stop
		}
		var fault *game.Fault
		if refused && errors.As(err, &fault) && fault.Kind == game.FaultTimeout {
			return game.Reply{}, game.Protocolf("%q again, after the board was set anew", errorWord)
		}
		if err != nil {
			return game.Reply{}, err
		}
		word := strings.TrimSpace(string(line))
		switch {
		case isMove(word) && s.stale(word, ask.Line.Position):
			s.pass(line)
		case isMove(word):
			s.owed--
			s.played(word, ask.Line.Position)
			s.begun = s.owed == 0 // an answer still to come sets a stone that the game does not have
			return game.Reply{Move: word}, nil
		case word != errorWord:
			s.conn.Passed(line)
		case s.errs > 0:
			s.errs++
			refused = true
		default:
			s.complained()
			if err := s.tell(ask.Line.Position); err != nil {
				return game.Reply{}, err
			}
			if err := s.ask(); err != nil {
				return game.Reply{}, err
			}
		}
	}
}

// stale says whether a move can only be the answer to an earlier question: the
// bot owes more than one, and the cell is taken.
func (s *session) stale(word string, pos game.Position) bool {
	p, ok := pos.(*position)
	if !ok || s.owed < 2 {
		return false
	}
	_, why := p.step(word)
	return why != ""
}

func (s *session) ask() error {
	s.owed++
	return s.send("make_move")
}

// played notes the bot's move on its own board.
func (s *session) played(word string, pos game.Position) {
	p, ok := pos.(*position)
	if !ok {
		return
	}
	switch cell, err := parseCell(word, p.rules.Size); {
	case word == swapWord:
		s.told = append(s.told, swapMove)
	case err == nil && p.stones.cells[cell] == none:
		s.told = append(s.told, cell)
	}
}

// limit tells the built-in engine its time, where the match file says `time:
// auto`.
func (s *session) limit(ask game.Ask) error {
	if !s.autoTime {
		return nil
	}
	t := ask.Time
	if left := ask.Clock.Left[s.seat.Index()]; left > 0 {
		share := left/30 + ask.Clock.Increment[s.seat.Index()]*3/4
		if t == 0 || share < t {
			t = share
		}
	}
	if t == 0 {
		return nil
	}
	return s.send("option " + optionTime + " " + max(t-t/20-2*time.Millisecond, time.Millisecond).String())
}

// isMove says whether a line is an attempt at a move, well formed or not: a
// letter and a number, or swap. Everything else is noise.
func isMove(word string) bool {
	if word == swapWord {
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

// End has nothing to tell but quit, which ends the process.
func (s *session) End(context.Context, *game.Line, game.Outcome) error { return nil }

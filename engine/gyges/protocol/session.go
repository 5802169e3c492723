package protocol

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
	"thera/engine/gyges/rules"
	"thera/engine/protocol"
)

// session is one process's UGI conversation.
type session struct {
	protocol.Client
	listed  protocol.Options
	seat    game.Seat
	minMove time.Duration // shortest time limit that the engine survives
	warned  bool          // that the limit is below minMove, in this game
	known   *game.History // the position that the engine has
	watch   func(game.SearchInfo)
}

// Fits accepts every position of Gyges: UGI knows no rules that differ.
func (s *session) Fits(pos game.Position) error {
	_, err := rules.Of(pos)
	return err
}

// Seat begins a game. UGI has no new game; an engine that lists clearHash
// clears its table.
func (s *session) Seat(_ context.Context, seat game.Seat, _ *game.History) error {
	s.seat, s.known, s.warned = seat, nil, false
	if clear := s.listed.Find(optionClear); clear != nil {
		return s.Say("setoption", clear.Name, "true")
	}
	return nil
}

// Sync sets the position where the engine is to move next, and fences off late
// answers.
func (s *session) Sync(ctx context.Context, history *game.History) error {
	if !history.Position.ToMove().Has(s.seat) {
		return nil
	}
	if err := s.setPosition(history); err != nil {
		return err
	}
	return s.Fence(ctx, nil)
}

// setPosition sends the position, from the engine's side of the board.
func (s *session) setPosition(history *game.History) error {
	p, err := rules.Of(history.Position)
	if err != nil {
		return err
	}
	board := p.Board()
	if s.rotated() {
		board = board.Rotate()
	}
	s.known = history
	return s.Say("setpos data", board.String())
}

func (s *session) rotated() bool { return s.seat == game.Second }

// Ask sends the limits, as options, where they changed, then `go`.
func (s *session) Ask(ask game.Ask) error {
	if s.known != ask.History {
		if err := s.setPosition(ask.History); err != nil {
			return err
		}
	}
	if err := s.limit(ask); err != nil {
		return err
	}
	s.watch = ask.Watch
	return s.Say("go")
}

// Answer waits for `bestmove`; at the soft limit it sends `stop`.
func (s *session) Answer(ctx context.Context) (game.Reply, error) {
	var reply game.Reply
	stopped := false
	stop := func() (bool, error) {
		stopped = true
		if err := s.Say("stop"); err != nil {
			return false, err
		}
		return false, s.Ping() // isready tells a dead search from a dead engine
	}
	err := s.Read(ctx, stop, func(line []byte) (bool, error) {
		fields := strings.Fields(string(line))
		switch {
		case len(fields) > 1 && fields[0] == wordBest:
			s.reply(fields[1:], &reply)
			return true, nil
		case len(fields) == 1 && fields[0] == wordBest:
			return false, game.Protocolf("bestmove without a move")
		case len(fields) > 1 && fields[0] == wordInfo && fields[1] != "string":
			reply.SearchInfo = game.SearchInfo{}
			readInfo(fields[1:], s.rotated(), &reply.SearchInfo)
			if s.watch != nil {
				s.watch(reply.SearchInfo)
			}
		default:
			s.Pass(line)
		}
		return false, nil
	})
	if err != nil {
		return game.Reply{}, s.diagnose(err, stopped)
	}
	return reply, nil
}

// diagnose adds to the timeout of an engine that answers isready but not stop
// that its search is dead.
func (s *session) diagnose(err error, stopped bool) error {
	var fault *game.Fault
	if stopped && s.Owed() == 0 && protocol.IsTimeout(err) && errors.As(err, &fault) {
		detail := strings.TrimPrefix(fault.Detail+"; ", "; ")
		return &game.Fault{Kind: fault.Kind, Detail: detail + "answers isready, but stop brings no bestmove: its search is dead"}
	}
	return err
}

// reply reads what follows `bestmove`. A score of the last info wins over the
// one given here.
func (s *session) reply(fields []string, reply *game.Reply) {
	last := game.SearchInfo{}
	readInfo(fields[1:], s.rotated(), &last)
	if !reply.Known && last.Known {
		reply.Score, reply.Known = last.Score, true
	}
	switch {
	case noMove(fields[0]):
		reply.Resigned = true
	case s.rotated():
		reply.Move = turnedMove(fields[0])
	default:
		reply.Move = fields[0]
	}
}

// The values that lift a limit: UGI has no way to unset an option.
const (
	longestTime  = 24 * time.Hour
	deepestPly   = 99
	highestNodes = 1 << 50
)

// limit sets the options that bound the search, where the engine lists them.
func (s *session) limit(ask game.Ask) error {
	var asked [3]string
	if t := s.moveTime(ask); t > 0 {
		asked[0] = seconds(t)
	}
	if ask.Depth > 0 {
		asked[1] = strconv.Itoa(ask.Depth)
	}
	if ask.Nodes > 0 {
		asked[2] = strconv.FormatInt(ask.Nodes, 10)
	}
	free := [3]string{seconds(longestTime), strconv.Itoa(deepestPly), strconv.FormatInt(highestNodes, 10)}
	for i, option := range [3]string{optionTime, optionPly, optionNodes} {
		if value, news := s.listed.Limit(option, asked[i], free[i]); news {
			if err := s.Say("setoption", s.listed.Find(option).Name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// moveTime is the time limit of one move, 0 for none: the ask's own, or a
// share of the clock, never below what the engine survives.
func (s *session) moveTime(ask game.Ask) time.Duration {
	t := ask.Time
	if left := ask.Clock.Left[s.seat.Index()]; left > 0 {
		share := left/time.Duration(ask.Clock.Parts(s.seat, 25)) + ask.Clock.Increment[s.seat.Index()]*3/4
		share = max(min(share, left*4/5), time.Millisecond)
		if t == 0 || share < t {
			t = share
		}
	}
	limit := t
	if limit == 0 {
		limit = ask.CPU
	}
	if limit == 0 || limit >= s.minMove {
		return t
	}
	if !s.warned {
		s.warned = true
		s.Conn.Warn(fmt.Sprintf("the limit of %v is below min_move %v: it is used instead", limit, s.minMove))
	}
	if t == 0 {
		return 0 // of CPU time: the arena stops it
	}
	return s.minMove
}

// seconds writes a duration in UGI's unit, with a fraction where needed.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
}

// End sends nothing: UGI has no end of a game.
func (s *session) End(context.Context, *game.History, game.Outcome) error { return nil }

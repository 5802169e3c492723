package gyges

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
)

// session is one process's UGI conversation.
type session struct {
	conn    game.Conn
	seat    game.Seat
	listed  map[string]string // options by lower-case name, as the engine wrote them
	told    map[string]string // the last value of each option
	chosen  map[string]string // values from the match file
	minMove time.Duration     // shortest time limit that the engine survives
	short   bool              // it was said that the limit is below minMove
	line    *game.Line        // what the engine was told
	owed    int               // readyok not yet come
}

// Fits accepts every position of Gyges: UGI knows no rules that differ.
func (s *session) Fits(pos game.Position) error {
	if _, ok := pos.(*position); !ok {
		return fmt.Errorf("position %s is not one of gyges", pos)
	}
	return nil
}

// Seat begins a game. UGI has no new game; an engine that lists clearHash is
// told to forget.
func (s *session) Seat(_ context.Context, seat game.Seat, _ *game.Line) error {
	s.seat, s.line, s.short = seat, nil, false
	if listed := s.listed[strings.ToLower(optionClear)]; listed != "" {
		return s.send("setoption " + listed + " true")
	}
	return nil
}

// Sync sets the position where the engine is to move next, and fences off late
// answers.
func (s *session) Sync(ctx context.Context, line *game.Line) error {
	if !line.Position.ToMove().Has(s.seat) {
		return nil
	}
	if err := s.tell(line); err != nil {
		return err
	}
	return s.fence(ctx)
}

// tell sends the position, from the engine's side of the board.
func (s *session) tell(line *game.Line) error {
	p, ok := line.Position.(*position)
	if !ok {
		return fmt.Errorf("position %s is not one of gyges", line.Position)
	}
	board := p.board
	if s.rotated() {
		board = board.rotate()
	}
	s.line = line
	return s.send("setpos data " + board.String())
}

func (s *session) rotated() bool { return s.seat == game.Second }

// Go asks for a move: the limits as options where they changed, then `go`; on
// the soft limit `stop`.
func (s *session) Go(ctx context.Context, ask game.Ask) (game.Reply, error) {
	if s.line != ask.Line {
		if err := s.tell(ask.Line); err != nil {
			return game.Reply{}, err
		}
	}
	if err := s.limit(ask); err != nil {
		return game.Reply{}, err
	}
	if err := s.send("go"); err != nil {
		return game.Reply{}, err
	}
	var report game.Report
	stopped := false
	for {
		line, err := s.conn.Recv(ctx)
		switch {
		case errors.Is(err, game.ErrSoft):
			// isready shows an engine that lives while its search is dead.
			if err := s.send("stop"); err != nil {
				return game.Reply{}, err
			}
			if err := s.askReady(); err != nil {
				return game.Reply{}, err
			}
			stopped = true
			continue
		case err != nil:
			return game.Reply{}, s.diagnose(err, stopped)
		}
		fields := strings.Fields(string(line))
		switch {
		case len(fields) > 1 && fields[0] == wordBest:
			return s.reply(fields[1:], report), nil
		case len(fields) == 1 && fields[0] == wordBest:
			return game.Reply{}, game.Protocolf("bestmove without a move")
		case len(fields) > 1 && fields[0] == wordInfo && fields[1] != "string":
			report = game.Report{}
			readInfo(fields[1:], s.rotated(), &report)
			if ask.Watch != nil {
				ask.Watch(report)
			}
		case s.ready(line):
		default:
			s.conn.Passed(line)
		}
	}
}

// diagnose says more about a timeout of an engine that answers isready but
// not stop: its search died, or hears nothing.
func (s *session) diagnose(err error, stopped bool) error {
	var fault *game.Fault
	if stopped && s.owed == 0 && errors.As(err, &fault) && fault.Kind == game.FaultTimeout {
		detail := strings.TrimPrefix(fault.Detail+"; ", "; ")
		return &game.Fault{Kind: fault.Kind, Detail: detail + "answers isready, but stop brings no bestmove: its search is dead"}
	}
	return err
}

// reply reads what follows `bestmove`.
func (s *session) reply(fields []string, report game.Report) game.Reply {
	said := game.Report{}
	readInfo(fields[1:], s.rotated(), &said)
	if !report.Known && said.Known {
		report.Score, report.Known = said.Score, true
	}
	if noMove(fields[0]) {
		return game.Reply{Resigned: true, Report: report}
	}
	move := fields[0]
	if s.rotated() {
		move = turnedMove(move)
	}
	return game.Reply{Move: move, Report: report}
}

// What an option is set back to once a limit no longer holds: UGI has no way
// to unset one.
const (
	longestTime  = 24 * time.Hour
	deepestPly   = 99
	highestNodes = 1 << 50
)

// limit sets the options that bound the search, where the engine lists them.
func (s *session) limit(ask game.Ask) error {
	set := func(option string, limited bool, value, free string) error {
		listed := s.listed[strings.ToLower(option)]
		if !limited {
			if _, told := s.told[listed]; !told {
				return nil
			}
			value = free
			if chosen, ok := s.chosen[listed]; ok {
				value = chosen
			}
		}
		return s.setOption(option, value)
	}
	t := s.moveTime(ask)
	if err := set(optionTime, t > 0, seconds(t), seconds(longestTime)); err != nil {
		return err
	}
	if err := set(optionPly, ask.Depth > 0, strconv.Itoa(ask.Depth), strconv.Itoa(deepestPly)); err != nil {
		return err
	}
	return set(optionNodes, ask.Nodes > 0, strconv.FormatInt(ask.Nodes, 10), strconv.FormatInt(highestNodes, 10))
}

// moveTime is the time limit of one move, 0 for none: the ask's own, or a
// share of the clock, never below what the engine survives.
func (s *session) moveTime(ask game.Ask) time.Duration {
	t := ask.Time
	if left := ask.Clock.Left[s.seat.Index()]; left > 0 {
		share := left/25 + ask.Clock.Increment[s.seat.Index()]*3/4
		share = max(min(share, left*4/5), time.Millisecond)
		if t == 0 || share < t {
			t = share
		}
	}
	if t > 0 && t < s.minMove {
		if !s.short {
			s.short = true
			s.conn.Warn(fmt.Sprintf("the limit of %v is below min_move %v: the engine is given that", t, s.minMove))
		}
		return s.minMove
	}
	return t
}

// seconds writes a duration in UGI's unit, with a fraction where needed.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
}

// End has nothing to tell: UGI knows no end of a game.
func (s *session) End(context.Context, *game.Line, game.Outcome) error { return nil }

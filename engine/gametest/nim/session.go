package nim

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"

	"thera/engine/game"
)

// dialect is the protocol. From arena to engine: "new SEAT" (answer
// "ok"), "go N POSITION MS NODES" (answer "move N M", optionally with "score
// S", at "stop" if both limits are 0), "stop", "ping N" (answer "pong N"),
// "list POSITION" (answer "moves M…"), "quit". The engine first says "ready".
// N counts questions, to distinguish a late answer from a correct one.
type dialect struct{ limits bool }

func (dialect) Name() string            { return "plain" }
func (dialect) Args(game.Seat) []string { return nil }
func (dialect) Bye() string             { return "quit" }

func (dialect) Ping() (question, answer string) { return "ping 1", "pong 1" }

func (d dialect) Dial(ctx context.Context, conn game.Conn, opts game.Options) (game.Session, game.Info, error) {
	for _, o := range opts.Set {
		if err := (&Game{}).CheckOption(o.Name, o.Value); err != nil {
			return nil, game.Info{}, err
		}
	}
	for {
		line, err := conn.Recv(ctx)
		if err != nil {
			return nil, game.Info{}, err
		}
		if string(line) == "ready" {
			return &session{conn: conn}, game.Info{Name: "nim", Protocol: "plain", Limits: game.Limits{Time: true, Nodes: d.limits, Depth: d.limits}}, nil
		}
		conn.Passed(line)
	}
}

type session struct {
	conn  game.Conn
	asked int
	id    string // of the last question
}

func (s *session) Fits(pos game.Position) error {
	if strings.HasPrefix(pos.String(), "13 ") {
		return errors.New("cannot play with a heap of 13")
	}
	return nil
}

func (s *session) Seat(ctx context.Context, seat game.Seat, _ *game.History) error {
	return s.fence(ctx, "new "+strconv.Itoa(int(seat)), "ok")
}

// fence sends a command, waits for its answer and skips everything else.
func (s *session) fence(ctx context.Context, command, answer string) error {
	if err := s.conn.Send([]byte(command)); err != nil {
		return err
	}
	for {
		line, err := s.conn.Recv(ctx)
		if err != nil {
			return err
		}
		if string(line) == answer {
			return nil
		}
		s.conn.Passed(line)
	}
}

func (s *session) Sync(context.Context, *game.History) error {
	for {
		line, ok := s.conn.Pending()
		if !ok {
			return nil
		}
		s.conn.Passed(line)
	}
}

func (s *session) Ask(ask game.Ask) error {
	s.asked++
	s.id = strconv.Itoa(s.asked)
	return s.conn.Send([]byte("go " + s.id + " " + ask.History.Position.String() + " " +
		strconv.FormatInt(ask.Time.Milliseconds(), 10) + " " + strconv.FormatInt(ask.Nodes+int64(ask.Depth), 10)))
}

func (s *session) Answer(ctx context.Context) (game.Reply, error) {
	for {
		line, err := s.conn.Recv(ctx)
		if errors.Is(err, game.ErrSoft) {
			if err := s.conn.Send([]byte("stop")); err != nil {
				return game.Reply{}, err
			}
			continue
		}
		if err != nil {
			return game.Reply{}, err
		}
		if reply, done, err := s.take(line); done {
			return reply, err
		}
	}
}

// take reads a line; done reports whether it answers the last question.
func (s *session) take(line []byte) (reply game.Reply, done bool, err error) {
	if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("move")) { // parsing every line of a flood would be slow
		s.conn.Passed(line)
		return game.Reply{}, false, nil
	}
	words := bytes.Fields(line)
	if len(words) < 3 || string(words[0]) != "move" || string(words[1]) != s.id {
		if len(words) > 0 && string(words[0]) == "move" && len(words) < 3 {
			return game.Reply{}, true, game.Protocolf("no move in %q", line)
		}
		s.conn.Passed(line)
		return game.Reply{}, false, nil
	}
	if string(words[2]) == "resign" {
		return game.Reply{Resigned: true}, true, nil
	}
	reply = game.Reply{Move: string(words[2])}
	if len(words) == 5 && string(words[3]) == "score" {
		score, err := strconv.Atoi(string(words[4]))
		reply.Score, reply.Known = score, err == nil
	}
	return reply, true, nil
}

func (s *session) End(context.Context, *game.History, game.Outcome) error { return nil }

func (s *session) List(ctx context.Context, pos game.Position) ([]string, error) {
	if err := s.conn.Send([]byte("list " + pos.String())); err != nil {
		return nil, err
	}
	for {
		line, err := s.conn.Recv(ctx)
		if err != nil {
			return nil, err
		}
		if words := strings.Fields(string(line)); len(words) > 0 && words[0] == "moves" {
			return words[1:], nil
		}
		s.conn.Passed(line)
	}
}

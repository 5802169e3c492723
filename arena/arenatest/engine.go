package arenatest

import (
	"bufio"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
)

// plain is the dialect of Countdown's engines, a line a message: `ready` when
// they can be asked, `new` for a new game, `go HEAP SEAT nodes N` answered by
// `move N`, `quit`.
type plain string

func (p plain) Name() string            { return string(p) }
func (p plain) Args(game.Seat) []string { return nil }
func (p plain) Bye() string             { return "quit" }
func (p plain) Ping() (string, string)  { return "", "" }

func (p plain) Dial(ctx context.Context, conn game.Conn, _ game.Options) (game.Session, game.Info, error) {
	for {
		line, err := conn.Recv(ctx)
		if err != nil {
			return nil, game.Info{}, err
		}
		if string(line) == "ready" {
			break
		}
		conn.Passed(line)
	}
	return &session{conn: conn}, game.Info{Name: "countdown", Protocol: "plain", Resets: true, Limits: game.Limits{Nodes: true, Depth: true}}, nil
}

type session struct {
	conn  game.Conn
	nodes int64 // of the last question
}

func (s *session) Fits(game.Position) error { return nil }
func (s *session) Seat(context.Context, game.Seat, *game.Line) error {
	return s.conn.Send([]byte("new"))
}
func (s *session) Sync(context.Context, *game.Line) error              { return nil }
func (s *session) End(context.Context, *game.Line, game.Outcome) error { return nil }

func (s *session) Ask(ask game.Ask) error {
	s.nodes = ask.Nodes
	return s.conn.Send(fmt.Appendf(nil, "go %s nodes %d", ask.Line.Position, ask.Nodes))
}

func (s *session) Answer(ctx context.Context) (game.Reply, error) {
	for {
		line, err := s.conn.Recv(ctx)
		if err == game.ErrSoft {
			continue
		}
		if err != nil {
			return game.Reply{}, err
		}
		if move, ok := strings.CutPrefix(string(line), "move "); ok {
			return game.Reply{Move: move, SearchInfo: game.SearchInfo{Depth: 1, Nodes: s.nodes}}, nil
		}
		s.conn.Passed(line)
	}
}

// CountdownEngine answers on out what is asked on in, until quit. percent of
// its moves are perfect, by the position alone; each takes pause.
func CountdownEngine(in io.Reader, out io.Writer, take, percent int, pause time.Duration) error {
	if _, err := fmt.Fprintln(out, "ready"); err != nil {
		return err
	}
	scan := bufio.NewScanner(in)
	for scan.Scan() {
		words := strings.Fields(scan.Text())
		switch {
		case len(words) == 1 && words[0] == "quit":
			return nil
		case len(words) == 5 && words[0] == "go":
			left, err := strconv.Atoi(words[1])
			if err != nil {
				return err
			}
			if pause > 0 {
				time.Sleep(pause)
			}
			if _, err := fmt.Fprintln(out, "move", pick(left, take, percent, words[2])); err != nil {
				return err
			}
		}
	}
	return scan.Err()
}

func pick(left, take, percent int, seat string) int {
	h := fnv.New64a()
	fmt.Fprint(h, left, seat, percent)
	dice := h.Sum64() >> 8
	if best := left % (take + 1); best > 0 && int(dice%100) < percent {
		return best
	}
	return 1 + int(dice>>20)%min(take, left)
}

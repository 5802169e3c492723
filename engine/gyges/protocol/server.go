package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"thera/engine/game"
	"thera/engine/gyges/player"
	"thera/engine/gyges/rules"
	"thera/engine/protocol"
	"thera/engine/search"
	"thera/engine/serve"
)

const (
	banner       = "Gyges UGI Engine Thera"
	engineName   = "Thera"
	engineAuthor = "the Thera authors"
	tableBytes   = 32 << 20
)

// Player is the built-in engine behind its protocol.
type Player struct{ player.Builtin }

// Serve runs the built-in engine: UGI as written, read while it thinks. It
// takes no arguments. The end of input ends a running search with its move.
func (Player) Serve(ctx context.Context, args []string, in io.Reader, out, _ io.Writer) error {
	if len(args) > 0 {
		return fmt.Errorf("gyges engine: unexpected argument %q", args[0])
	}
	s := &server{out: serve.NewOutput(out), player: player.New(tableBytes)}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	defer s.cancel(nil)
	s.board, _ = rules.ParseBoard(rules.LayoutStart, 12)
	s.out.Line([]byte(banner))
	err := protocol.Lines(in, s.command)
	s.thinker.Stop()
	return err
}

// server is one conversation, from the engine's side.
type server struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	out     *serve.Output
	player  *player.Player
	thinker serve.Thinker
	board   rules.Board
	answers atomic.Int64 // given so far
	last    string       // the answer of the latest search, "" before; read only when none runs
}

// command obeys one line. It never blocks for longer than a search takes to
// notice that it is to stop.
func (s *server) command(line []byte) bool {
	words := strings.Fields(string(line))
	if len(words) == 0 {
		return true
	}
	switch words[0] {
	case "ugi":
		s.introduce()
	case "isready":
		s.out.Line([]byte("readyok"))
	case "setoption":
		s.setOption(words[1:])
	case "setpos":
		s.setPosition(words[1:])
	case "go":
		s.think()
	case "stop":
		s.stop()
	case "quit":
		s.cancel(errQuit) // a running search ends without its answer
		return false
	default:
		s.complain("unknown command: %s", protocol.Clip(string(line)))
	}
	return s.out.Err() == nil
}

func (s *server) complain(format string, args ...any) {
	s.out.Printf("info string "+format, args...)
}

func (s *server) introduce() {
	s.out.Line([]byte("id name " + engineName))
	s.out.Line([]byte("id author " + engineAuthor))
	for _, name := range player.Options() {
		s.out.Line([]byte("option " + name))
	}
	s.out.Line([]byte("ugiok"))
}

// setOption takes `<name> <value>`; a search that runs is not disturbed,
// unless the option is about its memory.
func (s *server) setOption(words []string) {
	if len(words) != 2 {
		s.complain("setoption: want a name and a value")
		return
	}
	switch strings.ToLower(words[0]) {
	case strings.ToLower(player.OptionPly), strings.ToLower(player.OptionTime), strings.ToLower(player.OptionNodes):
	default:
		s.thinker.Stop()
	}
	if err := s.player.Set(words[0], words[1]); err != nil {
		s.complain("%v", err)
	}
}

// setPosition takes `start`, `bench`, `test` or `data <layout>`. What cannot
// be read leaves the board as it was.
func (s *server) setPosition(words []string) {
	var layout string
	switch {
	case len(words) == 2 && words[0] == "data":
		layout = words[1]
	case len(words) == 1:
		named, ok := rules.NamedLayout(words[0])
		if !ok {
			s.complain("setpos: unknown layout %q", protocol.Clip(words[0]))
			return
		}
		layout = named
	default:
		s.complain("setpos: want start, bench, test or data and a layout")
		return
	}
	board, err := rules.ParseBoard(layout, 12)
	if err != nil {
		s.complain("setpos: %v", err)
		return
	}
	s.board = board
}

// think begins a search, after the answer of one that still runs.
func (s *server) think() {
	s.thinker.Stop()
	board, limits := s.board, s.player.Limits()
	s.thinker.Start(s.ctx, func(ctx context.Context) {
		begin := time.Now()
		s.search(ctx, board, limits, func(r search.Result[rules.Move]) {
			s.out.Line(appendInfo(nil, r, time.Since(begin)))
		})
	})
}

func (s *server) search(ctx context.Context, board rules.Board, limits search.Limits, report func(search.Result[rules.Move])) {
	result := s.player.Search(ctx, player.Position{Board: board, Seat: game.First}, limits, report)
	move := "null"
	if result.Found {
		move = result.Move.String()
	} else {
		s.complain("no legal move")
	}
	s.last = move
	s.answers.Add(1)
	if !s.leaving(ctx) {
		s.out.Line([]byte(wordBest + " " + move))
	}
}

// errQuit is why a search that nobody waits for ends.
var errQuit = errors.New("quit")

func (s *server) leaving(ctx context.Context) bool { return context.Cause(ctx) == errQuit }

// appendInfo writes a line of progress in the order of the protocol's text.
func appendInfo(line []byte, r search.Result[rules.Move], took time.Duration) []byte {
	seconds := took.Seconds()
	nps := int64(0)
	if seconds > 0 {
		nps = int64(float64(r.Nodes) / seconds)
	}
	line = fmt.Appendf(line, "info ply %d bestmove %s score %d nodes %d nps %d time ", r.Depth, r.Move, r.Score, r.Nodes, nps)
	line = strconv.AppendFloat(line, seconds, 'f', 6, 64)
	line = append(line, " pv"...)
	for _, m := range r.PV {
		line = m.Append(append(line, ' '))
	}
	return line
}

// stop ends a search with its best move. With no search running it repeats the last answer.
func (s *server) stop() {
	given := s.answers.Load()
	s.thinker.Stop()
	if s.answers.Load() == given && s.last != "" {
		s.out.Line([]byte(wordBest + " " + s.last))
	}
}

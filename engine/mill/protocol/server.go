package protocol

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"thera/engine/mill/player"
	"thera/engine/mill/player/tables"
	"thera/engine/mill/rules"
	"thera/engine/protocol"
	"thera/engine/search"
	"thera/engine/serve"
)

// Player is the built-in engine behind its protocol.
type Player struct{ player.Builtin }

// Serve runs the built-in engine in the written protocol until quit or the end
// of input.
func (Player) Serve(ctx context.Context, args []string, in io.Reader, out, _ io.Writer) error {
	if len(args) > 0 {
		return fmt.Errorf("thera engine mill takes no arguments, got %q: use setoption", args[0])
	}
	s := &server{ctx: ctx, out: serve.NewOutput(out), player: player.New(), settings: player.DefaultSettings()}
	s.reset()
	err := protocol.Lines(in, s.command)
	if s.quitting || s.infinite {
		s.thinker.Stop()
	}
	s.thinker.Wait() // commands before the end of input are answered
	return err
}

// server is one run of the engine. It executes one command at a time; a search
// works on copies.
type server struct {
	ctx      context.Context
	out      *serve.Output
	player   *player.Player
	settings player.Settings
	tables   *tables.Tables // nil without
	loaded   tablesFrom     // where tables come from
	pos      *rules.Position
	thinker  serve.Thinker
	answers  atomic.Int64 // given so far
	last     string       // bestmove, "" before the first; read only when no search runs
	infinite bool         // the last go ends only by stop
	quitting bool
	debug    bool
}

// command executes one line and reports whether to go on. What it does not
// understand it ignores, with an explanation if debug is on.
func (s *server) command(line []byte) bool {
	text := string(bytes.TrimSpace(line))
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "quit":
		s.quitting = true
		return false
	case "uci":
		s.introduce()
	case "isready":
		if !s.thinker.Busy() {
			s.prepare()
		}
		s.out.Printf("readyok")
	case "ucinewgame":
		s.thinker.Stop()
		s.player.Clear()
		s.reset()
		s.prepare()
	case "position":
		s.position(rest)
	case "go":
		s.think(parseGo(strings.Fields(rest)))
	case "stop":
		s.stop()
	case "setoption":
		if err := s.settings.SetOption(rest); err != nil {
			s.explain("%v", err)
		}
	case "debug":
		s.debug = rest == "on"
	case "":
	default:
		s.explain("unknown command %q", word)
	}
	return true
}

// introduce answers uci.
func (s *server) introduce() {
	s.out.Printf("id name Thera Mill")
	s.out.Printf("id author the Thera authors")
	for _, o := range player.Listed().All() {
		s.out.Printf("%s", o.String())
	}
	s.out.Printf("%stime clock depth nodes", limitsLine)
	s.out.Printf("uciok")
}

// reset begins a new game.
func (s *server) reset() {
	s.last = ""
	s.pos = rules.Start(s.settings.Rules)
}

// position sets up a game. A setup that can't be read changes nothing, and an
// illegal move ends the list of moves.
func (s *server) position(rest string) {
	pos, err := parsePosition(s.settings.Rules, rest)
	if err != nil {
		s.explain("%v", err)
	}
	if pos != nil {
		s.pos = pos
	}
}

// tablesFrom is where tables were read from, and for which rule.
type tablesFrom struct {
	folder string
	flying bool
}

// load reads the endgame tables if the options ask for them.
func (s *server) load() {
	s.settings.Tables = nil
	if !s.settings.Database {
		return
	}
	from := tablesFrom{s.settings.Path, s.settings.Rules.Flying}
	if s.tables == nil || s.loaded != from {
		var err error
		if s.tables, err = tables.LoadAll(from.folder, from.flying); err != nil {
			s.explain("endgame tables: %v", err)
		}
		s.loaded = from
	}
	s.settings.Tables = s.tables
}

// prepare does what would delay the first answers.
func (s *server) prepare() {
	s.thinker.Wait()
	s.load()
	s.player.Prepare(s.ctx, &s.settings.Options)
}

// think starts a search. A running search is stopped and answers first.
func (s *server) think(g player.Goal) {
	s.thinker.Stop()
	s.load()
	pos, set := s.pos, s.settings
	s.infinite = g.Infinite
	s.thinker.Start(s.ctx, func(ctx context.Context) {
		move := s.search(ctx, pos, &set, &g)
		if g.Infinite {
			<-ctx.Done()
		}
		s.last = move
		s.answers.Add(1)
		s.out.Printf("bestmove %s", move)
	})
}

// search returns the best move, or "-" if the game is over.
func (s *server) search(ctx context.Context, pos *rules.Position, set *player.Settings, g *player.Goal) string {
	root := pos.State()
	info := newInfoPrinter(s.out, root)
	if outcome, over := pos.Outcome(); over {
		var result player.Result
		switch outcome.Winner {
		case root.Turn.Seat():
			result.Score = search.WinIn(0)
		case root.Turn.Seat().Other():
			result.Score = search.LossIn(0)
		}
		info.finish(result)
		return result.Move.String()
	}
	result := s.player.Think(ctx, pos, &set.Options, g, info.report)
	info.finish(result)
	s.develop(set, "%d nodes, table %d per mille full", result.Nodes, result.Full)
	return result.Move.String()
}

// stop ends a search. An idle engine repeats its last answer.
func (s *server) stop() {
	given := s.answers.Load()
	s.thinker.Stop()
	if s.answers.Load() == given && s.last != "" {
		s.out.Printf("bestmove %s", s.last)
	}
}

// explain prints, with debug on, why something was ignored.
func (s *server) explain(format string, args ...any) {
	if s.debug {
		s.out.Printf("info string "+oneLine(format), args...)
	}
}

// develop prints what DeveloperMode shows.
func (s *server) develop(set *player.Settings, format string, args ...any) {
	if set.Developer {
		s.out.Printf("info string debug: "+format, args...)
	}
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }

package mill

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"thera/engine/game"
	"thera/engine/protocol"
	"thera/engine/search"
	"thera/engine/serve"
)

var _ game.Server = (*Game)(nil)

// Serve runs the built-in engine in the written protocol until quit or the
// end of input.
func (g *Game) Serve(ctx context.Context, args []string, in io.Reader, out, _ io.Writer) error {
	if len(args) > 0 {
		return fmt.Errorf("thera engine mill takes no arguments, got %q: use setoption", args[0])
	}
	log := &logger{out: out}
	defer log.close()
	s := &server{ctx: ctx, log: log, out: serve.NewOutput(log), player: newPlayer(), settings: defaultSettings()}
	s.settings.flying, s.settings.quietPlies = g.rules.flying, g.rules.quiet
	s.reset()
	err := protocol.Lines(in, protocol.AnyEnd, func(line []byte, err error) bool {
		if err != nil {
			s.explain("line passed over: %v", err)
			return true
		}
		return s.command(line)
	})
	if s.quitting || s.infinite {
		s.thinker.Stop()
	}
	s.thinker.Wait() // what was asked before the input ended is answered
	return err
}

// server is one run of the engine. Its commands come one at a time; a search
// works on copies.
type server struct {
	ctx      context.Context
	out      *serve.Output
	log      *logger
	player   *player
	settings settings
	pos      *Position
	thinker  serve.Thinker
	answer   answer
	infinite bool // the last go ends only by stop
	quitting bool
	debug    bool
}

// answer is the last bestmove. Saying it and ending to think are one step, so
// that a stop that follows on it finds an idle engine.
type answer struct {
	mu       sync.Mutex
	thinking bool
	move     string // "" before the first
}

// begin notes that an answer is owed.
func (a *answer) begin() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.thinking = true
}

// give says the answer that was owed.
func (a *answer) give(out *serve.Output, move string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.move, a.thinking = move, false
	out.Printf("bestmove %s", move)
}

// repeat says the last answer again, if there is one, unless a new one is
// owed: then it reports so.
func (a *answer) repeat(out *serve.Output) (owed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.thinking && a.move != "" {
		out.Printf("bestmove %s", a.move)
	}
	return a.thinking
}

func (a *answer) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.move = ""
}

// command does one line and reports whether to go on. What it does not
// understand is passed over in silence, or explained with debug on.
func (s *server) command(line []byte) bool {
	s.log.heard(line)
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
		s.player.clear()
		s.reset()
		s.prepare()
	case "position":
		s.position(rest)
	case "go":
		s.think(parseGoal(strings.Fields(rest)))
	case "stop":
		s.stop()
	case "setoption":
		if err := s.settings.setOption(rest); err != nil {
			s.explain("%v", err)
		}
		s.log.open(s.settings.logFile, s.explain)
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
	for _, o := range settingList() {
		s.out.Printf("%s", o.String())
	}
	s.out.Printf("%stime clock depth nodes", limitsLine)
	s.out.Printf("uciok")
}

// reset is a new game's state.
func (s *server) reset() {
	s.answer.forget()
	s.pos = newPosition(Position{state: startState(), rules: s.rules()})
}

func (s *server) rules() *rules {
	return &rules{flying: s.settings.flying, quiet: s.settings.quietPlies}
}

// position sets up a game; what can't be read leaves it as it was, and an
// illegal move ends the list of moves.
func (s *server) position(rest string) {
	pos, err := parsePosition(s.rules(), rest)
	if err != nil {
		s.explain("%v", err)
	}
	if pos != nil {
		s.pos = pos
	}
}

// load reads the endgame tables when the options ask for them.
func (s *server) load() {
	if !s.settings.database || s.player.tables.from(s.settings.path, s.settings.flying) {
		return
	}
	tables, err := LoadTables(s.settings.path, s.settings.flying)
	if err != nil {
		s.explain("endgame tables: %v", err)
	}
	s.player.tables = tables
}

// prepare does what would take time from the first answers.
func (s *server) prepare() {
	s.thinker.Wait()
	s.load()
	s.player.warm(s.ctx, &s.settings)
}

// think starts a search; one that runs is stopped and answers first.
func (s *server) think(g goal) {
	s.thinker.Stop()
	s.load()
	pos, set := s.pos, s.settings
	s.infinite = g.infinite
	s.answer.begin()
	s.thinker.Start(s.ctx, func(ctx context.Context) {
		move := s.search(ctx, pos, &set, &g)
		if g.infinite {
			<-ctx.Done()
		}
		s.answer.give(s.out, move)
	})
}

// search answers one go with the best move, "-" without one.
func (s *server) search(ctx context.Context, pos *Position, set *settings, g *goal) string {
	info := newInformer(s.out, pos)
	if outcome, over := pos.Outcome(); over {
		result := search.Result[move]{}
		switch outcome.Winner {
		case pos.turn.seat():
			result.Score = search.WinIn(0)
		case pos.turn.seat().Other():
			result.Score = search.LossIn(0)
		}
		info.finish(result)
		return noMove.String()
	}
	s.develop(set, "search starts: %s, skill level %d", drivers[set.algorithm].name, set.skill)
	s.player.root = info.current
	result := s.player.think(ctx, pos, set, g, info.report)
	info.finish(result)
	s.develop(set, "node count: %d, table %d per mille full", result.Nodes, result.Full)
	s.develop(set, "best move found: %s, score: %+d", result.Move, result.Score)
	return result.Move.String()
}

// stop ends a search; an idle engine says its last answer again.
func (s *server) stop() {
	if s.answer.repeat(s.out) {
		s.thinker.Stop()
	}
}

// explain says with debug on why something was passed over.
func (s *server) explain(format string, args ...any) {
	if s.debug {
		s.out.Printf("info string "+oneLine(format), args...)
	}
}

// develop is DeveloperMode's talk.
func (s *server) develop(set *settings, format string, args ...any) {
	if set.developer {
		s.out.Printf("info string debug: "+format, args...)
	}
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }

package protocol

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"thera/engine/protocol"
	"thera/engine/pyrat/player"
	"thera/engine/pyrat/rules"
	"thera/engine/serve"
)

// server is the built-in engine's side of one conversation. Its fields belong
// to the goroutine that reads, except for the atomic ones and, while work is
// busy, player.
type server struct {
	ctx  context.Context
	out  *serve.Output
	work serve.Thinker

	options  player.Options
	debug    bool
	limit    time.Duration   // for a move
	seat     int             // 0 rat, 1 python, -1 unknown
	reader   *rules.Reader   // of a game that is being described, nil otherwise
	recovery *recovery       // with it, after recover
	game     *rules.Position // the current one, nil for none
	player   *player.Player  // of that game, nil before preprocessing
	sawGo    bool            // in this game: a first "moves" before it is a placeholder
	owed     atomic.Bool     // a go without its move
	mute     atomic.Bool     // the running search must not send anything more
	best     atomic.Int32    // the best move so far since the last go
	prepare  atomic.Bool     // startpreprocessing without its done
	postpone bool            // gameover was received
}

// Player is the built-in engine behind its protocol.
type Player struct{ player.Builtin }

// Serve runs the built-in engine until the end of in. There are no arguments.
func (Player) Serve(ctx context.Context, args []string, in io.Reader, out, _ io.Writer) error {
	if len(args) > 0 {
		return fmt.Errorf("unknown argument %q: the engine takes none", args[0])
	}
	s := &server{
		ctx: ctx, out: serve.NewOutput(out), seat: -1,
		options: player.Options{Strategy: player.Search, Depth: player.DefaultDepth}, limit: defaultMove,
	}
	err := protocol.Lines(in, func(line []byte) bool {
		s.command(string(line))
		return s.out.Err() == nil
	})
	s.mute.Store(true)
	s.work.Stop()
	if err == nil {
		err = s.out.Err()
	}
	return err
}

const defaultMove = 100 * time.Millisecond

// command obeys one line. Unknown and ill-timed ones are ignored.
func (s *server) command(line string) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	switch word, args := words[0], words[1:]; word {
	case "pyrat":
		s.introduce()
	case "isready":
		s.out.Printf("readyok")
	case "ready?":
		s.out.Printf("ready")
	case "setoption":
		s.setOption(args)
	case "debug":
		if len(args) == 1 && (args[0] == "on" || args[0] == "off") {
			s.debug = args[0] == "on"
		}
	case "newgame":
		s.begin(nil)
	case "recover":
		s.begin(&recovery{})
	case "startpreprocessing":
		s.preprocess()
	case "moves":
		s.moved(args)
	case "go":
		s.think()
	case "stop":
		s.stop()
	case "timeout":
		s.late(args)
	case "gameover":
		s.quiet()
		s.postpone = true
		s.game, s.reader = nil, nil
	case "startpostprocessing":
		if s.postpone {
			s.postpone = false
			s.out.Printf("postprocessingdone")
		}
	default:
		s.describe(word, args, line)
	}
}

func (s *server) remark(format string, args ...any) {
	if s.debug {
		s.out.Printf("info string %s", fmt.Sprintf(format, args...))
	}
}

func (s *server) introduce() {
	s.out.Printf("id name Thera")
	s.out.Printf("id author the Thera authors")
	for _, o := range player.Listed().All() {
		s.out.Printf("%s", o.String())
	}
	s.out.Printf("protocol version 1.0")
	s.out.Printf("pyratready")
}

// setOption takes "name N value V"; it holds from the next move on.
func (s *server) setOption(args []string) {
	text := strings.Join(args, " ")
	name, value, _ := strings.Cut(strings.TrimPrefix(text, "name "), " value ")
	list := player.Listed()
	o := list.Find(name)
	if o == nil {
		s.remark("%v", list.Unlisted(name))
		return
	}
	if err := o.Check(value); err != nil {
		s.remark("%v", err)
		return
	}
	n, _ := strconv.Atoi(value)
	switch o.Name {
	case "Strategy":
		s.options.Strategy = value
	case "SearchDepth":
		s.options.Depth = n
	case optionPlayouts:
		s.options.Playouts = n
	case optionDepth:
		s.options.Until = n
	case "Debug":
		s.debug = value == "true"
	}
}

// begin starts the description of a game.
func (s *server) begin(r *recovery) {
	s.quiet()
	s.game, s.player, s.sawGo, s.postpone = nil, nil, false, false
	s.reader, s.recovery = rules.NewReader(rules.Settings{}), r
	if r == nil {
		s.seat = -1
	}
}

// describe takes a line of a game's description.
func (s *server) describe(word string, args []string, line string) {
	if s.reader == nil {
		s.remark("ignored %q", line)
		return
	}
	switch word {
	case "youare":
		for i, name := range rules.Players {
			if len(args) == 1 && args[0] == name {
				s.seat = i
			}
		}
	case "timecontrol":
		for _, word := range args {
			text, ok := strings.CutPrefix(word, "move:")
			if ms, err := strconv.ParseUint(text, 10, 30); ok && err == nil {
				s.limit = time.Duration(ms) * time.Millisecond
			}
		}
	case "maze", "walls", "mud", "cheese", "player1", "player2":
		if _, err := s.reader.Read(line); err != nil {
			s.remark("%v", err)
		}
	case "moves_history", "current_position", "score":
		if s.recovery == nil {
			s.remark("ignored %q", line)
		} else if err := s.recovery.read(s.reader, word, args, line); err != nil {
			s.remark("%v", err)
		}
	default:
		s.remark("ignored %q", line)
	}
}

// settle makes a game of the description. Without a game all answers are STAY.
func (s *server) settle() {
	if s.reader == nil {
		return
	}
	d, r := s.reader, s.recovery
	s.reader, s.recovery = nil, nil
	d.Optional("walls", "mud") // hosts leave empty ones out
	var p *rules.Position
	var err error
	if r != nil {
		p, err = d.Recover(r.history, r.at)
		s.sawGo = true // no placeholder follows
	} else {
		p, err = d.Position()
	}
	if err != nil {
		s.remark("no game: %v", err)
		return
	}
	s.game = p
}

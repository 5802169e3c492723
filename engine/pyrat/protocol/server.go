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
	"thera/engine/serve"
)

// server is the built-in engine's side of one conversation. Its fields belong
// to the goroutine that reads, except for the atomic ones and, while work is
// busy, player.
type server struct {
	ctx  context.Context
	out  *serve.Output
	work serve.Thinker
	view View

	options  player.Options
	debug    bool
	player   *player.Player // of that game, nil before preprocessing
	owed     atomic.Bool    // a go without its move
	mute     atomic.Bool    // the running search must not send anything more
	best     atomic.Int32   // the best move so far since the last go
	prepare  atomic.Bool    // startpreprocessing without its done
	postpone bool           // gameover was received
}

// Player is the built-in engine behind its protocol.
type Player struct{ player.Builtin }

// Serve runs the built-in engine until the end of in. There are no arguments.
func (Player) Serve(ctx context.Context, args []string, in io.Reader, out, _ io.Writer) error {
	if len(args) > 0 {
		return fmt.Errorf("unknown argument %q: the engine takes none", args[0])
	}
	s := &server{
		ctx: ctx, out: serve.NewOutput(out), view: View{Seat: -1, Move: defaultMove},
		options: player.Options{Strategy: player.Search, Depth: player.DefaultDepth},
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
		s.begin(false)
	case "recover":
		s.begin(true)
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
		s.view.Forget()
	case "startpostprocessing":
		if s.postpone {
			s.postpone = false
			s.out.Printf("postprocessingdone")
		}
	default:
		if err := s.view.Describe(line); err != nil {
			s.remark("%v", err)
		}
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
	case "Plain":
		s.options.Plain = value == "true"
	case "Debug":
		s.debug = value == "true"
	}
}

// begin starts the description of a game.
func (s *server) begin(again bool) {
	s.quiet()
	s.player, s.postpone = nil, false
	s.view.Begin(again)
}

// settle makes a game of the description. Without a game all answers are STAY.
func (s *server) settle() {
	if err := s.view.Settle(); err != nil {
		s.remark("%v", err)
	}
}

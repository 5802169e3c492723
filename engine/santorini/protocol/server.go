package protocol

import (
	"context"
	cli "flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"thera/engine/protocol"
	"thera/engine/santorini/player"
	"thera/engine/santorini/rules"
	"thera/engine/serve"
)

// server is the built-in engine: the protocol on one pair of streams. It handles
// commands on the goroutine that reads them; only the search runs on another.
type server struct {
	out     *serve.Output
	v2      bool // --protocol v2: answers in form V2 and with the fields of v2
	player  *player.Player
	thinker serve.Thinker
	line    []byte      // what next_moves writes, reused to save allocations
	quiet   atomic.Bool // the running search does not print its last line
}

// features is what `started` announces beyond the text of the protocol.
const features = `"limits","new_game","v2"`

// Player is the built-in engine behind its protocol.
type Player struct{ player.Builtin }

// Serve runs the built-in engine; args may hold --protocol v1 or v2.
func (Player) Serve(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
	return serveEngine(ctx, args, in, out, errOut)
}

// serveEngine runs the built-in engine until quit or the end of in.
func serveEngine(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
	flags := cli.NewFlagSet("santorini", cli.ContinueOnError)
	flags.SetOutput(errOut)
	version := flags.String("protocol", dialectV1, "dialect of the answers: v1 or v2")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if *version != dialectV1 && *version != dialectV2 {
		return fmt.Errorf("--protocol %q: want v1 or v2", *version)
	}
	s := &server{out: serve.NewOutput(out), v2: *version == dialectV2, player: player.New()}
	defer s.hush()
	s.out.Printf(`{"type":"started","features":[%s]}`, features)
	return protocol.Lines(in, func(line []byte) bool {
		return s.handle(ctx, string(line)) && s.out.Err() == nil
	})
}

// handle executes one command. It returns false to end the engine.
func (s *server) handle(ctx context.Context, line string) bool {
	words := strings.Fields(line)
	if len(words) == 0 {
		return true
	}
	var err error
	switch words[0] {
	case "set_position":
		err = s.setPosition(ctx, words[1:])
	case "next_moves":
		err = s.nextMoves(words[1:])
	case "ping":
		s.out.Line([]byte("pong"))
	case "stop":
		s.thinker.Stop()
	case "quit":
		return false
	case "new_game":
		s.hush()
		s.player.NewGame()
	case "set_option":
		err = s.setOption(words[1:])
	default:
		err = fmt.Errorf("unknown command %q", protocol.Clip(words[0]))
	}
	if err != nil {
		s.fail(line, err)
	}
	return true
}

// fail answers a command that was refused. Nothing has changed.
func (s *server) fail(command string, err error) {
	out := Quote([]byte(`{"type":"error","message":`), err.Error())
	out = Quote(append(out, `,"command":`...), protocol.Clip(command))
	s.out.Line(append(out, '}'))
}

// hush ends a running search without its last line.
func (s *server) hush() {
	s.quiet.Store(true)
	s.thinker.Stop()
}

// read parses a position. The form is that of the answer: the form of the question,
// or V2 with --protocol v2.
func (s *server) read(text string) (rules.State, rules.Form, error) {
	p, f, err := rules.Parse(text)
	if err == nil && s.v2 {
		f = rules.V2
	}
	return p, f, err
}

// The largest limits: ten days, and what a float64 counts exactly.
const (
	maxSeconds = 864_000
	maxDepth   = 100
	maxNodes   = 1 << 53
)

// limitsOf reads the words after the position of set_position.
func limitsOf(words []string) (l player.Limits, final bool, err error) {
	most := map[string]float64{"movetime": maxSeconds, "depth": maxDepth, "nodes": maxNodes}
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if word == "final" {
			final = true
			continue
		}
		if most[word] == 0 {
			return l, false, fmt.Errorf("unexpected %q, want movetime, depth, nodes or final", protocol.Clip(word))
		}
		if len(words) == 0 {
			return l, false, fmt.Errorf("%s without a value", word)
		}
		n, bad := strconv.ParseFloat(words[0], 64)
		if bad != nil || !(n > 0 && n <= most[word]) || word != "movetime" && n != math.Trunc(n) {
			return l, false, fmt.Errorf("%s %q: want a positive number, at most %.0f", word, protocol.Clip(words[0]), most[word])
		}
		words = words[1:]
		switch word {
		case "movetime":
			l.Time = max(time.Duration(n*float64(time.Second)), 1)
		case "depth":
			l.Depth = int(n)
		case "nodes":
			l.Nodes = int64(n)
		}
	}
	return l, final, nil
}

// nextMoves answers with every distinct next state and a shortest chain.
func (s *server) nextMoves(words []string) error {
	if len(words) != 1 {
		return fmt.Errorf("next_moves wants one position, got %d words", len(words))
	}
	p, f, err := s.read(words[0])
	if err != nil {
		return err
	}
	if p.Winner != 0 {
		return fmt.Errorf("position: the game is over, player %d has won", p.Winner)
	}
	out := append(s.line[:0], `{"type":"next_moves"`...)
	out = s.heading(out, words[0], &p, f)
	out = append(out, `,"next_states":[`...)
	found := rules.Turns(&p)
	for i := range found {
		if i > 0 {
			out = append(out, ',')
		}
		out = AppendPosition(append(out, `{"next_state":`...), &found[i].Next, f)
		out = append(AppendChain(append(out, `,"actions":`...), found[i].Chain, f), '}')
	}
	if len(found) == 0 {
		q := rules.Blocked(&p, f)
		out = AppendPosition(append(out, `{"next_state":`...), &q, f)
		out = append(out, `,"actions":[{"type":"no_moves"}]}`...)
	}
	s.line = append(out, "]}"...)
	s.out.Line(s.line)
	return nil
}

// heading appends the position that an answer is about.
func (s *server) heading(out []byte, asked string, p *rules.State, f rules.Form) []byte {
	if s.v2 {
		out = Quote(append(out, `,"original_str":`...), asked)
	}
	return AppendPosition(append(out, `,"start_state":`...), p, f)
}

// setOption changes an option of the player, unless a search is running.
func (s *server) setOption(words []string) error {
	if len(words) != 2 {
		return fmt.Errorf("set_option wants a name and a value, got %d words", len(words))
	}
	if s.thinker.Busy() {
		return fmt.Errorf("option %s: a search is running: stop it first", protocol.Clip(words[0]))
	}
	return s.player.Set(words[0], words[1])
}

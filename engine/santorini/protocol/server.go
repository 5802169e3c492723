package protocol

import (
	"context"
	cli "flag"
	"fmt"
	"io"
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
// commands on the goroutine that reads them; only the search has its own.
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
	return protocol.Lines(in, protocol.Newline, func(line []byte, err error) bool {
		if err != nil {
			s.fail("", err)
			return true
		}
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
		err = fmt.Errorf("unknown command %q", rules.Clip(words[0]))
	}
	if err != nil {
		s.fail(line, err)
	}
	return true
}

// fail answers a command that was refused. Nothing has changed.
func (s *server) fail(command string, err error) {
	out := Quote([]byte(`{"type":"error","message":`), err.Error())
	out = Quote(append(out, `,"command":`...), rules.Clip(command))
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

// limitsOf reads the words after the position of set_position.
func limitsOf(words []string) (l player.Limits, final bool, err error) {
	seen := map[string]bool{}
	for i := 0; i < len(words); i++ {
		word := words[i]
		if seen[word] {
			return l, false, fmt.Errorf("%s is given twice", rules.Clip(word))
		}
		seen[word] = true
		if word == "final" {
			final = true
			continue
		}
		if word != "movetime" && word != "depth" && word != "nodes" {
			return l, false, fmt.Errorf("unexpected %q, want movetime, depth, nodes or final", rules.Clip(word))
		}
		if i++; i == len(words) {
			return l, false, fmt.Errorf("%s without a value", word)
		}
		if err := setLimit(&l, word, words[i]); err != nil {
			return l, false, err
		}
	}
	return l, final, nil
}

// setLimit reads the value of one limit, which must be positive.
func setLimit(l *player.Limits, word, value string) error {
	switch word {
	case "movetime":
		seconds, err := strconv.ParseFloat(value, 64)
		if err != nil || !(seconds > 0) || seconds > maxSeconds {
			return fmt.Errorf("movetime %q: want seconds above 0, at most %d", rules.Clip(value), maxSeconds)
		}
		l.Time = max(time.Duration(seconds*float64(time.Second)), 1)
	case "depth":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > maxDepth {
			return fmt.Errorf("depth %q: want 1 to %d", rules.Clip(value), maxDepth)
		}
		l.Depth = n
	case "nodes":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 1 {
			return fmt.Errorf("nodes %q: want a positive number", rules.Clip(value))
		}
		l.Nodes = n
	}
	return nil
}

// maxSeconds is the largest movetime: ten days.
const maxSeconds = 864_000

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
		return fmt.Errorf("option %s: a search is running: stop it first", rules.Clip(words[0]))
	}
	return s.player.Set(words[0], words[1])
}

// maxDepth is the largest depth that a search accepts.
const maxDepth = 100

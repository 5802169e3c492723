package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"thera/arena/proc"
)

// floor measures bare pipes with the same engines and the same lines. It writes
// each question and reads the answer up to the end of its last line. It checks,
// times and stores nothing.
func (b *bench) floor(env []string, all []message, atLeast time.Duration) (speed, error) {
	var engines [2]bare
	for i := range engines {
		if err := engines[i].start(append(slices.Clone(b.Instant), b.args[i]...), env); err != nil {
			return speed{}, err
		}
		defer engines[i].end()
	}
	turns := turnsOf(all)
	if b.simultaneous {
		turns = simultaneously(all)
	}
	var s speed
	begun, before := time.Now(), proc.OwnCPU()
	for first := true; first || time.Since(begun) < atLeast; first = false {
		for i := 0; i < len(turns); {
			n := max(turns[i].together, 1)
			if err := ask(&engines, turns[i:i+n], first); err != nil {
				return s, err
			}
			for _, t := range turns[i : i+n] {
				if t.move {
					s.moves++
				}
			}
			i += n
		}
		s.games++
	}
	s.wall, s.cpu = time.Since(begun), proc.OwnCPU()-before
	return s, nil
}

// ask writes all questions, then reads all answers. An engine's lines before its
// first question come only once.
func ask(engines *[2]bare, turns []exchange, first bool) error {
	for i := range turns {
		if t := &turns[i]; len(t.question) > 0 {
			if _, err := engines[t.engine].in.Write(t.question); err != nil {
				return err
			}
		}
	}
	for i := range turns {
		if t := &turns[i]; t.answers > 0 && (len(t.question) > 0 || first) {
			if err := engines[t.engine].lines(t.answers); err != nil {
				return err
			}
		}
	}
	return nil
}

// speed is an amount of play and the time it took.
type speed struct {
	games, moves int
	wall, cpu    time.Duration
}

func (s speed) perSecond() float64 { return float64(s.moves) / s.wall.Seconds() }

func (s speed) cpuMicros() float64 { return float64(s.cpu.Nanoseconds()) / 1e3 / float64(s.moves) }

func (s speed) millisGame() float64 { return s.wall.Seconds() * 1e3 / float64(s.games) }

// exchange is one question and the number of lines in its answer.
type exchange struct {
	engine   int
	question []byte
	answers  int
	move     bool
	together int // questions from this one on that are sent before any answer is read; 0 means 1
}

// turnsOf groups the messages of a recorded game into exchanges. Lines that were
// sent without an answer in between are one question, as the arena writes them.
func turnsOf(all []message) []exchange {
	var turns []exchange
	for _, line := range all {
		engine := 0
		if line.engine == "b" {
			engine = 1
		}
		last := len(turns) - 1
		switch {
		case line.dir == '>' && line.text == "quit": // the same processes play on
		case line.dir == '<' && (last < 0 || turns[last].engine != engine):
			turns = append(turns, exchange{engine: engine, answers: 1})
		case line.dir == '<':
			turns[last].answers++
		case last >= 0 && turns[last].engine == engine && turns[last].answers == 0:
			turns[last].question = append(append(turns[last].question, line.text...), '\n')
		default:
			turns = append(turns, exchange{engine: engine, question: []byte(line.text + "\n")})
		}
	}
	for i := range turns {
		turns[i].move = turns[i].answers > 0 && isQuestion(turns[i].question)
	}
	return turns
}

// simultaneously is turnsOf for a game in which both seats move at once. The
// n-th questions of both engines stand next to each other.
func simultaneously(all []message) []exchange {
	var sides [2][]exchange
	for i, engine := range []string{"a", "b"} {
		sides[i] = turnsOf(slices.DeleteFunc(slices.Clone(all), func(s message) bool { return s.engine != engine }))
	}
	var turns []exchange
	for i := range max(len(sides[0]), len(sides[1])) {
		from := len(turns)
		for _, side := range sides {
			if i < len(side) {
				turns = append(turns, side[i])
			}
		}
		turns[from].together = len(turns) - from
	}
	return turns
}

// isQuestion reports whether text asks for a move in any of the protocols.
func isQuestion(text []byte) bool {
	for line := range bytes.Lines(text) {
		for _, word := range []string{"set_position", "go", "make_move"} {
			if bytes.HasPrefix(line, []byte(word)) {
				return true
			}
		}
	}
	return false
}

// bare is an engine behind two blocking pipes.
type bare struct {
	cmd     *exec.Cmd
	in, out *os.File
	buf     []byte
	from    int
	to      int
}

func (b *bare) start(command, env []string) error {
	inR, inW, err := os.Pipe()
	if err != nil {
		return err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return errors.Join(err, inR.Close(), inW.Close())
	}
	b.cmd = exec.Command(command[0], command[1:]...)
	b.cmd.Env = append(os.Environ(), env...)
	b.cmd.Stdin, b.cmd.Stdout = inR, outW
	b.in, b.out, b.buf = inW, outR, make([]byte, 64<<10)
	inW.Fd() // makes the file blocking: the network poller would cost more than the pipe
	outR.Fd()
	err = b.cmd.Start()
	return errors.Join(err, inR.Close(), outW.Close())
}

// lines reads n lines.
func (b *bare) lines(n int) error {
	for {
		for n > 0 {
			at := bytes.IndexByte(b.buf[b.from:b.to], '\n')
			if at < 0 {
				break
			}
			b.from += at + 1
			n--
		}
		if n == 0 {
			return nil
		}
		if b.from == b.to {
			b.from, b.to = 0, 0
		} else if b.to == len(b.buf) {
			b.to = copy(b.buf, b.buf[b.from:b.to])
			b.from = 0
		}
		k, err := b.out.Read(b.buf[b.to:])
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return fmt.Errorf("the instant engine on bare pipes: %w", err)
		}
		b.to += k
	}
}

func (b *bare) end() {
	_ = b.in.Close()
	_ = b.cmd.Wait()
	_ = b.out.Close()
}

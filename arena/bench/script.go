package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"thera/arena"
	"thera/arena/match"
	"thera/engine/game"
)

// script is a recorded game for the instant engine: the lines that each seat's
// engine received, and its answers.
type script [2]part

// part is one seat's half of a script. The instant engine follows the part of its
// seat, or both in turn where its command line does not name the seat. It answers
// a line as the script does at the next place where that line occurs.
type part struct {
	Args    []string // of the seat's process
	Opening []string // lines before the first question
	Turns   []turn
}

// turn is one line to an engine and its answer.
type turn struct {
	Line   string
	Answer string // lines ending in newlines, "" for none
}

// message is one line of a recorded game.
type message struct {
	engine string
	dir    byte
	text   string
}

// recordGame plays one game of the engine against itself at depth 3 and returns
// all lines in both directions, in order.
func recordGame(ctx context.Context, g game.Game, command []string) ([]message, *arena.Record, error) {
	var all []message
	options := recordedOptions(g.Name())
	plan := &arena.Plan{
		Game: g, Limit: instantLimit(),
		Engines: []arena.EngineSpec{{Name: "a", Command: command, Options: options}, {Name: "b", Command: command, Options: options}},
	}
	lines := make(chan message, 1024)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for s := range lines {
			all = append(all, s)
		}
	}()
	w := match.NewWorker(plan, 0, match.Options{Trace: func(engine string, dir byte, line []byte) {
		lines <- message{engine, dir, string(line)}
	}})
	start, err := g.Start(0, 1)
	if err != nil {
		return nil, nil, err
	}
	rec, err := w.Play(ctx, arena.Job{ID: "record", Pairing: [2]string{"a", "b"}}, arena.Opening{Position: start})
	_ = w.Close()
	close(lines)
	<-done
	if err == nil && rec.Source != arena.Natural && rec.Source != arena.Adjudicated {
		err = fmt.Errorf("recording a game of %s: %s", g.Name(), rec.Detail)
	}
	return all, rec, err
}

// recordedOptions make the built-in engine quick where its protocol has no depth
// limit.
func recordedOptions(name string) []game.Option {
	switch name {
	case "hex":
		return []game.Option{{Name: "bot", Value: "two-distance"}}
	case "pyrat":
		return []game.Option{{Name: "Strategy", Value: "Greedy"}}
	}
	return nil
}

// instantLimit lets every engine answer as fast as it can and never times out.
func instantLimit() arena.Limit {
	return arena.Limit{Depth: 3, MaxMove: 20 * time.Second, Grace: 5 * time.Second}
}

// scriptOf makes a script of a recorded game. The arguments are those of the
// seats' processes.
func scriptOf(all []message, args [2][]string) *script {
	var s script
	for i, engine := range []string{"a", "b"} {
		p := &s[i]
		p.Args = args[i]
		for _, line := range all {
			switch last := len(p.Turns) - 1; {
			case line.engine != engine:
			case line.dir == '>':
				p.Turns = append(p.Turns, turn{Line: line.text})
			case last < 0:
				p.Opening = append(p.Opening, line.text)
			default:
				p.Turns[last].Answer += line.text + "\n"
			}
		}
	}
	return &s
}

// Environment of the instant engine: the script file, and a folder for the times
// of its questions and answers.
const (
	scriptEnv = "THERA_BENCH_SCRIPT"
	stampsEnv = "THERA_BENCH_STAMPS"
)

// Serve is the instant engine that [Run] starts, with the arguments of its seat.
// It answers every line from the recorded game.
func Serve(args []string, in io.Reader, out io.Writer) error {
	return serveScript(os.Getenv(scriptEnv), os.Getenv(stampsEnv), args, in, out)
}

// serveScript answers from the script at path. If stamps is not empty, it writes a
// file in that folder at the end: the wall clock at each question and each answer,
// in nanoseconds.
func serveScript(path, stamps string, args []string, in io.Reader, out io.Writer) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var s script
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	answers, at := map[string]*places{}, 0
	var first []string
	for _, p := range s {
		if !slices.Equal(p.Args, args) {
			continue
		}
		first = p.Opening
		for _, h := range p.Turns {
			if answers[h.Line] == nil {
				answers[h.Line] = &places{}
			}
			answers[h.Line].add(at, h.Answer)
			at++
		}
	}
	at = -1
	for _, line := range first {
		if _, err := io.WriteString(out, line+"\n"); err != nil {
			return err
		}
	}
	var notes []int64
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			break
		}
		line = line[:len(line)-1]
		if string(line) == "quit" {
			break
		}
		if stamps != "" {
			notes = append(notes, time.Now().UnixNano())
		}
		t := answers[string(line)]
		if t == nil {
			fmt.Fprintf(os.Stderr, "not in the script: %s\n", line)
			continue
		}
		answer := t.next(&at)
		if stamps != "" {
			if len(answer) == 0 {
				notes = notes[:len(notes)-1]
			} else {
				notes = append(notes, time.Now().UnixNano())
			}
		}
		if len(answer) > 0 {
			if _, err := out.Write(answer); err != nil {
				return err
			}
		}
	}
	if stamps == "" {
		return nil
	}
	return writeStamps(stamps, notes)
}

// places are the indexes in the script where a line occurs, and its answers there.
type places struct {
	at      []int
	answers [][]byte
}

func (p *places) add(at int, answer string) {
	p.at, p.answers = append(p.at, at), append(p.answers, []byte(answer))
}

// next moves at to the first place after it, or from the end to the first place,
// and returns the answer there.
func (p *places) next(at *int) []byte {
	i, _ := slices.BinarySearch(p.at, *at+1)
	if i == len(p.at) {
		i = 0
	}
	*at = p.at[i]
	return p.answers[i]
}

func writeStamps(folder string, notes []int64) error {
	text, err := json.Marshal(notes)
	if err != nil {
		return err
	}
	return os.WriteFile(fmt.Sprintf("%s/%d.json", folder, os.Getpid()), text, 0o644)
}

package main

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

// script is a recorded game that an instant engine plays again: what was said
// to each seat's engine, and what that answered.
type script [2]part

// part is one seat's. An engine goes forward in it, or in both, one after the
// other, where its command line does not tell the seat: to a line that it is
// sent it gives the answer of the next place where that line stands.
type part struct {
	Args  []string // of the seat's process
	First []string // said before the first line
	Heard []heard
}

type heard struct {
	Line   string
	Answer string // lines ending in newlines, "" for none
}

// spoken is one line of a recorded game.
type spoken struct {
	engine string
	dir    byte
	text   string
}

// recordGame plays one game of the built-in engine against itself at depth 3
// and returns all that was said, in order.
func recordGame(ctx context.Context, g game.Game, command []string) ([]spoken, *arena.Record, error) {
	var all []spoken
	options := recordedOptions(g.Name())
	plan := &arena.Plan{
		Game: g, Limit: benchLimit(),
		Engines: []arena.EngineSpec{{Name: "a", Command: command, Options: options}, {Name: "b", Command: command, Options: options}},
	}
	lines := make(chan spoken, 1024)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for s := range lines {
			all = append(all, s)
		}
	}()
	w := match.NewWorker(plan, 0, match.Options{Trace: func(engine string, dir byte, line []byte) {
		lines <- spoken{engine, dir, string(line)}
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

// recordedOptions make the built-in engine quick where its protocol knows no
// limit of depth.
func recordedOptions(name string) []game.Option {
	switch name {
	case "hex":
		return []game.Option{{Name: "bot", Value: "two-distance"}}
	case "pyrat":
		return []game.Option{{Name: "Strategy", Value: "Greedy"}}
	}
	return nil
}

// benchLimit lets every engine answer as fast as it can and never times out.
func benchLimit() arena.Limit {
	return arena.Limit{Depth: 3, MaxMove: 20 * time.Second, Grace: 5 * time.Second}
}

// scriptOf makes the instant engines' script. args are those of the seats'
// processes.
func scriptOf(all []spoken, args [2][]string) *script {
	var s script
	for i, engine := range []string{"a", "b"} {
		p := &s[i]
		p.Args = args[i]
		for _, line := range all {
			switch last := len(p.Heard) - 1; {
			case line.engine != engine:
			case line.dir == '>':
				p.Heard = append(p.Heard, heard{Line: line.text})
			case last < 0:
				p.First = append(p.First, line.text)
			default:
				p.Heard[last].Answer += line.text + "\n"
			}
		}
	}
	return &s
}

// serveScript is the instant engine. With stamps it notes when each question
// came and each answer left, in nanoseconds of the wall clock, and writes them
// there at its end.
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
		first = p.First
		for _, h := range p.Heard {
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

// places are where a line stands in the script, and the answers there.
type places struct {
	at   []int
	said [][]byte
}

func (p *places) add(at int, answer string) {
	p.at, p.said = append(p.at, at), append(p.said, []byte(answer))
}

// next goes to the first place behind at, from the end to the beginning.
func (p *places) next(at *int) []byte {
	i, _ := slices.BinarySearch(p.at, *at+1)
	if i == len(p.at) {
		i = 0
	}
	*at = p.at[i]
	return p.said[i]
}

func writeStamps(folder string, notes []int64) error {
	text, err := json.Marshal(notes)
	if err != nil {
		return err
	}
	return os.WriteFile(fmt.Sprintf("%s/%d.json", folder, os.Getpid()), text, 0o644)
}

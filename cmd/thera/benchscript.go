package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"thera/arena"
	"thera/arena/match"
	"thera/engine/game"
)

// script is a recorded conversation that an instant engine gives back: to
// every line it was sent, what it said, in turn where a line came often.
type script struct {
	First   []string            // said before the first line
	Answers map[string][]string // each a whole answer of lines ending in newlines, "" for none
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
	plan := &arena.Plan{
		Game: g, Limit: benchLimit(),
		Engines: []arena.EngineSpec{{Name: "a", Command: command}, {Name: "b", Command: command}},
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

// benchLimit lets every engine answer as fast as it can and never times out.
func benchLimit() arena.Limit {
	return arena.Limit{Depth: 3, MaxMove: 20 * time.Second, Grace: 5 * time.Second}
}

// scriptOf makes the instant engine's script, for both seats.
func scriptOf(all []spoken) *script {
	s := &script{Answers: map[string][]string{}}
	for _, engine := range []string{"a", "b"} {
		heard := ""
		open := false
		var answer bytes.Buffer
		put := func() {
			if open {
				s.Answers[heard] = append(s.Answers[heard], answer.String())
			}
			answer.Reset()
		}
		s.First = nil
		for _, line := range all {
			switch {
			case line.engine != engine:
			case line.dir == '>':
				put()
				heard, open = line.text, true
			case !open:
				s.First = append(s.First, line.text)
			default:
				answer.WriteString(line.text + "\n")
			}
		}
		put()
	}
	return s
}

// serveScript is the instant engine. With stamps it notes when each question
// came and each answer left, in nanoseconds of the wall clock, and writes them
// there at its end.
func serveScript(path, stamps string, in io.Reader, out io.Writer) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var s script
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	answers := map[string]*turnOf{}
	for heard, said := range s.Answers {
		t := &turnOf{}
		for _, a := range said {
			t.said = append(t.said, []byte(a))
		}
		answers[heard] = t
	}
	for _, line := range s.First {
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
		answer := t.next()
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

// turnOf gives the answers to one line in turn.
type turnOf struct {
	said [][]byte
	at   int
}

func (t *turnOf) next() []byte {
	answer := t.said[t.at]
	if t.at++; t.at == len(t.said) {
		t.at = 0
	}
	return answer
}

func writeStamps(folder string, notes []int64) error {
	text, err := json.Marshal(notes)
	if err != nil {
		return err
	}
	return os.WriteFile(fmt.Sprintf("%s/%d.json", folder, os.Getpid()), text, 0o644)
}

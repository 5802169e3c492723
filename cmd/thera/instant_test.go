package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/match"
	"thera/engine/santorini"
)

// recordedMoves is a game for the instant engine: what an engine says first, and in the order of
// the game each line that the engines received with its answer.
type recordedMoves struct {
	Moves   int
	Opening map[string]string // by engine
	Lines   []recordedLine
}

// recordedLine is one line to an engine.
type recordedLine struct {
	Line   string
	Answer string // lines ending in newlines, "" for none
}

// recordInstant plays a game of the built-in engine against itself and writes what the instant
// engine needs to play it again.
func recordInstant(t testing.TB, path string) *recordedMoves {
	t.Helper()
	self, err := exec.LookPath("thera")
	if err != nil {
		t.Fatal(err)
	}
	engine := func(name string) arena.EngineSpec {
		return arena.EngineSpec{Name: name, Command: []string{self, "engine", "santorini"}}
	}
	plan := &arena.Plan{
		Game: santorini.New(), Limit: arena.Limit{Depth: 3, MaxMove: time.Minute, Grace: 5 * time.Second},
		Engines: []arena.EngineSpec{engine("a"), engine("b")},
	}
	script := recordedMoves{Opening: map[string]string{}}
	last := map[string]int{}
	var mu sync.Mutex // engines start at the same time
	w := match.NewWorker(plan, 0, match.Options{Trace: func(engine string, dir byte, line []byte) {
		mu.Lock()
		defer mu.Unlock()
		if dir == '>' {
			last[engine] = len(script.Lines)
			script.Lines = append(script.Lines, recordedLine{Line: string(line)})
		} else if at, asked := last[engine]; asked {
			script.Lines[at].Answer += string(line) + "\n"
		} else {
			script.Opening[engine] += string(line) + "\n"
		}
	}})
	defer w.Close()
	start, err := plan.Game.Start(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := w.Play(t.Context(), arena.Job{ID: "record", Pairing: [2]string{"a", "b"}}, arena.Opening{Position: start})
	if err != nil || rec.Source != arena.Natural {
		t.Fatal(err, rec)
	}
	script.Moves = len(rec.Moves)
	text, err := json.Marshal(&script)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return &script
}

// instant is an engine that answers at once: each line as in the recorded game whose file is its
// argument. A line that occurs there more than once has its answers in turn.
func instant() {
	if err := serveInstant(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "instant:", err)
		os.Exit(1)
	}
}

func serveInstant(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var script recordedMoves
	if err := json.Unmarshal(text, &script); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	type answers struct {
		texts [][]byte
		next  int
	}
	of := map[string]*answers{}
	for _, l := range script.Lines {
		key := string(instantKey([]byte(l.Line)))
		if of[key] == nil {
			of[key] = &answers{}
		}
		of[key].texts = append(of[key].texts, []byte(l.Answer))
	}
	fmt.Print(script.Opening["a"])
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	for {
		line, err := in.ReadSlice('\n')
		if err != nil || string(line) == "quit\n" {
			return nil
		}
		a := of[string(instantKey(line[:len(line)-1]))]
		if a == nil {
			fmt.Fprintf(os.Stderr, "not in the recorded game: %s", line)
			continue
		}
		answer := a.texts[a.next%len(a.texts)]
		a.next++
		if len(answer) > 0 {
			if _, err := os.Stdout.Write(answer); err != nil {
				return err
			}
		}
	}
}

// instantKey is what an answer depends on: the command and its first word, without the limit.
func instantKey(line []byte) []byte {
	command, rest, _ := bytes.Cut(line, []byte(" "))
	word, _, _ := bytes.Cut(rest, []byte(" "))
	return line[:min(len(line), len(command)+1+len(word))]
}

//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// manners are the habits of a recorded engine whose protocol is lines of words, put on
// the built-in engine of its game.
type manners struct {
	game   string
	banner string // the first line, "" for none

	// arguments are the built-in engine's, made of the words after the kind. Nil takes
	// no notice of them; an error ends the program before it says anything.
	arguments func(words []string) ([]string, error)

	// hear is what the built-in engine is told instead of a line, and what is said
	// at once. said is what is printed instead of a line of it. One of them runs at a
	// time.
	hear func(line string) (tell, say []string)
	said func(line string) (say []string)

	deafToEnd bool // it runs on at the end of its input
}

// mannersOf are those of a kind; each process has its own.
var mannersOf = map[string]func() manners{
	"recorded-mill":  mill,
	"recorded-gyges": gyges,
	"recorded-hex":   hexBot,
}

// mill is the older mill engine: it ignores the words after go, is silent when it is
// stopped while idle, puts bestmove into an info line, and its threads write to one line.
func mill() manners {
	searching, glued := false, 0
	return manners{
		game: "mill", banner: "Sanmill 211126 by the Sanmill developers (see AUTHORS file)",
		hear: func(line string) (tell, say []string) {
			word, _, _ := strings.Cut(line, " ")
			switch {
			case word == "go":
				searching = true
				return []string{"go depth 3"}, nil
			case word == "stop" && !searching:
				return nil, nil
			}
			return []string{line}, nil
		},
		said: func(line string) []string {
			word, rest, _ := strings.Cut(line, " ")
			switch word {
			case "id":
				return []string{strings.Replace(line, "name Thera Mill", "name Sanmill 211126", 1), ""}
			case "info":
				return nil
			case "readyok":
				glued++
				return []string{[]string{"Fen: readyok", "readyokDepth: 30"}[glued%2]}
			case "bestmove":
				searching = false
				return []string{"Algorithm bestMove = " + rest, "info score 4 bestmove " + rest, "Depth: 3", "", "O --- * --- @"}
			}
			return []string{line}
		},
	}
}

// runMannered is the whole program with the habits of a recorded engine.
func runMannered(m manners, words []string, in io.Reader, out io.Writer) int {
	server, err := engineOf(m.game)
	if err != nil {
		fmt.Fprintf(os.Stderr, "faultkit: %v\n", err)
		return 1
	}
	var args []string
	if m.arguments != nil {
		if args, err = m.arguments(words); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
	}
	toRead, toEngine := io.Pipe()
	fromEngine, toWrite := io.Pipe()
	var mu sync.Mutex
	printed := bufio.NewWriter(out)
	say := func(lines []string) {
		for _, line := range lines {
			_, _ = printed.WriteString(line + "\n")
		}
		_ = printed.Flush()
	}
	if m.banner != "" {
		say([]string{m.banner})
	}
	served := make(chan error, 1)
	go func() {
		served <- server.Serve(context.Background(), args, toRead, toWrite, os.Stderr)
		toRead.Close()
		toWrite.Close()
	}()
	passed := make(chan struct{})
	go func() {
		defer close(passed)
		for lines := bufio.NewScanner(fromEngine); lines.Scan(); {
			mu.Lock()
			say(m.said(lines.Text()))
			mu.Unlock()
		}
	}()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		mu.Lock()
		tell, answers := m.hear(strings.TrimRight(lines.Text(), "\r"))
		say(answers)
		mu.Unlock()
		for _, line := range tell {
			if _, err := io.WriteString(toEngine, line+"\n"); err != nil {
				break // the engine has quit
			}
		}
		if lines.Text() == "quit" {
			break
		}
	}
	for m.deafToEnd && lines.Text() != "quit" {
		time.Sleep(time.Hour)
	}
	toEngine.Close()
	err = <-served
	<-passed
	if err != nil {
		fmt.Fprintf(os.Stderr, "faultkit: %v\n", err)
		return 1
	}
	return 0
}

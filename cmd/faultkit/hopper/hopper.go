// Package hopper is an engine with a god that the rest of this program does not know, as
// the engine of somebody who tries out a new god has it. It shows and tests
// `rules: {law: …}`.
//
// The god is hopper, who steps onto opponents no higher than she stands. It is the built-in
// engine, which knows her by another name, with a state that she does not need: the squares
// of her workers.
package hopper

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"thera/engine/santorini"
	"thera/engine/santorini/rules/foreign"
)

// Faults that the engine can be given.
const (
	FaultNone     = ""
	FaultClimb    = "climb"    // from 14 blocks on she may step onto opponents who stand higher: a bug of the rules
	FaultDies     = "dies"     // it exits when it is to list the moves of a board with 8 blocks
	FaultUnplaced = "unplaced" // it cannot place workers, like engines of protocol v1
	FaultIndices  = "indices"  // it writes positions in the other form, and workers in the other order
)

// god is hopper's name in the built-in engine.
var god = map[bool]string{false: "apollov2", true: "apollo"}

var (
	asked  = regexp.MustCompile(`hopper(\[[^]]*\])?`)
	placed = regexp.MustCompile(`[0-4]{25}/[12]/[^/]*:[^/]*/[^/]*:`)
	stated = regexp.MustCompile(`[0-4]{25}/[12]/[^"]*`)
	named  = regexp.MustCompile(`apollo(?:v2)?(:([A-E1-5,]*))?`)
	pair   = regexp.MustCompile(`:(\d+),(\d+)`)
)

// Serve runs the engine until quit or the end of its input. fault is one of the
// faults, or FaultNone.
func Serve(fault string, in io.Reader, out, errOut io.Writer) error {
	commands, toEngine := io.Pipe()
	fromEngine, answers := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := santorini.Player().Serve(context.Background(), []string{"--protocol", "v2"}, commands, answers, errOut)
		answers.Close()
		commands.CloseWithError(io.ErrClosedPipe)
		done <- err
	}()
	written := make(chan struct{})
	go func() {
		defer close(written)
		lines := bufio.NewReader(fromEngine)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			io.WriteString(out, stated.ReplaceAllStringFunc(line, func(text string) string { return renamed(text, fault) }))
		}
	}()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := lines.Text()
		blocks := 0
		if word, text, _ := strings.Cut(line, " "); word == "next_moves" || word == "set_position" {
			for _, h := range text[:min(25, len(text))] {
				blocks += int(h - '0')
			}
			switch {
			case fault == FaultDies && word == "next_moves" && blocks >= 8:
				return errors.New("gave up")
			case fault == FaultUnplaced && !placed.MatchString(text):
				fmt.Fprintln(errOut, "Error: Error parsing FEN: Invalid position")
				continue
			}
		}
		if _, err := io.WriteString(toEngine, asked.ReplaceAllString(line, god[fault == FaultClimb && blocks >= 14])+"\n"); err != nil {
			break // it has quit
		}
	}
	toEngine.Close()
	err := <-done
	<-written
	return err
}

// renamed is a position of the built-in engine as this one writes it.
func renamed(text, fault string) string {
	text = named.ReplaceAllString(text, "hopper[$2]$1")
	if fault != FaultIndices {
		return text
	}
	p, err := foreign.Parse(text)
	if err != nil {
		return text
	}
	return pair.ReplaceAllString(p.Indices(), ":$2,$1")
}

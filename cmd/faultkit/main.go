//go:build unix

// Command faultkit is the healthy built-in engine of a game with one chosen
// fault, for testing how an arena reacts to it.
//
//	faultkit [-game santorini] FAULT[:N] [ARGS…]
//
// The fault occurs at the N-th question, 1 by default. `faultkit list` prints
// all faults. newgod and newgod-climb are engines with a god that the built-in
// engine does not know, the second with a bug of its rules.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"thera/arena/faultkit"
	"thera/cmd/faultkit/hopper"
	"thera/engine/all"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, out, errOut io.Writer) int {
	flags := flag.NewFlagSet("faultkit", flag.ContinueOnError)
	flags.SetOutput(errOut)
	name := flags.String("game", "santorini", "the game of the engine")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	kit, err := kitOf(*name)
	fault := flags.Arg(0)
	if fault == "" {
		err = fmt.Errorf("name a fault (faultkit list prints them)")
	}
	if err != nil {
		fmt.Fprintf(errOut, "faultkit: %v\n", err)
		return 2
	}
	switch fault {
	case "list":
		fmt.Fprintln(out, strings.Join(append(faultkit.Faults(), "newgod", "newgod-climb"), "\n"))
		return 0
	case "newgod":
		err = hopper.Serve(hopper.FaultNone, os.Stdin, out, errOut)
	case "newgod-climb":
		err = hopper.Serve(hopper.FaultClimb, os.Stdin, out, errOut)
	default:
		kit.Args = flags.Args()[1:]
		return faultkit.Run(kit, fault)
	}
	if err != nil {
		fmt.Fprintf(errOut, "faultkit: %v\n", err)
		return 1
	}
	return 0
}

// kitOf returns the kit of a game's built-in engine.
func kitOf(name string) (faultkit.Kit, error) {
	server := all.Player(name)
	if server == nil {
		return faultkit.Kit{}, fmt.Errorf("no built-in engine for the game %q", name)
	}
	kit := faultkit.Kit{Serve: server.Serve, Question: begins("go "), Answer: begins("bestmove ", "move "), Illegal: nonsense}
	if name == "santorini" {
		kit.Question, kit.Answer, kit.Illegal = begins("set_position "), begins(`{"type":"best_move"`), still
	}
	return kit, nil
}

// begins recognizes lines by their beginning.
func begins(words ...string) func(line []byte) bool {
	return func(line []byte) bool {
		return slices.ContainsFunc(words, func(w string) bool { return bytes.HasPrefix(line, []byte(w)) })
	}
}

// nonsense is a move that is legal in no game.
func nonsense(line []byte) []byte {
	first, _, _ := strings.Cut(string(line), " ")
	return []byte(first + " nonsense")
}

var states = regexp.MustCompile(`"start_state":"([^"]*)"(.*)"next_state":"[^"]*"`)

// still is an answer whose state is that of the question.
func still(line []byte) []byte {
	return states.ReplaceAll(line, []byte(`"start_state":"$1"$2"next_state":"$1"`))
}

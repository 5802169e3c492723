//go:build unix

// Command faultkit is the healthy built-in engine of a game with one chosen
// fault, for testing how an arena reacts to it.
//
//	faultkit [-game santorini] FAULT[:N] [ARGS…]
//
// The fault occurs at the N-th question, 1 by default. `faultkit list` prints
// all faults.
package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"thera/arena/faultkit"
	"thera/engine/all"
	"thera/engine/game"
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
	if flags.NArg() == 0 {
		fmt.Fprintln(errOut, "faultkit: name a fault (faultkit list prints them)")
		return 2
	}
	kit, err := kitOf(*name)
	if err != nil {
		fmt.Fprintf(errOut, "faultkit: %v\n", err)
		return 2
	}
	if flags.Arg(0) == "list" {
		names := slices.Concat(faultkit.Faults(), illegalKinds(), slices.Sorted(maps.Keys(mannersOf)), slices.Sorted(maps.Keys(newGods)))
		fmt.Fprintln(out, strings.Join(names, "\n"))
		return 0
	}
	if isNewGod(flags.Arg(0)) && *name == "santorini" {
		return serveNewGod(flags.Arg(0), out, errOut)
	}
	if of := mannersOf[flags.Arg(0)]; of != nil && of().game == *name {
		return runMannered(of(), flags.Args()[1:], os.Stdin, out)
	}
	kit.Args = flags.Args()[1:]
	return faultkit.Run(kit, flags.Arg(0))
}

// engineOf returns a game's built-in engine.
func engineOf(name string) (game.Player, error) {
	if p := all.Player(name); p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no built-in engine for the game %q", name)
}

// kitOf returns the kit of a game's built-in engine.
func kitOf(name string) (faultkit.Kit, error) {
	server, err := engineOf(name)
	if err != nil {
		return faultkit.Kit{}, err
	}
	kit := faultkit.Kit{Serve: server.Serve, Question: asks("go"), Answer: asks("bestmove", "move"), Illegal: anything}
	if name == "santorini" {
		kit.Question, kit.Answer, kit.Illegal = asks("set_position"), bestMove, illegalState
	}
	return kit, nil
}

// asks recognizes lines by their first word.
func asks(words ...string) func(line []byte) bool {
	return func(line []byte) bool {
		first, _, _ := strings.Cut(string(line), " ")
		for _, w := range words {
			if first == w {
				return true
			}
		}
		return false
	}
}

// anything is a move that is legal in no game.
func anything(_ string, line []byte) []byte {
	first, _, _ := strings.Cut(string(line), " ")
	return []byte(first + " nonsense")
}

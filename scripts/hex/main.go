// Command hex makes the weights of engine/hex/policy: it plays the built-in engine against
// itself and fits them to how often the search tried each move.
//
//	go run ./scripts/hex play -games 100 -out some.games
//	go run ./scripts/hex fit -out engine/hex/policy/weights.net some.games
//
// It refuses to choose data: docs/net.md has the commands that made the weights of today.
// The same flags and weights give the same games, and on one platform the same games and
// flags the same weights.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"thera/scripts/internal/fit"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "hex:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("want play or fit")
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	path := flags.String("out", "", "file to write")
	seed := flags.Uint64("seed", 1, "of the random numbers")
	switch args[0] {
	case "play":
		p := playing{}
		flags.IntVar(&p.games, "games", 100, "number of games")
		flags.IntVar(&p.size, "size", 11, "cells a side")
		flags.IntVar(&p.playouts, "playouts", 1200, "playouts of each search")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		if p.games < 1 || p.playouts < 1 || p.size < 2 || p.size > 26 || *path == "" {
			return errors.New("want -out FILE, games and playouts of at least 1, and a size from 2 to 26")
		}
		p.seed = *seed
		return fit.WriteGames(*path, func(out io.Writer) error { return p.play(ctx, out) })
	case "fit":
		f := fitting{}
		flags.IntVar(&f.epochs, "epochs", 12, "times that each position is used")
		flags.Float64Var(&f.rate, "rate", 0.02, "first learning rate; it falls to 0 along a cosine")
		flags.Float64Var(&f.decay, "decay", 2e-5, "of weights: so much of each is added to its slope")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		f.seed = *seed
		return f.fitNet(flags.Args(), *path, out)
	}
	return fmt.Errorf("%q: want play or fit", args[0])
}

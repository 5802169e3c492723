// Command gyges makes the weights of engine/gyges/net: it plays the built-in engine
// against itself and fits the net to these games.
//
//	go run ./scripts/gyges play -games 7000 -out some.games
//	go run ./scripts/gyges fit -out engine/gyges/net/weights.net some.games
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
		fmt.Fprintln(os.Stderr, "gyges:", err)
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
		flags.IntVar(&p.games, "games", 10000, "number of games")
		flags.IntVar(&p.plies, "plies", 6, "most random plies before a game, at least 1")
		flags.Int64Var(&p.nodes, "nodes", 1000, "nodes of each search")
		flags.StringVar(&p.eval, "eval", "net", "the player's evaluation: net, or hand")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		if p.games < 1 || p.plies < 1 || p.nodes < 1 || *path == "" {
			return errors.New("want -out FILE, and games, plies and nodes of at least 1")
		}
		p.seed = *seed
		return fit.WriteGames(*path, func(out io.Writer) error { return p.play(ctx, out) })
	case "fit":
		f := fit.Settings{}
		flags.IntVar(&f.Epochs, "epochs", 20, "times that each position is used")
		flags.Float64Var(&f.Rate, "rate", 0.0015, "first learning rate; it falls to 0 along a cosine")
		flags.Float64Var(&f.Decay, "decay", 0.7, "weight decay: each step takes rate × decay off a weight")
		flags.IntVar(&f.Batch, "batch", 256, "positions of one step")
		lambda := flags.Float64("lambda", 0.5, "share of the score of the search in the target; the rest is the outcome")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		f.Seed = *seed
		return recipe().Fit(&f, *lambda, flags.Args(), *path, out)
	}
	return fmt.Errorf("%q: want play or fit", args[0])
}

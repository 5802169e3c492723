// Command net fits the weights of engine/santorini/net to games of self-play.
//
//	go run ./scripts/net -out engine/santorini/net/weights.net mortals.games
//
// It is written in Go because the features, the reader of games and the quantized
// network are: it trains on exactly what the engine evaluates, needs nothing but the
// module, and one core fits a million positions in minutes. It refuses to choose data:
// see docs/net.md for the commands that make it. On one platform the same data and
// flags give the same weights.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"thera/engine/santorini/net"
	"thera/engine/santorini/player"
	"thera/engine/santorini/rules"
	"thera/engine/santorini/selfplay"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "net:", err)
		os.Exit(2)
	}
}

func run(args []string, out io.Writer) error {
	var f fitting
	flags := flag.NewFlagSet("net", flag.ContinueOnError)
	path := flags.String("out", "", "file of weights to write; none: only the losses are shown")
	flags.IntVar(&f.epochs, "epochs", 16, "times that each position is used")
	flags.Float64Var(&f.lambda, "lambda", 1, "share of the score of the search in the target; the rest is the result")
	flags.Float64Var(&f.rate, "rate", 0.0015, "first learning rate; it falls to 0 along a cosine")
	flags.Float64Var(&f.decay, "decay", 10, "weight decay: each step takes rate × decay off a weight; without it few positions are learned by heart")
	flags.IntVar(&f.batch, "batch", 256, "positions of one step")
	flags.Uint64Var(&f.seed, "seed", 1, "of the first weights and the order")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("want files of self-play: thera datagen santorini makes them")
	}
	var d data
	for _, name := range flags.Args() {
		if err := d.read(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(d.train) == 0 || len(d.held) == 0 {
		return fmt.Errorf("%d positions to train on and %d to hold out: not enough games", len(d.train), len(d.held))
	}
	fmt.Fprintf(out, "%d games, %d positions to train on, %d held out\n", d.games, len(d.train), len(d.held))
	hand := f.loss(d.held, func(s *sample) float64 { return logit(player.Hand(&s.state)) })
	fmt.Fprintf(out, "held-out loss of the evaluation by hand %.5f\n", hand)
	m := f.fit(&d, out)
	weights := m.quantized()
	n, err := net.New(weights, d.known)
	if err != nil {
		return err
	}
	record := net.Record{
		Gods: d.gods, Games: d.games, Positions: len(d.train), HeldOut: len(d.held),
		Lambda: f.lambda, Epochs: f.epochs, HandLoss: hand, Sources: d.sources,
		Loss: f.loss(d.held, func(s *sample) float64 { return logit(n.Evaluate(&s.state)) }),
	}
	fmt.Fprintf(out, "held-out loss of the quantized net %.5f\n", record.Loss)
	if *path == "" {
		return nil
	}
	file, err := net.Encode(record, weights)
	if err != nil {
		return err
	}
	if err := os.WriteFile(*path, file, 0o644); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d bytes\n", *path, len(file))
	return nil
}

// heldOut is the share of games, one in so many, that are not trained on.
const heldOut = 10

// data is what was read.
type data struct {
	train, held []sample
	games       int
	gods        []string
	known       []rules.God // the same
	sources     []string
}

// read adds the games of a file.
func (d *data) read(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := selfplay.NewReader(file)
	if err != nil {
		return err
	}
	for _, name := range r.Header.Gods {
		if !slices.Contains(d.gods, name) {
			god, _ := rules.ParseGod(name) // which the reader has checked
			d.gods, d.known = append(d.gods, name), append(d.known, god)
		}
	}
	for {
		var g selfplay.Game
		if err := r.Next(&g); errors.Is(err, io.EOF) || errors.Is(err, selfplay.ErrIncomplete) {
			h := r.Header
			d.sources = append(d.sources, fmt.Sprintf("%d games: engine %d, %d nodes, %d plies, seed %d, %d gods, options %v", r.Games, h.Engine, h.Nodes, h.Plies, h.Seed, len(h.Gods), h.Options))
			return nil
		} else if err != nil {
			return err
		}
		to := &d.train
		if d.games%heldOut == 0 {
			to = &d.held
		}
		for _, s := range g.Samples {
			winner := int8(g.Winner)
			if s.Aside {
				winner = 0
			}
			*to = append(*to, sample{s.State, int16(s.Score), winner})
		}
		d.games++
	}
}

// Command net fits the weights of engine/santorini/net to games of self-play.
//
//	go run ./scripts/net -out engine/santorini/net/mortals.net mortals.games
//	go run ./scripts/net boards|rows|groups|pack …
//
// The second form writes positions for fit.py, which fits them on a GPU, and a file of
// weights of the result.
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
	"thera/scripts/internal/fit"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "net:", err)
		os.Exit(2)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) > 0 {
		switch args[0] {
		case "boards", "rows":
			return export(args[0], args[1:], out)
		case "groups":
			return exportGroups(args[1:], out)
		case "pack":
			return pack(args[1:], out)
		}
	}
	var f fit.Settings
	var d data
	flags := flag.NewFlagSet("net", flag.ContinueOnError)
	path := flags.String("out", "", "file of weights to write; none: only the losses are shown")
	flags.IntVar(&f.Epochs, "epochs", 8, "times that each position is used")
	lambda := flags.Float64("lambda", 1, "share of the score of the search in the target; the rest is the result")
	flags.Float64Var(&f.Rate, "rate", 0.002, "first learning rate; it falls to 0 along a cosine")
	flags.Float64Var(&f.Decay, "decay", 1, "weight decay: each step takes rate × decay off a weight; without it few positions are learned by heart")
	flags.IntVar(&f.Batch, "batch", 1024, "positions of one step")
	flags.Uint64Var(&f.Seed, "seed", 1, "of the first weights and the order")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := d.readAll(flags.Args()); err != nil {
		return err
	}
	train, held := &set{d.train, *lambda}, &set{d.held, *lambda}
	if err := fit.Enough(d.games, train.Len(), held.Len(), out); err != nil {
		return err
	}
	weights, loss, handLoss, err := f.Net(shape, train, held, scales, d.hand, func(weights []int16) (func(i int) float64, error) {
		n, err := net.New(weights, d.known)
		return func(i int) float64 { return logit(n.Evaluate(&held.list[i].state)) }, err
	}, out)
	if err != nil {
		return err
	}
	if *path == "" {
		return nil
	}
	return d.write(*path, *lambda, f.Epochs, loss, handLoss, weights, out)
}

// data is what was read.
type data struct {
	train, held []sample
	games       int
	gods        []string
	known       []rules.God // the same
	sources     []string
}

// readAll adds the games of files.
func (d *data) readAll(names []string) error {
	if len(names) == 0 {
		return errors.New("want files of self-play: thera engine santorini datagen makes them")
	}
	for _, name := range names {
		if err := d.read(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// hand is the evaluation by hand of a held-out position, in logits.
func (d *data) hand(i int) float64 { return logit(player.Hand(&d.held[i].state)) }

// write writes weights that were fitted to the data.
func (d *data) write(path string, lambda float64, epochs int, loss, handLoss float64, weights []int16, out io.Writer) error {
	record := net.Record{Gods: d.gods}
	record.Games, record.Positions, record.HeldOut, record.Sources = d.games, len(d.train), len(d.held), d.sources
	record.Lambda, record.Epochs, record.Loss, record.HandLoss = lambda, epochs, loss, handLoss
	file, err := net.Encode(record, weights)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, file, 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %d bytes\n", path, len(file))
	return err
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
		if d.games%fit.HeldOut == 0 {
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

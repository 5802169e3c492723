package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"thera/engine/santorini/player"
	"thera/engine/santorini/player/net"
	"thera/engine/santorini/rules"
	"thera/engine/train"
)

// The shape of the records that fit.py reads.
const (
	exportViews = 6  // of a position; positions with more are left out
	exportRows  = 40 // of a view
	noRow       = net.Rows
)

// sample is a training position.
type sample = train.Sample[rules.State]

// santorini runs the commands of Santorini's nets other than play.
func santorini(ctx context.Context, args []string, out io.Writer) error {
	if len(args) > 0 {
		switch args[0] {
		case "rows":
			return export(args[1:], out)
		case "groups":
			return exportGroups(args[1:], out)
		case "pack":
			return pack(ctx, args[1:], out)
		}
	}
	return fmt.Errorf("%q: want play, rows, groups or pack", args)
}

// logitPoints is the score at which the logit of the expected score is 1.
var logitPoints = 1 / math.Log(1/(1/player.ExpectedScore(1)-1))

// target is the expected score of the side to move, by the search alone.
func target(s *sample) float64 { return s.Target(1, logitPoints) }

// export runs the command rows, which writes each position as one record for fit.py.
func export(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("rows", flag.ContinueOnError)
	path := flags.String("out", "", "file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *path == "" {
		return errors.New("-out: want a file to write")
	}
	games, err := santoriniGames.Read(flags.Args(), out)
	if err != nil {
		return err
	}
	file, err := os.Create(*path)
	if err != nil {
		return err
	}
	defer file.Close()
	w, random, written := bufio.NewWriterSize(file, 1<<20), rand.New(rand.NewPCG(1, 0)), 0
	for held, list := range [][]sample{games.Train, games.Held} {
		for i := range list {
			if exportPosition(w, &list[i], byte(held), random) {
				written++
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d games, %d positions\n", *path, games.Training.Games, written)
	return file.Close()
}

// exportPosition writes exportViews lists of rows, padded with noRow, then the set of rows of
// each list, 2 for none, the gods of the side to move and the other, and the labels: a byte
// that is 1 if the position is held out, the result of the side to move as a byte (0 unknown,
// 1 lost, 2 won), zeros up to a multiple of four bytes, and the target as a 32-bit float. It
// returns false if the record cannot hold the position.
func exportPosition(w *bufio.Writer, s *sample, held byte, random *rand.Rand) bool {
	p, record, n := turned(&s.Position, random.IntN(8)), make([]byte, 0, 2*exportViews*exportRows+16), 0
	sets := [8]byte{2, 2, 2, 2, 2, 2, byte(p.Gods[p.Mover&1]), byte(p.Gods[p.Mover&1^1])}
	for side := range uint8(2) {
		for set := p.Workers[side]; set != 0; set &= set - 1 {
			list := net.AppendFeatures(nil, &p, side, bits.TrailingZeros32(set))
			if n == exportViews || len(list) > exportRows {
				return false
			}
			for i := range exportRows {
				row := uint16(noRow)
				if i < len(list) {
					row = list[i]
				}
				record = binary.LittleEndian.AppendUint16(record, row)
			}
			sets[n] = side ^ p.Mover&1
			n++
		}
	}
	for range (exportViews - n) * exportRows {
		record = binary.LittleEndian.AppendUint16(record, uint16(noRow))
	}
	won := byte(0)
	if !s.Detached && s.Outcome != 0 {
		won = byte(3+s.Outcome) / 2
	}
	record = append(append(record, sets[:]...), held, won)
	for len(record)%4 != 0 {
		record = append(record, 0)
	}
	w.Write(binary.LittleEndian.AppendUint32(record, math.Float32bits(float32(target(s)))))
	return true
}

// exportGroups writes the two groups of each row, net.Groups for none, and its kind as 32-bit
// integers.
func exportGroups(args []string, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("groups: want one file to write")
	}
	var list []byte
	for row := range net.Rows {
		groups := append(net.AppendGroups(nil, row), net.Groups, net.Groups)
		for _, g := range append(groups[:2], net.Detail(row)) {
			list = binary.LittleEndian.AppendUint32(list, uint32(g))
		}
	}
	fmt.Fprintf(out, "%s: %d rows, %d groups\n", args[0], net.Rows, net.Groups)
	return os.WriteFile(args[0], list, 0o644)
}

// pack runs the command pack, which writes a file of the weights that fit.py fitted.
func pack(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("pack", flag.ContinueOnError)
	raw := flags.String("raw", "", "weights that fit.py wrote, as 32-bit floats")
	path := flags.String("out", "", "file of weights to write")
	epochs := flags.Int("epochs", 1, "number of times that each position was used")
	lambda := flags.Float64("lambda", 1, "weight of the search's score in the target")
	if err := flags.Parse(args); err != nil {
		return err
	}
	games, err := santoriniGames.Read(flags.Args(), out)
	if err != nil {
		return err
	}
	gods := godsOf(games)
	list, err := rawWeights(*raw, net.Size, net.Size+net.Added*len(gods))
	if err != nil {
		return err
	}
	record := net.Record{Training: games.Training}
	family, err := net.NewFamily(quantizedNet(list, len(gods)), gods)
	if err != nil {
		return fmt.Errorf("%s: %w", *raw, err)
	}
	nets := map[rules.Matchup]net.Nets{}
	evaluate := func(p *rules.State) int {
		if _, ok := nets[p.Gods]; !ok {
			nets[p.Gods] = family.For(p.Gods)
		}
		return nets[p.Gods][p.Mover&1].Evaluate(p)
	}
	loss := func(evaluate func(*rules.State) int) float64 {
		return train.Loss(games.Held, target, func(s *sample) float64 { return float64(evaluate(&s.Position)) / logitPoints })
	}
	record.Lambda, record.Epochs, record.Loss, record.HandLoss = *lambda, *epochs, loss(evaluate), loss(player.Hand)
	record.Command, record.Commit = "go run ./scripts/train santorini pack "+strings.Join(args, " "), commit(ctx)
	fmt.Fprintf(out, "held-out loss of the quantized net %.5f, of the evaluation by hand %.5f\n", record.Loss, record.HandLoss)
	file, err := net.Encode(record, family)
	if err != nil {
		return err
	}
	if err := os.WriteFile(*path, file, 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %d bytes\n", *path, len(file))
	return err
}

// rawWeights reads weights that a program in Python wrote, as 32-bit floats. There must be as
// many as one of counts.
func rawWeights(path string, counts ...int) ([]float32, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(file)%4 != 0 || !slices.Contains(counts, len(file)/4) {
		return nil, fmt.Errorf("%s: %d bytes of weights, want 4 for each of %d", path, len(file), counts)
	}
	list := make([]float32, len(file)/4)
	for i := range list {
		list[i] = math.Float32frombits(binary.LittleEndian.Uint32(file[4*i:]))
	}
	return list, nil
}

// godsOf lists the gods of the positions.
func godsOf(games *train.Games[sample]) (gods []rules.God) {
	known := map[rules.God]bool{}
	for _, list := range [][]sample{games.Train, games.Held} {
		for i := range list {
			for _, g := range list[i].Position.Gods {
				known[g] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(known))
}

// turned returns p after a symmetry of the board. It returns p itself if a god's state may
// name squares, because states are not turned.
func turned(p *rules.State, turn int) rules.State {
	q := *p
	for side, god := range p.Gods {
		if god.HasState() && p.GodState[side] != 0 {
			return q
		}
	}
	q.Above, q.Workers = [4]uint32{}, [2]uint32{}
	for s := range rules.Squares {
		to := rules.Bit(net.Turned(s, turn))
		for k, set := range p.Above {
			q.Above[k] |= to & -(set >> s & 1)
		}
		for side, set := range p.Workers {
			q.Workers[side] |= to & -(set >> s & 1)
		}
	}
	return q
}

// quantizedNet returns the weights of some gods as integers.
func quantizedNet(weights []float32, gods int) []int16 {
	list := make([]int16, len(weights))
	for i, w := range weights {
		list[i] = train.Quantized(float64(w), net.Scale(i, gods))
	}
	return list
}

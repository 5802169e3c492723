package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"

	"thera/engine/hex/policy"
	"thera/engine/hex/rules"
	"thera/scripts/internal/fit"
)

// fitting is the settings of a training.
type fitting struct {
	epochs      int
	rate, decay float64
	seed        uint64
}

const batch = 32

// move is a move of a position to learn from: the rows of its cell, those of policy first,
// and the share of visits that it got.
type move struct {
	rows   []uint16
	target float64
}

// The sectors share rows of their own while they are fitted, which are added to them in
// the end: for a neighbour, the next one and the cell beyond both, and for a neighbour and
// the cell beyond it. So patterns that were seen seldom are guessed from their parts.
const (
	pairs  = 27
	lines  = 9
	atPair = policy.Rows
	atLine = atPair + policy.Kinds*pairs
	all    = atLine + policy.Kinds*lines
)

// parts returns the two shared rows of a sector's.
func parts(kind, code int) (pair, line int) {
	digit := func(i int) int {
		n := code
		for range i {
			n /= 3
		}
		return n % 3
	}
	return atPair + kind*pairs + digit(1) + 3*digit(2) + 9*digit(4), atLine + kind*lines + digit(1) + 3*digit(5)
}

var headerForm = regexp.MustCompile(`^\d+ games, size (\d+), .*$`)

// read adds the games of a file.
func read(d *fit.Games[[]move], path string) error {
	var r *reader
	return d.Read(path, func(header string) error {
		m := headerForm.FindStringSubmatch(header)
		if m == nil {
			return fmt.Errorf("no header of a file of games: %.60q", header)
		}
		size, err := strconv.Atoi(m[1])
		if err != nil || size < 2 || size > 26 {
			return fmt.Errorf("size %s: want 2 to 26", m[1])
		}
		r = &reader{size: size, guesser: policy.NewGuesser(size, nil)}
		return nil
	}, func(line string) (int, []move, error) { return r.parse(line) })
}

// reader reads positions of one size.
type reader struct {
	size    int
	guesser *policy.Guesser
	empty   []uint16 // the places of the moves of the last position
}

// parse reads a line of play.
func (r *reader) parse(text string) (g int, moves []move, err error) {
	words := strings.Split(text, " ")
	if len(words) != 3 {
		return 0, nil, fmt.Errorf("%d words, want a game, moves and visits", len(words))
	}
	if g, err = strconv.Atoi(words[0]); err != nil {
		return 0, nil, err
	}
	board, inner, turn, last := r.guesser.Empty(), r.guesser.Inner(), rules.Black, [2]int{}
	for name := range strings.SplitSeq(words[1], ",") {
		cell, err := rules.ParseCell(name, r.size)
		if err != nil {
			return 0, nil, err
		}
		at := int(inner[cell])
		board[at], last = turn, [2]int{at, last[0]}
		turn = turn.Other()
	}
	targets, total := map[int]float64{}, 0.0
	for text := range strings.SplitSeq(words[2], ",") {
		name, count, _ := strings.Cut(text, ":")
		cell, err := rules.ParseCell(name, r.size)
		if err != nil {
			return 0, nil, err
		}
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 {
			return 0, nil, fmt.Errorf("visits %q", text)
		}
		targets[cell], total = float64(n), total+float64(n)
	}
	r.guesser.Look(board, turn, last)
	r.empty = r.empty[:0]
	for cell, at := range inner {
		if board[at] == rules.None {
			rows := r.guesser.AppendRows(nil, cell)
			for _, row := range rows {
				if kind, code, ok := policy.Sector(int(row)); ok {
					pair, line := parts(kind, code)
					rows = append(rows, uint16(pair), uint16(line))
				}
			}
			r.empty = append(r.empty, at)
			moves = append(moves, move{rows, targets[cell] / total})
		}
	}
	return g, moves, nil
}

// fitNet reads games, fits the weights and writes their file if it has a name.
func (f *fitting) fitNet(files []string, path string, out io.Writer) error {
	if len(files) == 0 {
		return errors.New("want files of games: hex play makes them")
	}
	var d fit.Games[[]move]
	for _, name := range files {
		if err := read(&d, name); err != nil {
			return err
		}
	}
	if err := fit.Enough(d.Count, len(d.Train), len(d.Held), out); err != nil {
		return err
	}
	weights := make([]float64, all)
	random := rand.New(rand.NewPCG(f.seed, 0))
	var moments [2][all]float64
	steps, step := f.epochs*((len(d.Train)+batch-1)/batch), 0
	record := policy.Record{Games: d.Count, Positions: len(d.Train), HeldOut: len(d.Held), Epochs: f.epochs, Sources: d.Sources}
	for epoch := range f.epochs {
		random.Shuffle(len(d.Train), func(i, j int) { d.Train[i], d.Train[j] = d.Train[j], d.Train[i] })
		sum := 0.0
		for at := 0; at < len(d.Train); at += batch {
			slope := make([]float64, all)
			part := d.Train[at:min(at+batch, len(d.Train))]
			for _, moves := range part {
				loss, _ := learn(moves, weights, slope)
				sum += loss
			}
			rate := f.rate * (1 + math.Cos(math.Pi*float64(step)/float64(steps))) / 2
			step++
			f.update(weights, slope, &moments, rate, step, len(part))
		}
		best := 0
		record.Loss = 0
		for _, moves := range d.Held {
			loss, first := learn(moves, weights, nil)
			record.Loss += loss / float64(len(d.Held))
			if first {
				best++
			}
		}
		record.Best = float64(best) / float64(len(d.Held))
		fmt.Fprintf(out, "epoch %d: loss %.4f, held-out loss %.4f, the most visited move is the best guess in %.1f %%\n",
			epoch+1, sum/float64(len(d.Train)), record.Loss, 100*record.Best)
	}
	if path == "" {
		return nil
	}
	file, err := policy.Encode(record, quantized(weights))
	if err != nil {
		return err
	}
	return os.WriteFile(path, file, 0o644)
}

// learn returns the cross entropy of a position, less that of the target itself, and
// whether the best guess has the highest target. Unless it is nil it adds the slope.
func learn(moves []move, weights, slope []float64) (loss float64, first bool) {
	logits := make([]float64, len(moves))
	best, most := 0, 0
	for i, m := range moves {
		for _, row := range m.rows {
			logits[i] += weights[row]
		}
		if logits[i] > logits[best] {
			best = i
		}
		if m.target > moves[most].target {
			most = i
		}
	}
	sum, top := 0.0, logits[best]
	for i, z := range logits {
		logits[i] = math.Exp(z - top)
		sum += logits[i]
	}
	for i, m := range moves {
		p := logits[i] / sum
		if m.target > 0 {
			loss -= m.target * math.Log(p/m.target)
		}
		if slope != nil {
			for _, row := range m.rows {
				slope[row] += p - m.target
			}
		}
	}
	return loss, best == most
}

// update is step number n of Adam, from 1, with the slopes of count positions.
func (f *fitting) update(weights, slope []float64, moments *[2][all]float64, rate float64, n, count int) {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	rate *= math.Sqrt(1-math.Pow(beta2, float64(n))) / (1 - math.Pow(beta1, float64(n)))
	first, second := &moments[0], &moments[1]
	for i, g := range slope {
		g = g/float64(count) + f.decay*weights[i]
		first[i] += (1 - beta1) * (g - first[i])
		second[i] += (1 - beta2) * (g*g - second[i])
		weights[i] -= rate * first[i] / (math.Sqrt(second[i]) + epsilon)
	}
}

// quantized are the weights as whole numbers, with the shared rows added to the sectors.
func quantized(weights []float64) []int16 {
	list := make([]int16, policy.Rows)
	for row := range list {
		w := weights[row]
		if kind, code, ok := policy.Sector(row); ok {
			pair, line := parts(kind, code)
			w += weights[pair] + weights[line]
		}
		list[row] = int16(max(-1<<15+1, min(math.Round(w*policy.Unit), 1<<15-1)))
	}
	return list
}

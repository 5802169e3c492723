package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"

	"thera/engine/hex/player/net"
	"thera/engine/hex/rules"
	"thera/engine/train"
)

// hexNet is the policy of Hex, fitted to how often searches tried each move.
func hexNet() fitted {
	return fitted{
		play: func(flags *flag.FlagSet) func() (playing, error) {
			var p hexSelf
			flags.IntVar(&p.size, "size", 11, "cells a side")
			flags.IntVar(&p.playouts, "playouts", 1200, "playouts of each search")
			eval := flags.String("eval", "net", "how moves are guessed: net, hand (not at all), or a file of weights")
			flags.BoolVar(&p.judge, "judge", false, "positions are judged by the larger net, too")
			return func() (playing, error) {
				if p.playouts < 1 || p.size < 2 || p.size > 26 {
					return playing{}, fmt.Errorf("-playouts %d -size %d: want at least 1, and a size from 2 to 26", p.playouts, p.size)
				}
				n, by, err := evaluation(*eval, &net.Format)
				if p.policy = n; by == "net" {
					p.policy = net.Embedded()
				}
				return playing{fmt.Sprintf("size %d, %d playouts, eval %s, judge %t", p.size, p.playouts, by, p.judge), p.player}, err
			}
		},
		fit: func(flags *flag.FlagSet) writing {
			s := train.Settings{Epochs: 12, Batch: 32, Rate: 0.02, Decay: 2e-5}
			s.Flags(flags)
			return func(seed uint64, t train.Training, files []string, path string, out io.Writer) error {
				s.Seed = seed
				return fitPolicy(&s, t, files, path, out)
			}
		},
		pack: packHex,
	}
}

// move is a move of a training position: the rows of its cell, those of the policy first,
// and its share of the visits.
type move struct {
	rows   []uint16
	target float64
}

// During the fit sectors share rows, so that rare patterns are guessed from their parts. A
// pair is a neighbour, the next one and the cell beyond both; a line is a neighbour and the
// cell beyond it. At the end the shared rows are added to the sectors.
const (
	pairs  = 27
	lines  = 9
	atPair = net.Rows
	atLine = atPair + net.Kinds*pairs
	all    = atLine + net.Kinds*lines
)

// parts returns the two shared rows of a sector.
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

// read adds the games of a file.
func read(d *train.Games[[]move], path string) error {
	var r *reader
	return d.Read(path, func(header string) error {
		size, err := sizeOf(header)
		r = &reader{size: size, guesser: net.NewGuesser(max(size, 2), nil)}
		return err
	}, func(line string) (int, []move, error) { return r.parse(line) })
}

// reader reads positions of one size.
type reader struct {
	size    int
	guesser *net.Guesser
	empty   []uint16 // the cells of the moves of the last position
}

// parse reads a line that play wrote.
func (r *reader) parse(text string) (g int, moves []move, err error) {
	p, err := parsePosition(text, r.size)
	if err != nil {
		return 0, nil, err
	}
	board, inner, last := r.guesser.Empty(), r.guesser.Inner(), [2]int{}
	for cell, c := range p.board {
		if c != rules.None {
			board[inner[cell]] = c
		}
	}
	for i, cell := range p.last {
		if cell >= 0 {
			last[i] = int(inner[cell])
		}
	}
	r.guesser.Look(board, p.turn, last)
	r.empty = r.empty[:0]
	for cell, at := range inner {
		if board[at] == rules.None {
			rows := r.guesser.AppendRows(nil, cell)
			for _, row := range rows {
				if kind, code, ok := net.Sector(int(row)); ok {
					pair, line := parts(kind, code)
					rows = append(rows, uint16(pair), uint16(line))
				}
			}
			r.empty = append(r.empty, at)
			moves = append(moves, move{rows, p.shares[cell]})
		}
	}
	return p.game, moves, nil
}

// fitPolicy reads games, fits the weights and writes them to path, unless path is "".
func fitPolicy(s *train.Settings, t train.Training, files []string, path string, out io.Writer) error {
	var d train.Games[[]move]
	if err := d.ReadAll(files, func(path string) error { return read(&d, path) }, out); err != nil {
		return err
	}
	weights, record := train.NewAdam(all), d.Training
	record.Command, record.Commit, record.Epochs = t.Command, t.Commit, s.Epochs
	train.Run(s, rand.New(rand.NewPCG(s.Seed, 0)), d.Train, func(moves *[]move) float64 {
		loss, _ := learn(*moves, weights.Value, weights.Slope)
		return loss
	}, func(rate float64, step, count int) {
		for i, w := range weights.Value { // decay within the slope, as in the L2 of Adam's paper
			weights.Slope[i] += float32(s.Decay) * w * float32(count)
		}
		weights.Update(rate, 0, step, count)
	}, func() float64 {
		record.Loss, record.Best = 0, 0
		for _, moves := range d.Held {
			loss, first := learn(moves, weights.Value, nil)
			record.Loss += loss / float64(len(d.Held))
			if first {
				record.Best += 1 / float64(len(d.Held))
			}
		}
		return record.Loss
	}, out)
	fmt.Fprintf(out, "the most visited move is the best guess in %.1f %%\n", 100*record.Best)
	if path == "" {
		return nil
	}
	file, err := net.Format.Encode(record, quantized(weights.Value))
	if err != nil {
		return err
	}
	return os.WriteFile(path, file, 0o644)
}

// learn returns the cross entropy of a position minus the entropy of its target, and whether
// the best guess is the move with the highest target. It adds the gradient to slope, unless
// slope is nil.
func learn(moves []move, weights, slope []float32) (loss float64, first bool) {
	logits := make([]float64, len(moves))
	best, most := 0, 0
	for i, m := range moves {
		for _, row := range m.rows {
			logits[i] += float64(weights[row])
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
				slope[row] += float32(p - m.target)
			}
		}
	}
	return loss, best == most
}

// quantized returns the weights as integers, with the shared rows added to the sectors.
func quantized(weights []float32) []int16 {
	list := make([]int16, net.Rows)
	for row := range list {
		w := weights[row]
		if kind, code, ok := net.Sector(row); ok {
			pair, line := parts(kind, code)
			w += weights[pair] + weights[line]
		}
		list[row] = train.Quantized(float64(w), net.Unit)
	}
	return list
}

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"

	"thera/engine/hex/player/conv"
	"thera/engine/hex/rules"
	"thera/engine/train"
)

// packHex writes a file of the weights that fithex.py fitted to games.
func packHex(flags *flag.FlagSet) writing {
	raw := flags.String("raw", "", "weights that fithex.py wrote, as 32-bit floats")
	epochs := flags.Int("epochs", 1, "number of times that each position was used")
	return func(_ uint64, t train.Training, files []string, path string, out io.Writer) error {
		list, err := rawWeights(*raw, conv.Weights)
		if err != nil {
			return err
		}
		weights := make([]int16, len(list))
		for i, w := range list {
			weights[i] = train.Quantized(float64(w), conv.WeightUnit)
		}
		n, err := conv.New(weights)
		if err != nil {
			return err
		}
		var games train.Games[hexPosition]
		size := 0
		if err := games.ReadAll(files, func(path string) error {
			return games.Read(path, func(header string) error {
				of, err := sizeOf(header)
				if err == nil && (of < conv.Least || size != 0 && of != size) {
					err = errors.New("want boards of one size of at least 3")
				}
				size = of
				return err
			}, func(line string) (int, hexPosition, error) {
				p, err := parsePosition(line, size)
				return p.game, p, err
			})
		}, out); err != nil {
			return err
		}
		record := games.Training
		record.Command, record.Commit, record.Epochs = t.Command, t.Commit, *epochs
		var moves float64
		record.Loss, moves, record.Best = judged(conv.NewJudge(size, n), games.Held)
		fmt.Fprintf(out, "held out: loss of moves %.4f, of results %.4f; the most visited move is the best guess in %.1f %%\n",
			moves, record.Loss, 100*record.Best)
		file, err := conv.Format.Encode(record, weights)
		if err != nil {
			return err
		}
		return os.WriteFile(path, file, 0o644)
	}
}

// judged returns the cross entropy of results, that of moves minus the entropy of the shares, and the share of
// positions in which the best guess is the most visited move.
func judged(j *conv.Judge, list []hexPosition) (results, moves, best float64) {
	n := float64(len(list))
	for i := range list {
		p := &list[i]
		logit := float64(j.Look(p.board, p.turn, p.last)) / conv.Unit
		if !p.won {
			logit = -logit
		}
		results += math.Log1p(math.Exp(-logit)) / n
		sum, top, most := 0.0, -1, -1
		for cell, c := range p.board {
			if c != rules.None {
				continue
			}
			sum += math.Exp(float64(j.Logits[cell]) / conv.Unit)
			if top < 0 || j.Logits[cell] > j.Logits[top] {
				top = cell
			}
			if most < 0 || p.shares[cell] > p.shares[most] {
				most = cell
			}
		}
		if top == most {
			best += 1 / n
		}
		for cell, share := range p.shares {
			moves -= share * (float64(j.Logits[cell])/conv.Unit - math.Log(sum) - math.Log(share)) / n
		}
	}
	return results, moves, best
}

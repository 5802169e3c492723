package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// turnarounds shows the time from one engine's answer to the other's question, as
// the engines measure it, through the arena and through bare pipes.
func (b *bench) turnarounds(ctx context.Context, games int, messages []message) error {
	for _, through := range []struct {
		name string
		play func(env string) error
	}{
		{"turnaround, answer to question", func(env string) error {
			_, err := b.play(ctx, games, 1, env)
			return err
		}},
		{"bare pipes, turnaround", func(env string) error {
			_, err := b.floor(append(slices.Clone(b.env), env), messages, time.Second/4)
			return err
		}},
	} {
		folder, err := os.MkdirTemp(b.folder, "stamps")
		if err != nil {
			return err
		}
		if err := through.play(stampsEnv + "=" + folder); err != nil {
			return err
		}
		took, err := passes(folder)
		if err != nil {
			return err
		}
		if err := b.show(through.name+", p50", took[len(took)/2], "µs"); err != nil {
			return err
		}
		if err := b.show(through.name+", p99", took[len(took)*99/100], "µs"); err != nil {
			return err
		}
	}
	return nil
}

// passes reads the times that the instant engines wrote and returns how long the
// turn took to pass from one to the other, in microseconds, ascending. There is at
// least one value.
func passes(folder string) ([]float64, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(files) != 2 && len(files) != 4 { // 4 if each engine has one process a seat
		return nil, fmt.Errorf("the instant engines left %d files, want 2 or 4", len(files))
	}
	type stamp struct {
		at     int64
		engine int
		answer bool
	}
	var all []stamp
	for engine, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var notes []int64
		if err := json.Unmarshal(text, &notes); err != nil {
			return nil, err
		}
		for i, at := range notes {
			all = append(all, stamp{at, engine, i%2 == 1})
		}
	}
	slices.SortFunc(all, func(a, b stamp) int { return int(a.at - b.at) })
	var took []float64
	for i := 1; i < len(all); i++ {
		if from, to := all[i-1], all[i]; from.answer && !to.answer && from.engine != to.engine {
			took = append(took, float64(to.at-from.at)/1e3)
		}
	}
	if len(took) == 0 {
		return nil, fmt.Errorf("no turn passed from one engine to the other in %d notes", len(all))
	}
	slices.Sort(took)
	return took, nil
}

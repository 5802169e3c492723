package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"

	"thera/engine/santorini"
	"thera/engine/santorini/rules"
	"thera/engine/santorini/selfplay"
)

// datagenTool makes training data.
func datagenTool(flags *pflag.FlagSet) tool {
	var job datagen
	var options []string
	flags.StringVar(&job.path, "out", "", "`file` to write, or to go on with")
	flags.Int64Var(&job.games, "games", 1000, "games that the file shall have")
	flags.Int64Var(&job.header.Nodes, "nodes", 5000, "nodes a move")
	flags.IntVar(&job.header.Plies, "plies", 6, "random plies before the first move; every other game has one more")
	flags.StringSliceVar(&job.header.Gods, "gods", []string{"mortal"}, "gods that meet, each against each; all for every god that engines of today play")
	flags.Uint64Var(&job.header.Seed, "seed", 1, "of the openings")
	flags.IntVar(&job.threads, "threads", 1, "games at once")
	optionFlag(flags, &options)
	return func(ctx context.Context, out, errOut io.Writer) (err error) {
		if job.header.Options, err = readSwitches(options); err != nil {
			return err
		}
		job.out, job.log = out, errOut
		return job.run(ctx)
	}
}

// datagen is one execution of the command.
type datagen struct {
	header   selfplay.Header
	path     string
	games    int64
	threads  int
	out, log io.Writer

	stored    int64 // games in the file
	positions int64
	size      int64 // of the file, in bytes
}

func (j *datagen) run(ctx context.Context) error {
	if err := j.check(); err != nil {
		return err
	}
	var err error
	if j.header.Engine, err = santorini.New().Signature(ctx, j.header.Options); err != nil {
		return err
	}
	file, err := os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := j.resume(file); err != nil {
		return fmt.Errorf("%s: %w", j.path, err)
	}
	if err := j.play(ctx, file); err != nil {
		if ctx.Err() != nil {
			fmt.Fprintf(j.log, "interrupted: %s has %d of %d games; the same command goes on\n", j.path, j.stored, j.games)
		}
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(j.out, "%s: %d games, %d positions, %d bytes\n", j.path, j.stored, j.positions, j.size)
	return err
}

// check refuses settings that make no sense.
func (j *datagen) check() error {
	switch {
	case j.path == "":
		return errors.New("--out: want a file to write")
	case j.games < 1:
		return fmt.Errorf("--games %d: want at least 1", j.games)
	case j.header.Nodes < 1:
		return fmt.Errorf("--nodes %d: want at least 1", j.header.Nodes)
	case j.header.Plies < 0 || j.header.Plies > 40:
		return fmt.Errorf("--plies %d: want 0 to 40", j.header.Plies)
	case j.threads < 1 || j.threads > 256:
		return fmt.Errorf("--threads %d: want 1 to 256", j.threads)
	}
	known, err := roles()
	if err != nil {
		return err
	}
	if len(j.header.Gods) == 1 && j.header.Gods[0] == "all" {
		j.header.Gods = nil
		for _, god := range rules.Played() {
			j.header.Gods = append(j.header.Gods, god.String())
		}
	}
	for i, name := range j.header.Gods {
		if _, err := roleNamed(known, name); err != nil {
			return fmt.Errorf("--gods: %w", err)
		}
		for _, other := range j.header.Gods[:i] {
			if name == other {
				return fmt.Errorf("--gods: %s is listed twice", name)
			}
		}
	}
	return nil
}

// resume reads what the file has, and leaves it at the end of the last whole game. It
// changes nothing in a file that is refused.
func (j *datagen) resume(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	r, err := selfplay.NewReader(file)
	if errors.Is(err, selfplay.ErrIncomplete) {
		return j.cut(file, info.Size())
	}
	if err != nil {
		return err
	}
	if err := selfplay.SameGames(r.Header, j.header); err != nil {
		return err
	}
	var g selfplay.Game
	for err = r.Next(&g); err == nil; err = r.Next(&g) {
		j.positions += int64(len(g.Samples))
	}
	j.stored, j.size = r.Games, r.Offset
	switch {
	case errors.Is(err, selfplay.ErrIncomplete):
		return j.cut(file, info.Size())
	case !errors.Is(err, io.EOF):
		return err
	}
	_, err = file.Seek(j.size, io.SeekStart)
	return err
}

// cut removes what a killed process has left of a game.
func (j *datagen) cut(file *os.File, size int64) error {
	fmt.Fprintf(j.log, "%s: an incomplete game of %d bytes at the end is dropped\n", j.path, size-j.size)
	if err := file.Truncate(j.size); err != nil {
		return err
	}
	_, err := file.Seek(j.size, io.SeekStart)
	return err
}

// progressEvery is the time between two lines of progress.
const progressEvery = 30 * time.Second

func (j *datagen) play(ctx context.Context, file *os.File) error {
	if j.stored > 0 {
		fmt.Fprintf(j.log, "%s: resumed, %d games kept\n", j.path, j.stored)
	}
	w, err := selfplay.NewWriter(j.appender(file), j.header, j.size > 0, j.stored)
	if err != nil {
		return err
	}
	said := time.Now()
	return selfplay.Generate(ctx, j.header, j.stored, j.games, j.threads, func(g *selfplay.Game) error {
		if err := w.Write(g); err != nil {
			return err
		}
		j.stored++
		j.positions += int64(len(g.Samples))
		if time.Since(said) >= progressEvery {
			said = time.Now()
			fmt.Fprintf(j.log, "%d of %d games, %d positions\n", j.stored, j.games, j.positions)
		}
		return nil
	})
}

// appender writes at the end of the file, unless another process has done so too.
func (j *datagen) appender(file *os.File) io.Writer {
	return writerFunc(func(block []byte) (int, error) {
		if info, err := file.Stat(); err != nil || info.Size() != j.size {
			return 0, errors.Join(err, fmt.Errorf("%s has %d bytes instead of %d: another process writes to it", j.path, info.Size(), j.size))
		}
		n, err := file.Write(block)
		j.size += int64(n)
		return n, err
	})
}

// writerFunc is an io.Writer that is a function.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

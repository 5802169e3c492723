package train

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// HeldOut says how many games are held out of the training: one in HeldOut.
const HeldOut = 10

// WriteGames writes a file of games: "# " and the header, then what play writes. The file
// gets its name when all games are played.
func WriteGames(path, header string, play func(out io.Writer) error) error {
	file, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	fmt.Fprintf(w, "# %s\n", header)
	if err := errors.Join(play(w), w.Flush(), file.Close()); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// Games holds the positions of files of games.
type Games[T any] struct {
	Train, Held []T // one game of HeldOut is held out
	Training    Training
}

// Read adds a file. header checks the first line, which says how the file was made. parse
// reads each other line and returns the number of its game.
func (g *Games[T]) Read(path string, header func(text string) error, parse func(text string) (game int, position T, err error)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	sum, last := sha256.New(), -1
	scan := bufio.NewScanner(io.TeeReader(file, sum))
	scan.Buffer(nil, 1<<20)
	for n := 1; scan.Scan(); n++ {
		if n == 1 {
			text, ok := strings.CutPrefix(scan.Text(), "# ")
			if !ok {
				return fmt.Errorf("%s:1: %.60q: want the header of a file of games", path, scan.Text())
			}
			if err := header(text); err != nil {
				return fmt.Errorf("%s:1: %w", path, err)
			}
			g.Training.Sources = append(g.Training.Sources, text)
			continue
		}
		game, position, err := parse(scan.Text())
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if game != last {
			g.Training.Games++
			last = game
		}
		to := &g.Train
		if game%HeldOut == 0 {
			to = &g.Held
		}
		*to = append(*to, position)
	}
	g.Training.Inputs = append(g.Training.Inputs, hex.EncodeToString(sum.Sum(nil)))
	return scan.Err()
}

// ReadAll reads files and prints the numbers of games and positions. It refuses too few games.
func (g *Games[T]) ReadAll(files []string, read func(path string) error, out io.Writer) error {
	if len(files) == 0 {
		return errors.New("want files of games of self-play")
	}
	for _, path := range files {
		if err := read(path); err != nil {
			return err
		}
	}
	if len(g.Train) == 0 || len(g.Held) == 0 {
		return fmt.Errorf("%d positions to train on and %d to hold out: not enough games", len(g.Train), len(g.Held))
	}
	g.Training.Positions, g.Training.HeldOut = len(g.Train), len(g.Held)
	fmt.Fprintf(out, "%d games, %d positions to train on, %d held out\n", g.Training.Games, len(g.Train), len(g.Held))
	return nil
}

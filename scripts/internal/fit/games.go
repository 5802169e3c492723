package fit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// WriteGames writes a file of games of self-play. Nothing is written under that name
// before all are played.
func WriteGames(path string, play func(out io.Writer) error) error {
	file, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	if err := errors.Join(play(file), file.Close()); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// Games are what files of games say about positions.
type Games[T any] struct {
	Train, Held []T // one game of HeldOut is held out
	Count       int // of games
	Sources     []string
}

// Read adds a file. Its first line says after "# " how it was made: header checks that; if
// header is nil, the line may be missing. parse reads the other lines, and says of which
// game each is.
func (g *Games[T]) Read(path string, header func(text string) error, parse func(text string) (game int, position T, err error)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	last := -1
	scan := bufio.NewScanner(file)
	scan.Buffer(nil, 1<<20)
	for n := 1; scan.Scan(); n++ {
		text, ok := strings.CutPrefix(scan.Text(), "# ")
		switch {
		case n > 1 || !ok && header == nil:
		case !ok:
			return fmt.Errorf("%s: no header of a file of games: %.60q", path, scan.Text())
		default:
			if header != nil {
				if err := header(text); err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
			}
			g.Sources = append(g.Sources, text)
			continue
		}
		game, position, err := parse(scan.Text())
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if game != last {
			g.Count++
			last = game
		}
		to := &g.Train
		if game%HeldOut == 0 {
			to = &g.Held
		}
		*to = append(*to, position)
	}
	return scan.Err()
}

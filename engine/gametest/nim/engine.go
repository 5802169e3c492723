package nim

import (
	"bufio"
	"context"
	"errors"
	"hash/fnv"
	"io"
	"strconv"
	"strings"

	"thera/engine/game"
)

// Serve implements game.Player. The engine answers at once: with the move that
// wins, if there is one, otherwise with 1.
func (g *Game) Serve(_ context.Context, _ []string, in io.Reader, out, _ io.Writer) error {
	return g.ServeWith(in, out, func(pos game.Position) string { return Choose(pos, 100, 0) })
}

// CheckOption implements game.Player. The engine ignores its options and
// refuses "unknown".
func (g *Game) CheckOption(name, _ string) error {
	if name == "unknown" {
		return errors.New(`there is no option "unknown"`)
	}
	return nil
}

// FullStrength implements game.Player.
func (g *Game) FullStrength() []game.Option { return nil }

// Signature implements game.Player: the engine looks at one position.
func (g *Game) Signature(context.Context, map[string]string) (int64, error) { return 1, nil }

// Version implements game.Player.
func (g *Game) Version() game.Version { return game.Version{Signature: 1, Judge: "5c3fc33ff9e4c70e"} }

// Baselines implements game.Player.
func (g *Game) Baselines() []game.Baseline {
	return []game.Baseline{{Name: "strong", Nodes: 1, Plays: "1"}}
}

// ServeWith is the engine that answers with choose's moves.
func (g *Game) ServeWith(in io.Reader, out io.Writer, choose func(game.Position) string) error {
	w := bufio.NewWriter(out)
	say := func(words ...string) error {
		w.WriteString(strings.Join(words, " ") + "\n")
		return w.Flush()
	}
	if err := say("ready"); err != nil {
		return err
	}
	owed := "" // the answer that waits for a stop
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		words := strings.Fields(scan.Text())
		var err error
		switch {
		case len(words) == 0:
		case words[0] == "quit":
			return nil
		case words[0] == "new":
			err = say("ok")
		case words[0] == "ping" && len(words) == 2:
			err = say("pong", words[1])
		case words[0] == "list" && len(words) == 3:
			if pos, bad := g.Parse(words[1] + " " + words[2]); bad != nil {
				err = say("error", bad.Error())
			} else {
				err = say("moves", strings.Join(pos.Moves(pos.ToMove().Only()), " "))
			}
		case words[0] == "go" && len(words) == 6:
			pos, bad := g.Parse(words[2] + " " + words[3])
			switch {
			case bad != nil:
				err = say("error", bad.Error())
			case words[4] == "0" && words[5] == "0":
				owed = "move " + words[1] + " " + choose(pos)
			default:
				err = say("move", words[1], choose(pos))
			}
		case words[0] == "stop" && owed != "":
			err = say(owed)
			owed = ""
		case words[0] != "stop":
			err = say("error", "unknown command", strconv.Quote(words[0]))
		}
		if err != nil {
			return err
		}
	}
	return scan.Err()
}

// Choose is a move of which percent of 100 win where one can, by dice.
func Choose(pos game.Position, percent int, dice uint64) string {
	var h heap
	switch pos := pos.(type) {
	case heap:
		h = pos
	case rush:
		h = pos.heap
	}
	if best := h.best(); best > 0 && int(dice%100) < percent {
		return strconv.Itoa(best)
	}
	return strconv.Itoa(1 + int(dice>>32)%min(h.take, h.left))
}

// Dice are dice by the words.
func Dice(words ...string) uint64 {
	h := fnv.New64a()
	for _, word := range words {
		h.Write([]byte(word))
		h.Write([]byte{0})
	}
	return h.Sum64()
}

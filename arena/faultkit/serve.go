package faultkit

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"thera/engine/game"
)

// Serve is the healthy engine: it answers at once, and always takes what
// leaves a multiple of four, else one.
func (Toy) Serve(_ context.Context, _ []string, in io.Reader, out, _ io.Writer) error {
	w := bufio.NewWriter(out)
	say := func(format string, args ...any) error {
		fmt.Fprintf(w, format+"\n", args...)
		return w.Flush()
	}
	if err := say("ready"); err != nil {
		return err
	}
	scan := bufio.NewScanner(in)
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
			err = say("pong %s", words[1])
		case words[0] == "list" && len(words) == 3:
			var pos game.Position
			if pos, err = (Toy{}).Parse(words[1] + " " + words[2]); err == nil {
				err = say("moves %s", strings.Join(pos.Moves(pos.ToMove().Only()), " "))
			}
		case words[0] == "go" && len(words) >= 4:
			var pos game.Position
			if pos, err = (Toy{}).Parse(words[2] + " " + words[3]); err == nil {
				err = say("move %s %s", words[1], choose(pos))
			}
		case words[0] == "stop":
		default:
			err = say("error unknown command %q", words[0])
		}
		if err != nil {
			return err
		}
	}
	return scan.Err()
}

func choose(pos game.Position) string {
	var left int
	fmt.Sscan(pos.String(), &left)
	if n := left % 4; n > 0 {
		return fmt.Sprint(n)
	}
	return "1"
}

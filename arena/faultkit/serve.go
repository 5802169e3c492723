package faultkit

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"thera/engine/game"
)

// Serve is the healthy engine. It answers at once and leaves a multiple of
// four if it can, else it takes one.
func (Toy) Serve(_ context.Context, _ []string, in io.Reader, out, _ io.Writer) error {
	w := bufio.NewWriter(out)
	say := func(format string, args ...any) error {
		fmt.Fprintf(w, format+"\n", args...)
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
			err = say("pong %s", words[1])
		case words[0] == "list" && len(words) == 3:
			if pos, bad := (Toy{}).Parse(words[1] + " " + words[2]); bad != nil {
				err = say("error %v", bad)
			} else {
				err = say("moves %s", strings.Join(pos.Moves(pos.ToMove().Only()), " "))
			}
		case words[0] == "go" && len(words) == 6:
			pos, bad := (Toy{}).Parse(words[2] + " " + words[3])
			switch {
			case bad != nil:
				err = say("error %v", bad)
			case words[4] == "0" && words[5] == "0":
				owed = "move " + words[1] + " " + choose(pos)
			default:
				err = say("move %s %s", words[1], choose(pos))
			}
		case words[0] == "stop":
			if owed != "" {
				err = say("%s", owed)
				owed = ""
			}
		default:
			err = say("error unknown command %q", words[0])
		}
		if err != nil {
			return err
		}
	}
	return scan.Err()
}

// CheckOption refuses every option.
func (Toy) CheckOption(name, _ string) error { return fmt.Errorf("there is no option %q", name) }

// Signature is 1: the engine looks at one position.
func (Toy) Signature(context.Context, map[string]string) (int64, error) { return 1, nil }

func choose(pos game.Position) string {
	var left int
	fmt.Sscan(pos.String(), &left)
	if n := left % 4; n > 0 {
		return fmt.Sprint(n)
	}
	return "1"
}

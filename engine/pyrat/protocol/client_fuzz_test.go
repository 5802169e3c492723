package protocol

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"thera/engine/game"
	"thera/engine/gametest"
)

// babbler is a Conn to an AI that sends the same lines whatever it is asked; a
// line "~" is the soft limit.
type babbler struct {
	lines []string
	at    int
}

func (b *babbler) Send([]byte) error { return nil }

func (b *babbler) Recv(context.Context) ([]byte, error) {
	if b.at == len(b.lines) {
		return nil, &game.Fault{Kind: game.FaultTimeout}
	}
	line := b.lines[b.at]
	b.at++
	if line == "~" {
		return nil, game.ErrSoft
	}
	return []byte(line), nil
}

func (b *babbler) Pending() ([]byte, bool) {
	if b.at == len(b.lines) || !strings.HasPrefix(b.lines[b.at], "!") {
		return nil, false
	}
	b.at++
	return []byte(b.lines[b.at-1][1:]), true
}

func (b *babbler) Warn(string)   {}
func (b *babbler) Passed([]byte) {}

// Whatever an AI prints in any phase, the host ends with a legal move or a fault
// of the AI, and keeps little of it.
func FuzzClient(f *testing.F) {
	f.Add("id name A B\noption name X type spin default 1 min 0 max 3\npyratready\npreprocessingdone\ninfo depth 3 pv UP\nmove UP\n!move LEFT\nmove DOWN\npostprocessingdone")
	f.Add("protocol version 2.0\noption name C type combo var a var b c\npyratready\n~\n~\nmove\n!move UP\nready\nreadyok\nmove UP")
	f.Add("pyratready\ninfo string \xff info nodes 9\ninfo score NaN target (0, 1)\npreprocessingdone\n~\nready\nmove STAY\nreadyok\nmove\tSTAY")
	f.Fuzz(func(t *testing.T, text string) {
		ctx := context.Background()
		var fault *game.Fault
		check := func(err error) bool {
			if err != nil && !errors.As(err, &fault) && !errors.Is(err, game.ErrSoft) { // the arena makes a timeout of that
				t.Fatalf("not a fault of the AI: %v", err)
			}
			return err == nil
		}
		conn := &babbler{lines: strings.Split(text, "\n")}
		s, _, err := Dialect{}.Dial(ctx, conn, game.Options{Set: []game.Option{{Name: "Thera", Value: "1"}}})
		if !check(err) {
			return
		}
		history := game.Begin(mustParse(t, small))
		if !check(s.Seat(ctx, game.Second, history)) {
			return
		}
		for range 4 {
			if !check(s.Sync(ctx, history)) {
				return
			}
			reply, err := gametest.Go(ctx, s, game.Ask{History: history})
			if !check(err) {
				reply.Move = "S"
			}
			if s := reply.Details; s != nil {
				for _, text := range append([]string{s.CurrMove, s.CurrLine, s.PV, s.Target}, s.Texts...) {
					if len(text) > keptBytes || !utf8.ValidString(text) {
						t.Fatalf("kept %d bytes: %q", len(text), text)
					}
				}
			}
			if history, err = history.Play(game.Turn{"S", reply.Move}); err != nil {
				t.Fatalf("reply %q: %v", reply.Move, err)
			}
		}
		check(s.End(ctx, history, game.Outcome{Reason: "max_turns"}))
	})
}

package protocol

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"thera/engine/game"
)

// GTP is the client's side of the Go Text Protocol 2: a command is a line and has one
// answer, in order. An answer may have several lines. The first is all that is read: those
// that follow, like any other line, are passed over.
type GTP struct{ Client }

// GTPRefusal is an answer with a question mark.
type GTPRefusal struct{ Command, Text string }

func (r *GTPRefusal) Error() string {
	return fmt.Sprintf("%s is answered %s", Quote([]byte(r.Command)), Quote([]byte("? "+r.Text)))
}

// ReadGTP reads the first line of an answer: = or ?, perhaps an id, and text. ok is false for
// other lines.
func ReadGTP(line []byte) (text string, refused, ok bool) {
	if len(line) == 0 || line[0] != '=' && line[0] != '?' {
		return "", false, false
	}
	rest := bytes.TrimLeft(line[1:], "0123456789")
	if len(rest) > 0 && !strings.ContainsRune(" \t\r", rune(rest[0])) && (rest[0]|0x20 < 'a' || rest[0]|0x20 > 'z') {
		return "", false, false // a line of a drawing
	}
	return string(bytes.TrimSpace(rest)), line[0] == '?', true
}

// Do sends a command and waits for its answer. The error may be a *GTPRefusal.
func (g *GTP) Do(ctx context.Context, words ...string) (string, error) {
	if err := g.Say(words...); err != nil {
		return "", err
	}
	g.Expect("=")
	return g.await(ctx, strings.Join(words, " "))
}

// await waits for the answer to command.
func (g *GTP) await(ctx context.Context, command string) (text string, err error) {
	err = g.Read(ctx, nil, func(line []byte) (bool, error) {
		said, refused, ok := ReadGTP(line)
		switch {
		case !ok:
			g.Pass(line)
		case refused:
			return true, &GTPRefusal{command, said}
		}
		text = said
		return ok, nil
	})
	return text, err
}

// GTPCommand parts a line to a server of GTP into id, name and arguments. The name is empty where
// nothing is to be answered.
func GTPCommand(line []byte) (id, name string, args []string) {
	line, _, _ = bytes.Cut(line, []byte("#"))
	words := strings.Fields(string(bytes.ToValidUTF8(line, []byte("?"))))
	if len(words) > 0 && strings.Trim(words[0], "0123456789") == "" {
		id, words = words[0], words[1:]
	}
	if len(words) == 0 {
		return id, "", nil
	}
	return id, words[0], words[1:]
}

// GTPAnswer is the answer to the command with that id: text, or a refusal. Its last line is
// empty, and still lacks its end.
func GTPAnswer(id, text string, err error) string {
	mark := "="
	if err != nil {
		mark, text = "?", err.Error()
	}
	return mark + id + " " + text + "\n"
}

// refusedFault makes the engine's fault of a refusal, and leaves other errors.
func refusedFault(err error) error {
	if refused, ok := errors.AsType[*GTPRefusal](err); ok {
		return game.Protocolf("%v", refused)
	}
	return err
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// browse lets the user step through a game in a terminal.
func (r *replayed) browse(ctx context.Context, in *os.File, out io.Writer) (err error) {
	state, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return fmt.Errorf("preparing the terminal: %w", err)
	}
	defer func() { err = errors.Join(err, term.Restore(int(in.Fd()), state)) }()
	return r.step(ctx, bufio.NewReader(in), out)
}

// step shows a board for each key read, until q or the end of the keys.
func (r *replayed) step(ctx context.Context, keys *bufio.Reader, out io.Writer) error {
	last := len(r.Lines) - 1
	for ply := 0; ctx.Err() == nil; {
		screen := r.head() + "\n" + r.at(ply) + fmt.Sprintf("\n%d of %d   → ← Home End q\n", ply, last)
		if r.escapes {
			screen = "\x1b[H\x1b[2J" + screen
		}
		// A raw terminal needs a carriage return too.
		if _, err := io.WriteString(out, strings.ReplaceAll(screen, "\n", "\r\n")); err != nil {
			return err
		}
		switch key, err := readKey(keys); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case key == "q" || key == "\x03" || key == "\x04" || key == "\x1b":
			return nil
		case key == "right" || key == "down" || key == " " || key == "n" || key == "\r" || key == "l":
			ply = min(ply+1, last)
		case key == "left" || key == "up" || key == "b" || key == "p" || key == "h":
			ply = max(ply-1, 0)
		case key == "home" || key == "g":
			ply = 0
		case key == "end" || key == "G":
			ply = last
		}
	}
	return ctx.Err()
}

// readKey reads the next key and returns its name, "" for an unknown key.
func readKey(r *bufio.Reader) (string, error) {
	b, err := r.ReadByte()
	if err != nil || b != '\x1b' {
		return string(b), err
	}
	// The bytes of one key arrive together; nothing follows a lone Escape.
	if r.Buffered() == 0 {
		return "\x1b", nil
	}
	if b, err = r.ReadByte(); err != nil || b != '[' && b != 'O' {
		return "", err
	}
	code, err := r.ReadByte()
	if err != nil {
		return "", err
	}
	for end := code; end >= '0' && end <= '9' || end == ';'; {
		if end, err = r.ReadByte(); err != nil {
			return "", err
		}
	}
	return map[byte]string{'A': "up", 'B': "down", 'C': "right", 'D': "left", 'H': "home", 'F': "end", '1': "home", '7': "home", '4': "end", '8': "end"}[code], nil
}

//go:build unix

package central

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// TestMain lets this test binary be the bots that its tests play with.
func TestMain(m *testing.M) {
	if code, ours := faultkit.Main(); ours {
		os.Exit(code)
	}
	goleak.VerifyTestMain(m)
}

// session runs commands with two healthy bots, or with the second at fault,
// in an empty folder, and returns the output.
func session(t *testing.T, fault string, commands ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	c := &Central{Game: nim.New(6), Limit: arena.Limit{Move: 2 * time.Second}, Out: &o, Err: &e}
	for i, f := range []string{"none", fault} {
		argv, env := faultkit.Command(f)
		c.Bots[i] = arena.EngineSpec{Name: []string{"one", "two"}[i], Command: argv, Env: env}
	}
	if fault == "missing" {
		c.Bots[1].Command = []string{filepath.Join(t.TempDir(), "nobody")}
	}
	gametest.OK(t, c.Serve(t.Context(), strings.NewReader(strings.Join(commands, "\n")+"\n")))
	return o.String(), e.String()
}

func TestErrorsKeepThePromptAlive(t *testing.T) {
	out, errs := session(t, "none", "next", "print", "undo", "save", "dance", "run nowhere", "next 3", "", "run", "undo", "next")
	if want := "one (first) against two (second)\n1. one: 2\n"; out != want {
		t.Errorf("out is %q, want %q", out, want)
	}
	for i, want := range []string{
		"next: no game yet", "print: no game yet", "undo: no game yet", "save: no game yet", "dance: unknown command",
		"run: open nowhere", "next: takes no argument", "undo: there is no move",
	} {
		lines := strings.Split(errs, "\n")
		if i >= len(lines) || !strings.Contains(lines[i], want) {
			t.Errorf("error %d of %q is not %q", i, errs, want)
		}
	}
}

func TestBotThatDoesNotStart(t *testing.T) {
	out, errs := session(t, "missing", "run", "next", "quit")
	if out != "" || !strings.Contains(errs, "two: cannot start") || !strings.Contains(errs, "no game yet") {
		t.Errorf("out %q, errors %q", out, errs)
	}
}

// After Ctrl-C no command is executed. What bots say is no command to the terminal.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var all bytes.Buffer
	c := &Central{Game: nim.New(6), Out: &all, Err: &all}
	err := c.Serve(ctx, strings.NewReader("dance\n"))
	c.say("%s", c.verdict(game.Outcome{Reason: "\x1b"}))
	c.complain("run", errors.New("\x1b"))
	if want := "a draw: \\x1b\nrun: \\x1b\n"; all.String() != want || !errors.Is(err, context.Canceled) {
		t.Errorf("%q, want %q; %v", &all, want, err)
	}
}

func TestFaultEndsTheGame(t *testing.T) {
	out, errs := session(t, "illegal:1", "run", "next", "next", "next", "run", "next")
	again := "one (first) against two (second)\n1. one: 2\n"
	if out != again+"one wins: illegal move: 7: take 1 to 3\n"+again || !strings.Contains(errs, "game is over") {
		t.Errorf("out %q, errors %q", out, errs)
	}
}

func TestSaveAndRunAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	out, errs := session(t, "none", "run", "next", "save", "s", "next", "save mine", "save mine", "run nim-1.save", "p", "undo", "undo",
		"next", "next", "next", "save over", "run over", "p")
	const want = `one (first) against two (second)
1. one: 2
nim-1.save
nim-2.save
2. two: 1
mine
one (first) against two (second), after 1 moves of nim-1.save
4 2
ply 2, two to move
took back 2
1. one: 2
2. two: 1
3. one: 3
one wins: took the last
over
one (first) against two (second), after 3 moves of over
one wins: took the last
0 2
one wins: took the last
`
	if diff := cmp.Diff(want, out); diff != "" || errs != "save: open mine: file exists\nundo: there is no move to take back\n" {
		t.Errorf("(-want +got):\n%s%s", diff, errs)
	}
	text, err := os.ReadFile("mine")
	gametest.OK(t, err)
	if want := `{"version":1,"game":"nim","start":"6 1","moves":["2","1"],"position":"3 1"}` + "\n"; string(text) != want {
		t.Errorf("saved %s, want %s", text, want)
	}
}

func TestBadSaves(t *testing.T) {
	t.Chdir(t.TempDir())
	for text, want := range map[string]string{
		`nonsense`:                                                   "not a saved game",
		`{"game":"nim","start":"6 1"}`:                               "it has no version",
		`{"version":2,"game":"nim"}`:                                 "version 2",
		`{"version":1,"game":"hex"}`:                                 "a saved game of hex, not of nim",
		`{"version":1,"game":"nim","start":"x"}`:                     "start:",
		`{"version":1,"game":"nim","start":"6 1","moves":["2","9"]}`: "move 2: illegal move",
		`{"version":1,"game":"nim","rules":["a=b"],"start":"6 1"}`:   "rules",
	} {
		gametest.OK(t, os.WriteFile("bad.save", []byte(text), 0o644))
		out, errs := session(t, "none", "run bad.save", "next")
		if out != "" || !strings.Contains(errs, want) || !strings.Contains(errs, "no game yet") {
			t.Errorf("%s: out %q, errors %q, want %q", text, out, errs, want)
		}
	}
}

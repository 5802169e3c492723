//go:build unix

package central

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

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

// Sessions of two healthy bots, or of one that is at fault or missing: what they print, line by line.
// An error leaves the prompt alive.
func TestSessions(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"nonsense": "nonsense", "old": `{"game":"nim","start":"6 1"}`, "later": `{"version":2,"game":"nim"}`, "hex": `{"version":1,"game":"hex"}`,
		"start": `{"version":1,"game":"nim","start":"x"}`, "illegal": `{"version":1,"game":"nim","start":"6 1","moves":["2","9"]}`,
		"ruled": `{"version":1,"game":"nim","rules":["a=b"],"start":"6 1"}`,
	} {
		gametest.OK(t, os.WriteFile(name, []byte(text), 0o644))
	}
	const begun, move = "one (first) against two (second)\n", "1. one: 2\n"
	for _, tt := range []struct{ fault, commands, want string }{
		{
			"none", "next,print,undo,save,dance,run nowhere,next 3,,run,undo,next",
			"next: no game yet\nprint: no game yet\nundo: no game yet\nsave: no game yet\ndance: unknown command\nrun: open nowhere\n" +
				"next: takes no argument\n" + begun + "undo: there is no move\n" + move,
		},
		{"missing", "run,next,quit", "two: cannot start\nno game yet\n"},
		{
			"illegal:1", "run,next,next,next,run,next",
			begun + move + "one wins: illegal move: 7: take 1 to 3\ngame is over\n" + begun + move,
		},
		{
			"none", "run,next,save,s,next,save mine,save mine,run nim-1.save,p,undo,undo,next,next,next,save over,run over,p",
			begun + move + "nim-1.save\nnim-2.save\n2. two: 1\nmine\nsave: open mine: file exists\n" +
				"one (first) against two (second), after 1 moves of nim-1.save\n4 2\nply 2, two to move\ntook back 2\n" +
				"undo: there is no move to take back\n" + move + "2. two: 1\n3. one: 3\none wins: took the last\nover\n" +
				"one (first) against two (second), after 3 moves of over\none wins: took the last\n0 2\none wins: took the last\n",
		},
		{
			"none", "run nonsense,run old,run later,run hex,run start,run illegal,run ruled,next",
			"not a saved game\nit has no version\nversion 2\na saved game of hex, not of nim\nstart:\nmove 2: illegal move\nrules\nno game yet\n",
		},
	} {
		var out bytes.Buffer
		c := &Central{Game: nim.New(6), Limit: arena.Limit{Move: 2 * time.Second}, Out: &out, Err: &out}
		for i, f := range []string{"none", tt.fault} {
			argv, env := faultkit.Command(f)
			c.Bots[i] = arena.EngineSpec{Name: []string{"one", "two"}[i], Command: argv, Env: env}
		}
		if tt.fault == "missing" {
			c.Bots[1].Command = []string{"./nobody"}
		}
		gametest.OK(t, c.Serve(t.Context(), strings.NewReader(strings.ReplaceAll(tt.commands, ",", "\n")+"\n")))
		lines, want := strings.Split(out.String(), "\n"), strings.Split(tt.want, "\n")
		if len(lines) != len(want) {
			t.Errorf("%s: %q, want %q", tt.commands, &out, tt.want)
		}
		for i, line := range lines[:min(len(lines), len(want))] {
			if !strings.Contains(line, want[i]) {
				t.Errorf("%s: line %d is %q, want %q", tt.commands, i+1, line, want[i])
			}
		}
	}
	text, err := os.ReadFile("mine")
	gametest.OK(t, err)
	if want := `{"version":1,"game":"nim","start":"6 1","moves":["2","1"],"position":"3 1"}` + "\n"; string(text) != want {
		t.Errorf("saved %s, want %s", text, want)
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

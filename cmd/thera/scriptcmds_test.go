package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/clipperhouse/displaywidth"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/store"
)

// waitFor waits until a file that another process writes matches a pattern:
// waitfor FILE REGEXP.
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: waitfor FILE REGEXP")
	}
	want := regexp.MustCompile(args[1])
	name := ts.MkAbs(args[0])
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	end := time.After(5 * time.Minute)
	for {
		if text, err := os.ReadFile(name); err == nil && want.Match(text) {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			ts.Fatalf("%s never held %s", args[0], args[1])
		}
	}
}

// exits runs a program and checks its exit status: exits STATUS PROGRAM ARG…, with
// 0|1 for either.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM ARG…")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var ended *exec.ExitError
		if !errors.As(err, &ended) {
			ts.Fatalf("%v", err)
		}
		got = ended.ExitCode()
	}
	if !slices.Contains(strings.Split(args[0], "|"), fmt.Sprint(got)) {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// dumpGames writes the parts of games that must not depend on when and how
// often a run was stopped: dumpgames DB FILE.
func dumpGames(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: dumpgames DB FILE")
	}
	lines, err := gamesIn(context.Background(), ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
}

// gamesIn are those parts of all games in a database, sorted.
func gamesIn(ctx context.Context, path string) (lines []string, err error) {
	db, err := store.Existing(ctx, path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	runs, err := db.Runs(ctx)
	if err != nil {
		return nil, err
	}
	for _, run := range runs {
		for rec, err := range db.Games(ctx, run.ID, true) {
			if err != nil {
				return nil, err
			}
			if rec.Source == arena.Stalled {
				continue // a busy machine voids games, which are played again
			}
			line := fmt.Sprintf("%s %v leg %d pair %d: %s %v %v", rec.ID, rec.Pairing, rec.Leg, rec.Pair, rec.Start, rec.Moves, rec.Outcome)
			for _, p := range rec.Plies {
				line += fmt.Sprintf(" %d/%d/%d", p.Depth, p.Nodes, p.Score)
			}
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return lines, nil
}

// flip flips one bit at the last occurrence of a text in a file: flip FILE
// TEXT.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: flip FILE TEXT")
	}
	name := ts.MkAbs(args[0])
	data, err := os.ReadFile(name)
	ts.Check(err)
	text, err := strconv.Unquote(`"` + args[1] + `"`) // it may have escapes
	ts.Check(err)
	at := bytes.LastIndex(data, []byte(text)) // the first one may be in space that is free
	if at < 0 {
		ts.Fatalf("%s does not hold %s", args[0], args[1])
	}
	data[at] ^= 1
	ts.Check(os.WriteFile(name, data, 0o666))
}

// pick sets a variable to the first match of the group of a pattern in a file:
// pick NAME FILE REGEXP.
func pick(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: pick NAME FILE REGEXP")
	}
	found := regexp.MustCompile(args[2]).FindStringSubmatch(ts.ReadFile(args[1]))
	if len(found) != 2 {
		ts.Fatalf("%s does not hold %s", args[1], args[2])
	}
	ts.Setenv(args[0], found[1])
}

// fits wants every line of a file within a number of columns, and no escape
// sequence in it: fits COLUMNS FILE.
func fits(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: fits COLUMNS FILE")
	}
	most, err := strconv.Atoi(args[0])
	ts.Check(err)
	text := ts.ReadFile(args[1])
	if text == "" {
		ts.Fatalf("%s is empty", args[1])
	}
	widest, wide := "", 0
	for line := range strings.Lines(text) {
		if n := displaywidth.String(strings.TrimSuffix(line, "\n")); n > wide {
			widest, wide = line, n
		}
	}
	if neg == (wide <= most) {
		ts.Fatalf("%s has %d columns: %s", args[1], wide, widest)
	}
	if strings.Contains(text, "\x1b") {
		ts.Fatalf("%s has escape sequences", args[1])
	}
}

// timed are the points of thera check that a busy machine can fail.
var timed = regexp.MustCompile(`^ *\d+ +failed +((start|time|stop|ready|idle|ends)|.*: timeout: used )`)

// checked runs thera check on an engine of a game and wants no failed point
// except those that depend on the speed of the machine.
func checked(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: checked GAME ENGINE")
	}
	var ended *exec.ExitError
	if err := ts.Exec("thera", "check", "--wide", "--game", args[0], "--", args[1]); err != nil && !errors.As(err, &ended) {
		ts.Fatalf("%v", err)
	}
	points := strings.Split(ts.ReadFile("stdout"), "\n")
	ok := 0
	for _, point := range points {
		switch {
		case strings.Contains(point, "  failed  ") && !timed.MatchString(point):
			ts.Fatalf("%s", point)
		case strings.Contains(point, "  ok  "):
			ok++
		}
	}
	if ok < 4 {
		ts.Fatalf("%d points hold: %q", ok, points)
	}
}

// smaller replaces sizes in the examples of the help that a test has no time for.
var smaller = strings.NewReplacer(
	"--rounds 50 --limit 100ms", "--rounds 1 --limit 20ms",
	"--limit nodes=20000", "--limit nodes=200 --rounds 2",
	"--positions 2780", "--positions 9",
	"--set dialect.min_move=1s --limit 2s", "--set dialect.min_move=20ms --limit 50ms",
	"--men 3-3,4-3,4-4", "--men 3-3",
)

// examples runs every example of the help of every command in a shell, each on a copy of
// the database: examples. A check may find something on a busy machine.
func examples(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: examples")
	}
	database, ran := ts.ReadFile("results/thera.db"), 0
	ts.Setenv("THERA_DB", "copy.db")
	var run func(cmd *cobra.Command)
	run = func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Example) {
			line = strings.TrimSpace(line)
			alone := strings.Contains(line, "--worker ") // it needs a worker's games
			switch cmd.Name() {
			case "serve", "test", "bisect", "tune", "worker": // they need to be stopped, a repository or time
				alone = true
			}
			if alone { // they have stories
				_, words, _ := strings.Cut(line, " "+cmd.Name())
				ts.Check(cmd.ParseFlags(strings.Fields(words)))
				continue
			}
			if !strings.HasPrefix(line, "thera ") {
				ts.Fatalf("%s: the example %q does not begin with thera", cmd.Name(), line)
			}
			ts.Check(os.WriteFile(ts.MkAbs("copy.db"), []byte(database), 0o600))
			for _, left := range []string{"copy.db-wal", "copy.db-shm"} {
				_ = os.Remove(ts.MkAbs(left)) // the database was closed: it has none
			}
			err := ts.Exec("sh", "-c", smaller.Replace(line))
			var ended *exec.ExitError
			if found := errors.As(err, &ended) && ended.ExitCode() == exitFindings && cmd.Name() == "check"; err != nil && !found {
				ts.Fatalf("%s: %v", line, err)
			}
			ran++
		}
		for _, sub := range cmd.Commands() {
			run(sub)
		}
	}
	run(newRoot(nil))
	if ran < 20 {
		ts.Fatalf("only %d examples", ran)
	}
}

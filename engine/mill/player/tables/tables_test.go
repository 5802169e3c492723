package tables

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/mill/rules"
)

// solved returns tables up to 4-3, made once for all tests.
var solved = sync.OnceValues(func() (*Tables, error) { return solveUpTo(4, 3) })

func solveUpTo(a, b int) (*Tables, error) {
	t := New(true)
	needs, err := Needs(a, b)
	for _, n := range needs {
		if err == nil {
			_, err = t.Solve(context.Background(), n[0], n[1])
		}
	}
	return t, err
}

func mustSolve(t *testing.T) *Tables {
	t.Helper()
	tables, err := solved()
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// bellman returns a position's value as it follows from its successors, by the
// rules of a game.
func bellman(t *testing.T, tables *Tables, s rules.State) Value {
	t.Helper()
	r := rules.Default()
	if s.Stuck(&r) {
		return after(0)
	}
	var w weighing
	for _, m := range s.Moves(&r, nil) {
		next := s
		next.Play(m)
		if next.Action == rules.Won {
			w.add(after(0))
			continue
		}
		if next.Action == rules.RemoveMan { // the turn goes on
			v := bellman(t, tables, next)
			switch {
			case v == 0:
				w.open = true
			case v.Won():
				w.add(after(v.Turns() - 1))
			default:
				w.longest = max(w.longest, v.Turns())
			}
			continue
		}
		v, ok := tables.Lookup(&next)
		if !ok {
			t.Fatalf("no value for a successor of %+v", s)
		}
		w.add(v)
	}
	return w.value()
}

// checkSpace checks that values follow from those of their successors, for one
// entry in step.
func checkSpace(t *testing.T, tables *Tables, a, b, step int) (seen int) {
	t.Helper()
	s := tables.spaces[a][b]
	for i := range s.values {
		men, other, ok := s.position(i)
		if !ok || i%step != 0 {
			continue
		}
		seen++
		at := rules.State{Men: [2]rules.Set{men, other}}
		if want := bellman(t, tables, at); Value(s.values[i]) != want {
			t.Fatalf("%d-%d %+v: value %d, its successors give %d", a, b, at, s.values[i], want)
		}
	}
	return seen
}

// In full, all positions up to 5-4; else those of 3-3 and some of 4-3.
func TestTablesLong(t *testing.T) {
	tables, needs, step := mustSolve(t), [][2]int{{3, 3}, {4, 3}}, 31
	if gametest.Long(t) {
		begin := time.Now()
		var err error
		if tables, err = solveUpTo(5, 4); err != nil {
			t.Fatal(err)
		}
		t.Logf("solved up to 5-4 in %v", time.Since(begin))
		step = 1
		if needs, err = Needs(5, 4); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range needs {
		every := step
		if n == [2]int{3, 3} {
			every = 1
		}
		seen := checkSpace(t, tables, n[0], n[1], every)
		if n[0] != n[1] {
			seen += checkSpace(t, tables, n[1], n[0], every)
		}
		t.Logf("%d-%d: %d positions, %+v", n[0], n[1], seen, tables.Stats(n[0], n[1]))
	}
}

// Published figures of the 3-3 endgame: the side to move wins 83 % of the
// positions, and the longest win takes 26 plies.
func TestKnownFigures(t *testing.T) {
	st := mustSolve(t).Stats(3, 3)
	if won := 100 * st.Won / st.Positions; won != 82 && won != 83 || st.Longest != 26 {
		t.Errorf("3-3: %+v: %d %% won", st, won)
	}
}

func TestTableFiles(t *testing.T) {
	tables, folder := mustSolve(t), t.TempDir()
	path, err := tables.Save(folder, 3, 4)
	if err != nil || filepath.Base(path) != "mill-4-3.tbl" {
		t.Fatal(path, err)
	}
	if _, err := tables.Save(folder, 3, 3); err != nil {
		t.Fatal(err)
	}
	back, err := LoadAll(folder, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range [][2]int{{3, 3}, {3, 4}, {4, 3}} {
		if !bytes.Equal(back.spaces[n[0]][n[1]].values, tables.spaces[n[0]][n[1]].values) {
			t.Errorf("%v reads back differently", n)
		}
	}
	if _, err := tables.Save(folder, 5, 3); err == nil {
		t.Error("a table that is not solved was saved")
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for want, text := range map[string]string{
		"not a mill endgame table": "short",
		"checksum":                 string(good[:5000]) + "\xFE" + string(good[5001:]),
		"cut off":                  string(good[:len(good)-100]),
		"table version 9":          string(good[:8]) + "\x09" + string(good[9:]),
		"holds 5-3":                string(good[:12]) + "\x05" + string(good[13:]),
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadAll(folder, true); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("err = %v, want %q and the file's name", err, want)
		}
	}
	if _, err := LoadAll(t.TempDir(), true); err == nil || !strings.Contains(err.Error(), "thera engine mill tables") {
		t.Errorf("empty folder: %v", err)
	}
	if err := back.Load(t.TempDir(), 3, 3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := back.Load(folder, 10, 3); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Error("ten men are loaded")
	}
}

func TestProven(t *testing.T) {
	tables := mustSolve(t)
	for _, tt := range []struct {
		fen    string
		proven bool
		winner game.Seat
	}{
		{"*OO*O***/*****@@*/***@**** w m s 3 0 3 0 0 0 0 0 0 0 0 9 30", true, game.First},
		{"*OO*O***/*****@@*/***@**** w m s 3 0 3 0 0 0 0 0 0 0 0 99 30", true, game.First},
		{"*OOO****/*****@@*/***@*@** w m r 3 0 4 0 1 0 0 0 0 0 0 9 30", true, game.Second},
		{"*OO*O***/*****@@*/***@*@** w m s 3 0 4 0 0 0 0 0 0 0 0 100 30", true, game.None},
		{"O@OO*@OO/O**@O*@@/@*@O@@*O b m s 9 0 9 0 0 0 0 0 0 0 0 9 14", false, game.None},
		{rules.StartFEN, false, game.None},
	} {
		outcome, ok := tables.Proven(parse(t, tt.fen))
		if ok != tt.proven || outcome.Winner != tt.winner || ok && outcome.Reason == "" {
			t.Errorf("%s: %+v %v, want %v %v", tt.fen, outcome, ok, tt.winner, tt.proven)
		}
		if _, ok := New(true).Proven(parse(t, tt.fen)); ok && tt.winner != game.None {
			t.Errorf("%s: proven without tables", tt.fen)
		}
	}
	// A win must fit in the quiet plies left.
	const ending = "O@OO***@/*@******/******** w m s 3 0 3 0 0 0 0 0 0 0 0 %d 50"
	for quiet, want := range map[int]bool{79: true, 80: false} {
		if _, ok := tables.Proven(parse(t, fmt.Sprintf(ending, quiet))); ok != want {
			t.Errorf("a win in 21 turns after %d quiet plies: proven %v, want %v", quiet, ok, want)
		}
	}
}

func parse(t *testing.T, fen string) *rules.Position {
	t.Helper()
	p, err := rules.Parse(rules.Default(), fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

package mill

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/search"
)

// solved are tables up to 4-3, made once for all tests.
var solved = sync.OnceValues(func() (*Tables, error) { return solveUpTo(4, 3) })

func solveUpTo(a, b int) (*Tables, error) {
	t := NewTables(true)
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

// bellman is a position's value as its successors give it, by the rules that
// games are played by.
func bellman(t *testing.T, tables *Tables, s state) value {
	t.Helper()
	if s.act == actMove && s.stuck(&defaultRules) {
		return after(0)
	}
	var w weighing
	for _, m := range s.moves(&defaultRules, nil) {
		next := s
		next.play(m)
		if next.act == actWon {
			w.add(after(0))
			continue
		}
		if next.act == actRemove { // the turn goes on: undo its count below
			v := bellman(t, tables, next)
			switch {
			case v == 0:
				w.open = true
			case v.won():
				w.add(after(v.turns() - 1))
			default:
				w.longest = max(w.longest, v.turns())
			}
			continue
		}
		v, ok := tables.lookup(&next)
		if !ok {
			t.Fatalf("no value for a successor of %+v", s)
		}
		w.add(v)
	}
	switch {
	case w.wins:
		return after(w.shortest)
	case w.open:
		return 0
	}
	return after(w.longest)
}

// Every value of a space follows from its successors'; every step of so many
// is looked at.
func checkSpace(t *testing.T, tables *Tables, a, b, step int) (seen int) {
	t.Helper()
	s := tables.spaces[a][b]
	for i := range s.values {
		men, other, ok := s.position(i)
		if !ok || i%step != 0 {
			continue
		}
		seen++
		at := state{men: [2]uint32{men, other}}
		if want := bellman(t, tables, at); s.values[i] != want {
			t.Fatalf("%d-%d %+v: value %d, its successors give %d", a, b, at, s.values[i], want)
		}
	}
	return seen
}

func TestTablesFollowFromSuccessors(t *testing.T) {
	tables := mustSolve(t)
	seen := checkSpace(t, tables, 3, 3, 7) + checkSpace(t, tables, 4, 3, 31) + checkSpace(t, tables, 3, 4, 131)
	if seen < 20_000 {
		t.Errorf("only %d positions seen", seen)
	}
	t.Logf("%d positions", seen)
}

// Long: all positions up to 5-4; short: 3-3 alone.
func TestTablesLong(t *testing.T) {
	tables, needs := mustSolve(t), [][2]int{{3, 3}}
	if os.Getenv("THERA_LONG") == "1" {
		begin := time.Now()
		var err error
		if tables, err = solveUpTo(5, 4); err != nil {
			t.Fatal(err)
		}
		t.Logf("solved up to 5-4 in %v", time.Since(begin))
		if needs, err = Needs(5, 4); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range needs {
		seen := checkSpace(t, tables, n[0], n[1], 1)
		if n[0] != n[1] {
			seen += checkSpace(t, tables, n[1], n[0], 1)
		}
		t.Logf("%d-%d: %d positions, %+v", n[0], n[1], seen, tables.Stats(n[0], n[1]))
	}
}

// What was published of the 3-3 endgame: the side to move wins 83 % of it, and
// the longest win takes 26 plies.
func TestKnownFigures(t *testing.T) {
	st := mustSolve(t).Stats(3, 3)
	if won := 100 * st.Won / st.Positions; won != 82 && won != 83 || st.Longest != 26 {
		t.Errorf("3-3: %+v: %d %% won", st, won)
	}
}

// A search without tables proves the same, no sooner and no later.
func TestTablesVerifiedBySearch(t *testing.T) {
	tables := mustSolve(t)
	rng := rand.New(rand.NewPCG(5, 5))
	e := search.New(func() search.Board[move] { return &walker{} })
	e.Options.Table = 8 << 20
	e.Options.Features = search.All &^ (search.Selective | search.Extensions | search.Quiescence)
	proved := [2]int{}
	for range 4000 {
		pair := [...][2]int{{3, 3}, {3, 4}, {4, 3}}[rng.IntN(3)]
		s := tables.spaces[pair[0]][pair[1]]
		i := rng.IntN(len(s.values))
		men, other, ok := s.position(i)
		v := s.values[i]
		if !ok || v == 0 || v.turns() > 4 {
			continue
		}
		p := newPosition(Position{state: state{men: [2]uint32{men, other}}, rules: &defaultRules})
		if _, over := p.Outcome(); over {
			continue
		}
		at := func(depth int) int {
			e.Clear()
			set := func(b search.Board[move]) { b.(*walker).set(p, style{mobility: true}, nil) }
			sign, _ := search.Proven(e.Search(context.Background(), set, search.Limits{Depth: depth}, nil).Score)
			return sign
		}
		want := 1
		if v.lost() {
			want = -1
		}
		if got := at(max(1, v.turns())); got != want {
			t.Fatalf("%s: %d turns to %+d by table, the search proves %+d", p, v.turns(), want, got)
		}
		// A mill about to be closed is seen a turn ahead.
		if v.turns() >= 3 {
			if got := at(v.turns() - 2); got != 0 {
				t.Fatalf("%s: %d turns by table, but %+d is proven in less", p, v.turns(), got)
			}
		}
		proved[max(0, -want)]++
	}
	if proved[0] < 50 || proved[1] < 5 {
		t.Errorf("wins and losses seen: %v", proved)
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
	back, err := LoadTables(folder, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range [][2]int{{3, 3}, {3, 4}, {4, 3}} {
		if string(bytesOf(back.spaces[n[0]][n[1]])) != string(bytesOf(tables.spaces[n[0]][n[1]])) {
			t.Errorf("%v reads back otherwise", n)
		}
	}
	if _, err := tables.Save(folder, 5, 3); err == nil {
		t.Error("a table that was not solved is saved")
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
		if _, err := LoadTables(folder, true); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("err = %v, want %q and the file's name", err, want)
		}
	}
	if _, err := LoadTables(t.TempDir(), true); err == nil || !strings.Contains(err.Error(), "thera tables mill") {
		t.Errorf("empty folder: %v", err)
	}
	if err := back.Load(t.TempDir(), 3, 3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := back.Load(folder, 7, 3); err == nil {
		t.Error("seven men are loaded")
	}
}

func bytesOf(s *space) []byte {
	b := make([]byte, len(s.values))
	for i, v := range s.values {
		b[i] = byte(v)
	}
	return b
}

func TestTablesRefuse(t *testing.T) {
	tables := NewTables(true)
	for _, n := range [][2]int{{2, 3}, {7, 3}, {3, 9}} {
		if _, err := tables.Solve(context.Background(), n[0], n[1]); err == nil {
			t.Errorf("%v is solved", n)
		}
	}
	if _, err := tables.Solve(context.Background(), 4, 3); err == nil || !strings.Contains(err.Error(), "needs 3-3") {
		t.Errorf("err = %v, want what is missing", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := tables.Solve(ctx, 3, 3); !errors.Is(err, context.Canceled) || tables.Has(3, 3) {
		t.Errorf("err = %v, want it to end", err)
	}
}

func TestProven(t *testing.T) {
	folder := t.TempDir()
	for _, n := range [][2]int{{3, 3}, {4, 3}} {
		if _, err := mustSolve(t).Save(folder, n[0], n[1]); err != nil {
			t.Fatal(err)
		}
	}
	if _, problems := New().With(&Rules{Flying: true, NMoveRule: 100, Tables: t.TempDir()}, nil); len(problems) != 1 || problems[0].Path != "rules.tables" {
		t.Errorf("problems %v", problems)
	}
	bound, problems := New().With(&Rules{Flying: true, NMoveRule: 100, Tables: folder}, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	prover := bound.(game.Prover)
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
		{StartFEN, false, game.None},
	} {
		pos, err := bound.Parse(tt.fen)
		if err != nil {
			t.Fatal(err)
		}
		outcome, ok := prover.Proven(pos)
		if ok != tt.proven || outcome.Winner != tt.winner || ok && outcome.Reason == "" {
			t.Errorf("%s: %+v %v, want %v %v", tt.fen, outcome, ok, tt.winner, tt.proven)
		}
		if _, ok := New().Proven(pos); ok {
			t.Errorf("%s: proven without tables", tt.fen)
		}
	}
	// A win that takes longer than the quiet plies left is none for certain.
	s := mustSolve(t).spaces[3][3]
	for i, v := range s.values {
		if men, other, ok := s.position(i); ok && v.turns() == 20 {
			p := newPosition(Position{state: state{men: [2]uint32{men, other}}, rules: &defaultRules, quiet: 80})
			if _, ok := prover.Proven(p); !ok {
				t.Errorf("%s: twenty turns fit in twenty plies", p)
			}
			p.quiet++
			if _, ok := prover.Proven(p); ok {
				t.Errorf("%s: twenty turns do not fit in nineteen plies", p)
			}
			return
		}
	}
	t.Error("no win of twenty turns")
}

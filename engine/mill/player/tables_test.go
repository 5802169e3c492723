package player

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"thera/engine/gametest"
	"thera/engine/mill/player/tables"
	"thera/engine/mill/rules"
	"thera/engine/search"
)

// solved returns tables up to 4-3, made once for all tests.
var solved = sync.OnceValues(func() (*tables.Tables, error) {
	t := tables.New(true)
	for _, n := range [][2]int{{3, 3}, {4, 3}} {
		if _, err := t.Solve(context.Background(), n[0], n[1]); err != nil {
			return nil, err
		}
	}
	return t, nil
})

func mustSolve(t *testing.T) *tables.Tables {
	t.Helper()
	tables, err := solved()
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// randomEnding returns a state with so many men on random points.
func randomEnding(rng *rand.Rand, mine, theirs int) rules.State {
	var s rules.State
	for i, p := range rng.Perm(rules.Points)[:mine+theirs] {
		side := rules.White
		if i >= mine {
			side = rules.Black
		}
		s.Men[side] |= rules.Point(p).Set()
	}
	return s
}

// A search without tables proves the same outcome, no sooner and no later.
func TestTablesVerifiedBySearchLong(t *testing.T) {
	n := 400
	if gametest.Long(t) {
		n = 4000
	}
	tables, r := mustSolve(t), rules.Default()
	rng := rand.New(rand.NewPCG(5, 5))
	e := search.New(func() search.Board[rules.Move] { return &board{} })
	e.Options.Table = 1 << 20
	e.Options.Features = search.All &^ (search.Selective | search.Extensions | search.Quiescence)
	wins, losses := 0, 0
	for range n {
		pair := [...][2]int{{3, 3}, {3, 4}, {4, 3}}[rng.IntN(3)]
		s := randomEnding(rng, pair[0], pair[1])
		v, ok := tables.Lookup(&s)
		if !ok {
			t.Fatalf("%+v is not in the tables", s)
		}
		if v == 0 || v.Turns() > 4 || s.Stuck(&r) {
			continue
		}
		proves := func(depth int) int {
			e.Clear()
			set := func(on search.Board[rules.Move]) {
				b := on.(*board)
				b.set(rules.Start(r), style{mobility: true}, nil)
				b.State, b.key = s, s.Key()
			}
			sign, _ := search.Proven(e.Search(context.Background(), set, search.Limits{Depth: depth}, nil).Score)
			return sign
		}
		want := 1
		if v.Lost() {
			want = -1
			losses++
		} else {
			wins++
		}
		if got := proves(max(1, v.Turns())); got != want {
			t.Fatalf("%+v: %d turns to %+d by table, the search proves %+d", s, v.Turns(), want, got)
		}
		// The search sees a mill that is about to be closed a turn ahead.
		if v.Turns() >= 3 {
			if got := proves(v.Turns() - 2); got != 0 {
				t.Fatalf("%+v: %d turns by table, but %+d is proven in less", s, v.Turns(), got)
			}
		}
	}
	if wins < 50 || losses < 5 {
		t.Errorf("%d wins and %d losses seen", wins, losses)
	}
}

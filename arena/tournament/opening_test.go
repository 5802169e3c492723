package tournament

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

func planFor(o arena.Openings, heaps ...int) *arena.Plan {
	return &arena.Plan{Game: nim.New(heaps...), Player: nim.New(), Openings: o}
}

func make1(t *testing.T, plan *arena.Plan, job arena.Job) string {
	t.Helper()
	o, err := Make(context.Background(), plan, job)
	gametest.OK(t, err)
	return o.String()
}

func TestSources(t *testing.T) {
	for want, job := range map[string]arena.Job{"5 1": {}, "6 1": {Start: 1}, "9 2": {Opening: "9 2"}} {
		if got := make1(t, planFor(arena.Openings{}, 5, 6), job); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestRandomPliesComeFromTheSeed(t *testing.T) {
	plan := planFor(arena.Openings{RandomPlies: 4}, 1000)
	seen := map[string]bool{}
	for seed := range uint64(60) {
		got := make1(t, plan, arena.Job{Seed: seed})
		if got != make1(t, plan, arena.Job{Seed: seed}) {
			t.Fatalf("seed %d: two calls, two openings", seed)
		}
		seen[got] = true
	}
	if len(seen) < 6 {
		t.Errorf("60 seeds give %d openings", len(seen))
	}
	// The generator is the project's own, so this opening must never change.
	if got := make1(t, plan, arena.Job{Seed: 1}); got != "991 1" {
		t.Errorf("seed 1 gives %q", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Make(ctx, plan, arena.Job{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

func TestBalanced(t *testing.T) {
	plan := planFor(arena.Openings{RandomPlies: 2, Balanced: 0.15})
	make1(t, plan, arena.Job{Seed: 3})
	if _, err := Make(t.Context(), planFor(arena.Openings{RandomPlies: 9}, 5), arena.Job{}); err == nil {
		t.Error("9 plies from a heap of 5 are possible")
	}
	plan.Openings.Balanced = 0.05 // the double's judge never says less than 0.1 off
	_, err := Make(context.Background(), plan, arena.Job{Seed: 3})
	if err == nil || !strings.Contains(err.Error(), "no balanced opening") || !strings.Contains(err.Error(), "the best is 0.10 off even") {
		t.Errorf("err = %v", err)
	}
}

func TestNoStartComesTwiceBeforeAllWereUsed(t *testing.T) {
	order := func(plan *arena.Plan, n, pass int, pairing uint64) (used []int) {
		for i := range n {
			start, _ := choose(plan, pass*n+i, pairing)
			used = append(used, start)
		}
		return used
	}
	for _, random := range []bool{false, true} {
		for _, n := range []int{1, 2, 3, 16, 97, 100} {
			plan := planFor(arena.Openings{Random: random}, make([]int, n)...)
			for pass := range 2 {
				used := order(plan, n, pass, 1000)
				slices.Sort(used)
				if used = slices.Compact(used); len(used) != n || used[0] != 0 || used[n-1] != n-1 {
					t.Fatalf("random %v: %d starts of %d used in one pass", random, len(used), n)
				}
			}
			if random && n > 50 && slices.Equal(order(plan, n, 0, 0), order(plan, n, 0, 1000)) {
				t.Errorf("two pairings go through %d starts in the same order", n)
			}
		}
	}
	plan := planFor(arena.Openings{Positions: []string{"3 1", "4 1"}})
	if at, text := choose(plan, 3, 0); at != 1 || text != "4 1" {
		t.Errorf("line %d, %q", at, text)
	}
}

// lots is nim whose start depends on the seed.
type lots struct{ *nim.Game }

func (g lots) Start(i int, seed uint64) (game.Position, error) {
	return g.Parse(fmt.Sprint(10+seed%7, " 1"))
}

func TestDistinctOpenings(t *testing.T) {
	book := arena.Openings{Positions: []string{"5 1", "6 1"}}
	for _, tt := range []struct {
		name   string
		plan   *arena.Plan
		n      int
		finite bool
	}{
		{"one start", planFor(arena.Openings{}), 1, true},
		{"three starts", planFor(arena.Openings{}, 5, 6, 7), 3, true},
		{"a book", planFor(book, 5, 6, 7), 2, true},
		{"a book that is only a number", planFor(arena.Openings{Count: 9}), 9, true},
		{"random plies", planFor(arena.Openings{RandomPlies: 2}), 0, false},
		{"balanced", planFor(arena.Openings{RandomPlies: 2, Balanced: 0.1, Count: 3}), 0, false},
		{"starts by lot", &arena.Plan{Game: lots{nim.New()}}, 0, false},
	} {
		if n, finite := distinct(tt.plan); n != tt.n || finite != tt.finite {
			t.Errorf("%s: %d, %v; want %d, %v", tt.name, n, finite, tt.n, tt.finite)
		}
	}
}

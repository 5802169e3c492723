package santorini_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/santorini"
)

// slowAgrees compares one position; a blocked mover's pseudo-turn is the
// caller's.
func slowAgrees(t *testing.T, text string) (next []string, ok bool) {
	t.Helper()
	got, want := rulesNext(t, text), slowNext(text)
	if len(want) == 0 && len(got) == 1 {
		w := readWorld(text)
		w.winner = 2 - w.mover
		want = []string{w.String()}
	}
	if slices.Equal(got, want) {
		return got, true
	}
	diff := cmp.Diff(want, got)
	t.Errorf("%s (-model +rules):\n%.1500s", text, diff)
	return got, false
}

// TestLongSlowGods: the model and the rules list the same states in random
// games of every allowed pair. The long form visits 2,000 positions of each
// god against mortal and 200 of each pair.
func TestLongSlowGods(t *testing.T) {
	perGod, perPair, step := 20, 4, 17
	if os.Getenv("THERA_LONG") == "1" {
		perGod, perPair, step = 2000, 200, 1
	}
	names := godNames()
	begin, visited := time.Now(), 0
	for i, a := range names {
		for j, b := range names {
			n := perPair
			switch {
			case b == "mortal" || a == "mortal":
				n = perGod / 2
			case (i*len(names)+j)%step != 0:
				continue
			}
			start := fmt.Sprintf("0000000000000000000000000/1/%s/%s", placingText(a), placingText(b))
			if _, err := santorini.New().Parse(start); err != nil {
				continue // banned, as TestMatchups holds
			}
			visited += playBeside(t, start, n, uint64(i*100+j))
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d positions in %v", visited, time.Since(begin).Round(time.Millisecond))
}

// playBeside plays random games from start until n positions are compared.
// The placement's lists are compared at the first game only: they are long.
func playBeside(t *testing.T, start string, n int, seed uint64) (visited int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 99))
	for visited < n {
		text := start
		for range 60 {
			var next []string
			if w := readWorld(text); len(w.workers[0]) == 0 && visited > 0 || len(w.workers[1]) == 0 && visited > 1 {
				next = rulesNext(t, text)
			} else {
				var ok bool
				if next, ok = slowAgrees(t, text); !ok {
					return visited
				}
				visited++
			}
			if len(next) == 0 {
				break
			}
			text = next[r.IntN(len(next))]
		}
	}
	return visited
}

func placingText(god string) string {
	if god == "morpheus" {
		return "morpheus[0]"
	}
	return god
}

func godNames() []string {
	var names []string
	for _, role := range santorini.New().Almanac() {
		names = append(names, role.Name)
	}
	return names
}

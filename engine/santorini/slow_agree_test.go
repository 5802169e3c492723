package santorini_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
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
// god against mortal, in both chairs, and 200 of each pair; the short form 100
// and 3, under the race detector 10 and 1.
func TestLongSlowGods(t *testing.T) {
	rounds, perGod, perPair := 1, 50, 3 // of a round, in each chair
	switch {
	case os.Getenv("THERA_LONG") == "1":
		rounds, perPair = 20, 10
	case testing.Short():
		perGod, perPair = 5, 1
	}
	names := godNames()
	begin, visited := time.Now(), 0
	for round := range rounds {
		for i, a := range names {
			for j, b := range names {
				n := perPair
				if b == "mortal" || a == "mortal" {
					n = perGod
				}
				if _, err := santorini.New().Parse(emptyBoard(a, b)); err != nil {
					continue // banned, as TestMatchups holds
				}
				visited += playBeside(t, a, b, n, uint64(round*10000+i*100+j))
				if t.Failed() {
					return
				}
			}
		}
		t.Logf("round %d: %d positions in %v", round, visited, time.Since(begin).Round(time.Millisecond))
	}
}

// playBeside plays random games until n positions are compared.
func playBeside(t *testing.T, a, b string, n int, seed uint64) (visited int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 99))
	for visited < n {
		text := placedAnyhow(r, a, b)
		for ply := 0; ply < 8 && visited < n; ply++ {
			next, ok := slowAgrees(t, text)
			if !ok {
				return visited
			}
			visited++
			if len(next) == 0 {
				break
			}
			text = next[r.IntN(len(next))]
		}
	}
	return visited
}

// placedAnyhow is a board in the middle of some game: any heights, workers
// anywhere below level 3, and gods who keep something.
func placedAnyhow(r *rand.Rand, a, b string) string {
	w := world{god: [2]string{a, b}, mover: r.IntN(2)}
	most := r.IntN(5)
	for s := range w.height {
		w.height[s] = r.IntN(most + 1)
	}
	w.height[r.IntN(25)] = 1
	squares := r.Perm(25)
	low := func() int {
		s := squares[0]
		squares = squares[1:]
		w.height[s] = min(w.height[s], 2)
		return s
	}
	for i, god := range w.god {
		n := 2
		switch god {
		case "graeae", "proteus", "stymphalians":
			n = 3
		case "hydra":
			n = 1 + r.IntN(5)
		}
		for range n {
			w.workers[i] = append(w.workers[i], low())
		}
		switch god {
		case "morpheus":
			w.kept[i] = strconv.Itoa(r.IntN(3))
		case "selene", "hippolyta":
			w.kept[i] = squareName(w.workers[i][0])
		case "athena", "nike":
			w.kept[i] = []string{"", "^"}[r.IntN(2)]
		case "achilles", "bellerophon", "jason", "polyphemus", "theseus":
			w.kept[i] = []string{"", "", "x"}[r.IntN(3)]
		case "aeolus":
			w.kept[i] = []string{"", "n", "se", "w"}[r.IntN(4)]
		case "europa":
			w.kept[i] = squareName(low())
		case "clio":
			at := low()
			w.height[at] = 1 + r.IntN(3)
			w.kept[i] = strconv.Itoa(r.IntN(3)) + "|" + squareName(at)
		}
	}
	return w.String()
}

// TestSlowPlacement: every god's placement, first and second.
func TestSlowPlacement(t *testing.T) {
	for _, name := range godNames() {
		if _, ok := slowAgrees(t, emptyBoard(name, "mortal")); !ok {
			return
		}
		second := strings.Replace(emptyBoard("mortal", name), "/1/mortal/", "/2/mortal:C4,C2/", 1)
		if name == "bia" {
			second = strings.Replace(emptyBoard("mortal", name), "/1/mortal/bia", "/2/mortal/bia:E5,A1", 1)
		}
		if _, ok := slowAgrees(t, second); !ok {
			return
		}
	}
	slowAgrees(t, emptyBoard("mortal", "bia"))
	slowAgrees(t, emptyBoard("bia", "bia"))
}

func emptyBoard(a, b string) string {
	return fmt.Sprintf("0000000000000000000000000/1/%s/%s", placingText(a), placingText(b))
}

func placingText(god string) string {
	if god == "morpheus" {
		return "morpheus[0]"
	}
	return god
}

func godNames() []string {
	var names []string
	for _, role := range santorini.New().Roles() {
		names = append(names, role.Name)
	}
	return names
}

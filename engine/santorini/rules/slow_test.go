package rules_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/gametest"
	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/internal/slow"
	"thera/engine/santorini/rules"
)

// fastNext is what this package lists, in form v2.
func fastNext(t *testing.T, text string) []string {
	t.Helper()
	p := santorinitest.MustParse(t, text)
	if got := rules.Text(&p, rules.V2); got != text {
		t.Fatalf("%s reads back as %s", text, got)
	}
	next := rules.NextStates(&p)
	if len(next) == 0 && p.Winner == 0 {
		next = []rules.State{p.AfterBlocked()}
	}
	texts := make([]string, len(next))
	for i := range next {
		texts[i] = rules.Text(&next[i], rules.V2)
	}
	slices.Sort(texts)
	return texts
}

// slowNext is what a slow model lists, with the state of a blocked mover.
func slowNext(list func(text string) []string, text string) []string {
	next := list(text)
	switch {
	case len(next) > 0:
		return next
	case strings.Contains(text, "#"):
		return []string{}
	}
	return []string{slow.Blocked(text)}
}

// TestLongRandomAgreement compares the rules with the slow model over random games from the
// standard start and random boards. The long form visits 100,000 positions.
func TestLongRandomAgreement(t *testing.T) {
	most := 2000
	if gametest.Long(t) {
		most = 100_000
	}
	r := rand.New(rand.NewPCG(3, 14))
	for visited := 0; visited < most && !t.Failed(); {
		for _, text := range append(slow.RandomGame(r), slow.RandomBoard(r), slow.RandomBoard(r)) {
			visited++
			agrees(t, text)
		}
	}
}

// TestModelCatchesMutations checks that the comparison finds each deliberate
// fault of the model within 1,000 positions.
func TestModelCatchesMutations(t *testing.T) {
	for _, fault := range slow.Faults {
		r := rand.New(rand.NewPCG(1, 2))
		faulty := func(text string) []string { return slow.Faulty(fault, text) }
		caught := false
		for n := 0; n < 1000 && !caught; n++ {
			texts := append(slow.RandomGame(r), slow.RandomBoard(r))
			text := texts[r.IntN(len(texts))]
			if n%2 == 0 {
				text = texts[len(texts)-1]
			}
			caught = !slices.Equal(slowNext(faulty, text), fastNext(t, text))
		}
		if !caught {
			t.Errorf("%s: not caught", fault)
		}
	}
}

// agrees compares the rules with the slow model of all gods in one position, and checks the wins.
func agrees(t *testing.T, text string) (next []string, ok bool) {
	t.Helper()
	p, turns, wins := santorinitest.MustParse(t, text), rules.NewMoveList(), rules.NewMoveList()
	turns.Generate(&p)
	wins.GenerateWins(&p)
	checkWins(t, &p, turns, wins)
	got, want := fastNext(t, text), slowNext(slow.Next, text)
	if slices.Equal(got, want) {
		return got, true
	}
	t.Errorf("%s (-model +rules):\n%.1500s", text, cmp.Diff(want, got))
	return got, false
}

// modelled lists the gods that have a slow model. A god without one is an
// error.
func modelled(t *testing.T) []rules.God {
	t.Helper()
	var gods []rules.God
	for g := range rules.GodCount {
		if slow.Knows(g.String()) {
			gods = append(gods, g)
			continue
		}
		t.Errorf("%s has no slow model: add a function to engine/santorini/internal/slow and its line to slowGods", g)
	}
	return gods
}

// followEngines has the pairs, in either order, in which these rules follow existing
// engines beyond what the rules say; the random comparisons visit them more often.
var followEngines = map[[2]string]bool{
	{"stymphalians", "persephone"}: true, {"stymphalians", "harpies"}: true, {"stymphalians", "aphrodite"}: true,
	{"achilles", "persephone"}: true, {"achilles", "aphrodite"}: true, {"artemis", "aphrodite"}: true,
	{"charon", "aphrodite"}: true, {"minotaur", "aphrodite"}: true, {"scylla", "aphrodite"}: true,
}

// TestLongSlowGods compares the rules with the slow model in random games of
// every allowed pair. The long form visits 2,000 positions of each god against
// mortal, in both seats, and 100 of each pair; the short form 20 and 1. The pairs of followEngines have
// 10,000 and 20 in each seat, those of hydra 10 times as many as others, those of gods that no engine
// plays 15 and 5 times.
func TestLongSlowGods(t *testing.T) {
	rounds, perGod, perPair, perFollowed, byText := 1, 10, 1, 20, 5 // positions in a round, in each seat
	if gametest.Long(t) {
		rounds, perGod, perPair, perFollowed, byText = 20, 50, 5, 500, 15
	}
	gods := modelled(t)
	begin, visited := time.Now(), 0
	for round := range rounds {
		for _, a := range gods {
			for _, b := range gods {
				if rules.Banned(rules.Matchup{a, b}) != nil {
					continue
				}
				n := perPair
				switch hydra, names := "hydra", [2]string{a.String(), b.String()}; {
				case followEngines[names], followEngines[[2]string{names[1], names[0]}]:
					n = perFollowed
				case a == rules.Mortal || b == rules.Mortal:
					n = perGod
				case slices.Contains(names[:], hydra):
					n *= 10
				case a.ByText() || b.ByText(): // no vectors of engines
					n *= byText
				}
				seed := round*10000 + int(a)*100 + int(b)
				if !agreesInGames(t, a.String(), b.String(), n, uint64(seed)) {
					return
				}
				visited += n
			}
		}
		t.Logf("round %d: %d positions in %v", round, visited, time.Since(begin).Round(time.Millisecond))
	}
}

// agreesInGames plays random games until n positions are compared.
func agreesInGames(t *testing.T, a, b string, n int, seed uint64) bool {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 99))
	for visited := 0; visited < n; {
		text := slow.RandomPosition(r, a, b)
		for ply := 0; ply < 8 && visited < n; ply++ {
			next, ok := agrees(t, text)
			if !ok {
				return false
			}
			visited++
			if len(next) == 0 {
				break
			}
			text = next[r.IntN(len(next))]
		}
	}
	return true
}

// TestSlowPlacement compares the placement of every god, first and second.
func TestSlowPlacement(t *testing.T) {
	for _, g := range modelled(t) {
		name := g.String()
		second := strings.Replace(emptyBoard("mortal", name), "/1/mortal/", "/2/mortal:C4,C2/", 1)
		if name == "bia" {
			second = strings.Replace(emptyBoard("mortal", name), "/1/mortal/bia", "/2/mortal/bia:E5,A1", 1)
		}
		for _, text := range []string{emptyBoard(name, "mortal"), second} {
			if _, ok := agrees(t, text); !ok {
				return
			}
		}
	}
	agrees(t, emptyBoard("mortal", "bia"))
	agrees(t, emptyBoard("bia", "bia"))
}

func emptyBoard(a, b string) string {
	text := "0000000000000000000000000/1/" + a + "/" + b
	return strings.ReplaceAll(text, "morpheus", "morpheus[0]")
}

// TestSeldomReached has positions that random games seldom reach.
func TestSeldomReached(t *testing.T) {
	for text, want := range map[string]string{
		// A walk along the edge climbs three levels and wins.
		"2300010000000000000000000/1/triton:A3,E1/mortal:D4,D2": "2300010000000000000000000/2/#triton:B5,E1/mortal:D4,D2",
		// A second tower, by the opponent's worker; then a third turn.
		"0000000000003000003000000/1/dionysus:B3,A1/mortal:E5,D3": "0000100000004000004000000/2/dionysus:B4,A1/mortal:D5,E3",
		// The worker on the coin is not there for him, the other one is.
		"0000000000003100000000000/1/dionysus:B3,A1/clio[2|D3]:D3,E1": "0000000000004100000000001/2/dionysus:B4,A1/clio[2|D3]:D3,D1",
		// Stepping onto level 3 wins nothing in a turn of the opponent's worker.
		"0000000000003230000000000/1/dionysus:B3,A1/mortal:E5,D3": "0000000000004330000000000/2/dionysus:B4,A1/mortal:E5,E3",
		// Against harpies artemis wins by each step from level 3 to level 3, which no vector has.
		"0000000330000000000000000/1/artemis:C4,A1/harpies:A5,E5": "0000000330000000000000000/2/#artemis:D4,A1/harpies:A5,E5",
		"0000000330000000000000000/2/harpies:A5,E5/artemis:C4,A1": "0000000330000000000000000/1/harpies:A5,E5/#artemis:D4,A1",
		"0000000320003000000000000/1/artemis:C4,A1/harpies:A5,E4": "0000000320003000000000000/2/#artemis:C3,A1/harpies:A5,E4",
		// No low dome next to limus.
		"0000000000000000000000000/1/heracles:A5,E1/limus:B3,D3": "1000000000000000000000040/2/heracles[x]:B5,E1/limus:B3,D3",
	} {
		next, _ := agrees(t, text)
		if !slices.Contains(next, want) {
			t.Errorf("%s: %s is not listed", text, want)
		}
	}
}

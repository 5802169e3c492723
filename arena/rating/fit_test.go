package rating

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"thera/engine/gametest"
)

func fitted(t *testing.T, anchors map[string]float64, results ...Meeting) *Ratings {
	t.Helper()
	return Fit(results, anchors)
}

func result(a, b string, w, d, l int64) Meeting { return Meeting{a, b, Singly(WDL{w, d, l})} }

func warned(warnings []string, part string) bool {
	for _, w := range warnings {
		if strings.Contains(w, part) {
			return true
		}
	}
	return false
}

// TestOddTablesStayFinite checks that for unusual results every number is
// finite or nil, with a caveat that says why.
func TestOddTablesStayFinite(t *testing.T) {
	for _, tt := range []struct {
		name    string
		results []Meeting
		prior   bool
		warning string
	}{
		{"whitewash", []Meeting{result("a", "b", 10, 0, 0), result("b", "c", 3, 1, 2)}, true, "a won every game"},
		{"beaten by all", []Meeting{result("a", "b", 4, 0, 6), result("b", "c", 5, 0, 0), result("a", "c", 5, 0, 0)}, true, "c lost every game"},
		{"two groups", []Meeting{result("a", "b", 3, 0, 4), result("c", "d", 1, 2, 1)}, true, "not every player scored"},
		{"one game", []Meeting{result("a", "b", 1, 0, 0)}, true, "a won every game"},
		{"one draw", []Meeting{result("a", "b", 0, 1, 0)}, false, "all results are equal"},
		{"all drawn", []Meeting{result("a", "b", 0, 9, 0), result("b", "c", 0, 9, 0)}, false, "all results are equal"},
		{"a huge whitewash", []Meeting{result("a", "b", 1e9, 0, 0)}, true, "a won every game"},
		{"one half point in a million", []Meeting{result("a", "b", 1e6, 1, 0)}, false, ""},
		{"no games", []Meeting{result("a", "b", 0, 0, 0)}, false, "a and b have no games"},
		{"nothing", nil, false, ""},
		{"chain of wins", []Meeting{result("a", "b", 5, 0, 0), result("b", "c", 5, 0, 0), result("c", "d", 5, 0, 0)}, true, "a won every game"},
	} {
		table := fitted(t, nil, tt.results...)
		if table.fit.prior != tt.prior {
			t.Errorf("%s: prior %v", tt.name, table.fit.prior)
		}
		if tt.warning != "" && !warned(table.Caveats, tt.warning) {
			t.Errorf("%s: warnings %q", tt.name, table.Caveats)
		}
		if _, err := json.Marshal(table.Players); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		for i, p := range table.Players {
			if p.Games > 0 && (p.Elo == nil || math.Abs(*p.Elo) > 1e5) {
				t.Errorf("%s: %s is rated %s", tt.name, p.Name, show(p.Elo))
			}
			if p.Games > 0 && (p.BoundLo == nil || p.BoundHi == nil) {
				t.Errorf("%s: %s has no finite interval", tt.name, p.Name)
			}
			for j := range table.Players {
				if los, ok := table.LOS(i, j); ok && !(los >= 0 && los <= 1) {
					t.Errorf("%s: LOS %v", tt.name, los)
				}
			}
		}
	}
}

// TestAnchors checks that an anchored player keeps its rating, the differences
// are those of the fit without anchors, and the errors are those of the
// differences.
func TestAnchors(t *testing.T) {
	results := []Meeting{result("a", "b", 30, 20, 50), result("b", "c", 40, 30, 30), result("a", "c", 25, 50, 25)}
	free := fitted(t, nil, results...)
	held := fitted(t, map[string]float64{"b": 2500}, results...)
	a, _ := free.Find("a")
	b, _ := free.Find("b")
	apart, _, hi, ok := free.Difference(a, b)
	if !ok {
		t.Fatal("no difference")
	}
	if got := *held.Players[a].Elo; math.Abs(got-2500-apart) > 1e-9 {
		t.Errorf("a is %v above the anchor, want %v", got-2500, apart)
	}
	if got := *held.Players[a].EloHi - *held.Players[a].Elo; math.Abs(got-(*hi-apart)) > 1e-9 {
		t.Errorf("a's error to the anchor %v, want %v", got, *hi-apart)
	}
	if p := held.Players[b]; *p.Elo != 2500 || p.EloLo != nil || p.EloHi != nil {
		t.Errorf("the anchor is %v, bounds %s to %s", *p.Elo, show(p.EloLo), show(p.EloHi))
	}
	if !warned(held.Caveats, "anchored") {
		t.Errorf("warnings %q", held.Caveats)
	}
	// Two anchors connect groups that never met.
	two := fitted(t, map[string]float64{"a": 0, "c": 100}, result("a", "b", 3, 0, 3), result("c", "d", 2, 2, 2))
	d, _ := two.Find("d")
	if two.fit.prior || math.Abs(*two.Players[d].Elo-100) > 1e-9 {
		t.Errorf("prior %v, d at %v", two.fit.prior, *two.Players[d].Elo)
	}
}

// manyResults returns a round robin of n players with random results.
func manyResults(n int) []Meeting {
	rng := rand.New(rand.NewPCG(1, 1))
	var results []Meeting
	for i := range n {
		for j := range i {
			results = append(results, result(fmt.Sprint("p", i), fmt.Sprint("p", j), 20+rng.Int64N(int64(100+i)), rng.Int64N(40), 20+rng.Int64N(int64(100+j))))
		}
	}
	return results
}

// TestHundredPlayersSatisfyTheEquations checks the definition of the fit:
// every player scores as the ratings expect.
func TestHundredPlayersSatisfyTheEquations(t *testing.T) {
	results := manyResults(100)
	table := fitted(t, nil, results...)
	expected := make([]float64, len(table.Players))
	mean := 0.0
	for _, r := range results {
		a, _ := table.Find(r.A)
		b, _ := table.Find(r.B)
		n := float64(r.Games.Games())
		e := Expected(*table.Players[a].Elo - *table.Players[b].Elo)
		expected[a] += n * e
		expected[b] += n * (1 - e)
	}
	for i, p := range table.Players {
		mean += *p.Elo
		if math.Abs(expected[i]-p.Points) > 1e-6 {
			t.Errorf("%s made %v points, expected %v", p.Name, p.Points, expected[i])
		}
	}
	if math.Abs(mean) > 1e-6 {
		t.Errorf("mean %v", mean/100)
	}
}

// TestNoBoundWhereNoneExists checks the sides on which results say nothing: a player who
// won all games can be any distance above the others, and players who never met can be
// anywhere.
func TestNoBoundWhereNoneExists(t *testing.T) {
	for _, tt := range []struct {
		name    string
		anchors map[string]float64
		results []Meeting
		want    string // for each player in the order of names: whether there is a lower and an upper bound
	}{
		{"a strong player", nil, []Meeting{result("a", "b", 6, 0, 0), result("a", "c", 6, 0, 0), result("b", "c", 3, 0, 3)}, "a> b<> c<>"},
		{"a weak player", nil, []Meeting{result("a", "b", 4, 0, 2), result("a", "c", 6, 0, 0), result("b", "c", 6, 0, 0)}, "a<> b<> c<"},
		{"both", nil, []Meeting{result("a", "b", 5, 0, 0), result("b", "c", 2, 1, 2), result("c", "d", 5, 0, 0)}, "a> b<> c<> d<"},
		{"a chain of wins", nil, []Meeting{result("a", "b", 5, 0, 0), result("b", "c", 5, 0, 0), result("c", "d", 5, 0, 0)}, "a> b c d<"},
		{"two groups", nil, []Meeting{result("a", "b", 3, 0, 4), result("c", "d", 1, 2, 1)}, "a b c d"},
		{"two groups of unequal size", nil, []Meeting{result("a", "b", 3, 0, 4), result("b", "c", 2, 0, 2), result("d", "e", 1, 2, 1)}, "a<> b<> c<> d e"},
		{"an anchor below", map[string]float64{"b": 100}, []Meeting{result("a", "b", 5, 0, 0), result("a", "c", 2, 0, 2)}, "a> b c>"},
		{"two players", nil, []Meeting{result("a", "b", 5, 0, 0)}, "a> b<"},
		{"two players, the second stronger", nil, []Meeting{result("a", "b", 0, 0, 5)}, "a< b>"},
		{"connected", nil, []Meeting{result("a", "b", 3, 0, 4), result("b", "c", 3, 0, 1)}, "a<> b<> c<>"},
	} {
		table := Fit(tt.results, tt.anchors)
		names := slices.Sorted(func(yield func(string) bool) {
			for _, p := range table.Players {
				yield(p.Name)
			}
		})
		var got []string
		for _, name := range names {
			at, _ := table.Find(name)
			got = append(got, name+sides(table.Players[at].EloLo, table.Players[at].EloHi))
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	// Two anchors are one group, also if one of them met nobody of it.
	held := Fit([]Meeting{result("a", "b", 5, 0, 0), result("c", "d", 2, 0, 3)}, map[string]float64{"a": 0, "c": 50})
	for pair, want := range map[[2]int]string{{0, 3}: "<>", {0, 2}: "<>", {0, 1}: ">"} {
		if _, lo, hi, _ := held.Difference(pair[0], pair[1]); sides(lo, hi) != want {
			t.Errorf("players %v with anchors: bounds %q, want %q", pair, sides(lo, hi), want)
		}
	}
	table := Fit([]Meeting{result("a", "b", 5, 0, 0), result("b", "c", 2, 1, 2), result("d", "e", 1, 2, 1)}, nil)
	for pair, want := range map[string]string{"ab": ">", "ba": "<", "ac": ">", "bc": "<>", "bd": "", "de": "<>", "ae": ""} {
		i, _ := table.Find(pair[:1])
		j, _ := table.Find(pair[1:])
		_, lo, hi, _ := table.Difference(i, j)
		if got := sides(lo, hi); got != want {
			t.Errorf("%s: bounds %q, want %q", pair, got, want)
		}
		if _, ok := table.LOS(i, j); ok != (want != "") {
			t.Errorf("%s: LOS %v", pair, ok)
		}
	}
}

// sides says which bounds there are, as "<" for an upper one.
func sides(lo, hi *float64) (s string) {
	if hi != nil {
		s = "<"
	}
	if lo != nil {
		s += ">"
	}
	return s
}

// robin plays a round robin of players with these ratings, without draws.
func robin(rng *rand.Rand, truth []float64, pairs int) (results []Meeting) {
	for i := range truth {
		for j := range i {
			m := Meeting{A: fmt.Sprint(i), B: fmt.Sprint(j)}
			for range pairs {
				wins := count(rng.Float64() < Expected(truth[i]-truth[j])) + count(rng.Float64() < Expected(truth[i]-truth[j]))
				m.Games = m.Games.Add(WDL{Wins: int64(wins), Losses: int64(2 - wins)})
				m.Pairs[2*wins]++
			}
			results = append(results, m)
		}
	}
	return results
}

// TestBoundsOfWhitewashesLong simulates round robins of players so far apart that many of
// them never score against others: bounds hold, and bounds of one side too.
func TestBoundsOfWhitewashesLong(t *testing.T) {
	runs, slack := 2000, 1.0
	if !gametest.Long(t) {
		runs, slack = 100, 5
	}
	for _, players := range []int{3, 5} {
		for _, pairs := range []int{1, 4, 10} {
			for _, apart := range []float64{100, 300, 600} {
				truth := make([]float64, players)
				for i := range truth {
					truth[i] = apart * float64(i)
				}
				var ratings, differences [2]int // outside, of so many
				rng := rand.New(rand.NewPCG(uint64(pairs), uint64(apart)))
				for range runs {
					table := Fit(robin(rng, truth, pairs), nil)
					place := func(i int) float64 {
						n, err := strconv.Atoi(table.Players[i].Name)
						gametest.OK(t, err)
						return truth[n]
					}
					shift := 0.0 // of the reference
					for _, i := range table.fit.reference {
						shift += (*table.Players[i].Elo - place(i)) / float64(len(table.fit.reference))
					}
					outside := func(n *[2]int, lo, hi *float64, x float64) {
						n[0] += count(lo != nil && x < *lo-1e-9 || hi != nil && x > *hi+1e-9)
						n[1]++
					}
					for i, p := range table.Players {
						outside(&ratings, p.EloLo, p.EloHi, place(i)+shift)
						if _, lo, hi, ok := table.Difference(0, i); ok {
							outside(&differences, lo, hi, place(0)-place(i))
						}
					}
				}
				share := func(n [2]int) float64 { return 100 * float64(n[0]) / float64(n[1]) }
				what := fmt.Sprintf("%d players %g Elo apart, %d pairs: outside in %.1f %%, differences in %.1f %%", players, apart, pairs, share(ratings), share(differences))
				if t.Log(what); share(ratings) > 9+slack || share(differences) > 5+slack {
					t.Error(what)
				}
			}
		}
	}
}

// TestWhitewashesOfSeveral checks that the bound of a player who won every game is that of
// all its games together, and the same from both sides.
func TestWhitewashesOfSeveral(t *testing.T) {
	table := Fit([]Meeting{result("a", "b", 6, 0, 0), result("a", "c", 6, 0, 0), result("b", "c", 500, 0, 500)}, nil)
	lo, _ := wilson(1, 12)
	_, least, most, ok := table.Difference(0, 1)
	if want := Elo(lo); !ok || most != nil || math.Abs(*least-want) > 1 {
		t.Errorf("a is at least %s above b, at most %s, want %.1f", show(least), show(most), want)
	}
	if _, low, high, _ := table.Difference(1, 0); low != nil || *high != -*least {
		t.Errorf("b is at most %s above a, a at least %v above b", show(high), *least)
	}
	if p := table.Players[0]; math.Abs(*p.EloLo-*least-*table.Players[1].Elo) > 1 {
		t.Errorf("a is rated at least %s, b %v", show(p.EloLo), *table.Players[1].Elo)
	}
	ab, _ := table.LOS(0, 1)
	if ba, _ := table.LOS(1, 0); ab < 0.99 || math.Abs(ab+ba-1) > 1e-12 {
		t.Errorf("LOS %v and %v", ab, ba)
	}
}

// TestBoundsBesideAWeakPlayer checks that the bounds of four players are those without a
// fifth who lost every game.
func TestBoundsBesideAWeakPlayer(t *testing.T) {
	results := robin(rand.New(rand.NewPCG(3, 7)), []float64{60, 20, -20, -60, -5000}, 20)
	five, four := Fit(results, nil), Fit(results[:6], nil)
	if !five.fit.prior || four.fit.prior {
		t.Fatal("the weak player scored, or another did not")
	}
	for i, p := range four.Players {
		at, _ := five.Find(p.Name)
		beside := five.Players[at]
		if got, want := *beside.EloHi-*beside.EloLo, *p.EloHi-*p.EloLo; math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: bounds are %v apart beside a weak player, %v without", p.Name, got, want)
		}
		for j, q := range four.Players {
			other, _ := five.Find(q.Name)
			got, gotOK := five.LOS(at, other)
			if want, ok := four.LOS(i, j); math.Abs(got-want) > 1e-9 || gotOK != ok {
				t.Errorf("LOS of %s and %s is %v beside a weak player, %v without", p.Name, q.Name, got, want)
			}
		}
	}
}

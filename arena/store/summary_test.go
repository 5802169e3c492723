package store

import (
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"thera/arena"
)

// recount tallies games the slow way, all at once.
func recount(games []*arena.Record) map[[2]string]arena.Tally {
	type pairKey struct {
		pairing [2]string
		pair    int
	}
	pairs := map[pairKey][2]*arena.Record{}
	for _, g := range games {
		k := pairKey{g.Pairing, g.Pair}
		legs := pairs[k]
		legs[g.Leg] = g
		pairs[k] = legs
	}
	totals := map[[2]string]arena.Tally{}
	for k, legs := range pairs {
		total := totals[k.pairing]
		for _, g := range legs {
			if g != nil {
				f := g.Finished()
				total.CountGame(&f, false)
			}
		}
		if legs[0] != nil && legs[1] != nil {
			total.CountPair([2]int{legs[0].Winner(), legs[1].Winner()})
		}
		totals[k.pairing] = total
	}
	return totals
}

func TestAggregatesEqualARecount(t *testing.T) {
	s := openTest(t)
	run := beginTest(t, s, planOf("a", "b", "c"))
	games := newDraw(5).pairs(200, "a", "b", "c")
	// In three parts, with the aggregates read anew in between, and shuffled:
	// the second game of a pair may come first.
	newDraw(6).Shuffle(len(games), func(i, j int) { games[i], games[j] = games[j], games[i] })
	for part := range slices.Chunk(games, 400) {
		if err := putAll(t.Context(), s, run, part); err != nil {
			t.Fatal(err)
		}
		if err := s.Note(t.Context(), run, "running", "went on"); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := s.Summary(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	got := map[[2]string]arena.Tally{}
	for i := range sum.Rows {
		row := &sum.Rows[i]
		total := got[row.Pairing]
		total.Add(&row.Tally)
		got[row.Pairing] = total
		if row.Leg == 1 && row.Pairs != ([5]int{}) {
			t.Errorf("pairs in a row of leg 1: %+v", row)
		}
	}
	if diff := gocmp.Diff(recount(games), got); diff != "" {
		t.Error(diff)
	}
	ends, warned := 0, 0
	for _, e := range sum.Ends {
		ends += e.Games
		if (e.Source == arena.Faulted) != (e.Blamed >= 0) || e.Example == "" {
			t.Errorf("end %+v", e)
		}
	}
	for _, w := range sum.GameWarnings {
		warned += w.Count
		if w.Kind != "unknown key" && w.Kind != "late" {
			t.Errorf("warning %+v", w)
		}
	}
	want := 0
	for _, g := range games {
		want += len(g.Warnings)
	}
	if ends != len(games) || warned != want || want == 0 {
		t.Errorf("%d ends of %d games, %d warnings of %d", ends, len(games), warned, want)
	}
	if len(sum.Run.Remarks) != 1 || sum.Run.Remarks[0].Text != "went on" {
		t.Errorf("remarks %+v", sum.Run.Remarks)
	}
}

// Two programs may write one run: none counts on what it remembers.
func TestTwoWritersAgree(t *testing.T) {
	one := openTest(t)
	two := openAt(t, one.Path())
	run := beginTest(t, one, planOf("a", "b"))
	if again := beginTest(t, two, planOf("a", "b")); again != run {
		t.Fatalf("runs %d and %d", run, again)
	}
	games := newDraw(7).pairs(40, "a", "b")
	for i, g := range games {
		if err := []*Store{one, two}[i/3%2].Put(t.Context(), run, g); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := two.Summary(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	var got arena.Tally
	for i := range sum.Rows {
		got.Add(&sum.Rows[i].Tally)
	}
	if diff := gocmp.Diff(recount(games)[[2]string{"a", "b"}], got); diff != "" {
		t.Error(diff)
	}
}

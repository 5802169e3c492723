package report

import (
	"math"
	"strings"
	"testing"

	"thera/arena"
)

// fewPairs returns the report of two pairs between two engines with the roles x and y.
func fewPairs(t *testing.T, games [3]int, pairs [5]int) (*Report, string) {
	t.Helper()
	half := [3]int{games[0] / 2, games[1] / 2, games[2] / 2}
	rest := [3]int{games[0] - half[0], games[1] - half[1], games[2] - half[2]}
	sum := &arena.Summary{
		Run: arena.RunInfo{Plan: arena.Plan{Engines: []arena.EngineSpec{{Name: "a"}, {Name: "b"}}}},
		Rows: []arena.Row{
			row("a", "b", 0, "x", "y", half, pairs),
			row("a", "b", 1, "y", "x", rest, [5]int{}),
		},
	}
	return report(t, sum), written(t, sum)
}

// TestHole12OneBound checks that all tables have the same bound where results have no
// spread: "no bound follows" stood beside a finite one.
func TestHole12OneBound(t *testing.T) {
	r, text := fewPairs(t, [3]int{2, 0, 2}, [5]int{0, 0, 2, 0, 0})
	if strings.Contains(text, "no Elo bound follows") {
		t.Errorf("a table says that no bound follows, another has one:\n%s", text)
	}
	p, e := &r.Pairings[0], &r.Engines[0]
	if e.EloLo == nil || e.EloHi == nil {
		t.Fatalf("the ranking has no bound, the pairing has %s", eloBar(&p.Score))
	}
	if got, want := ratedBar(&e.Score), "±196.3"; got != want { // half of the difference
		t.Errorf("the ranking has the bound %s, want %s", got, want)
	}
	if got, want := eloBar(&p.Score), "±392.5"; got != want {
		t.Errorf("the pairing has the bound %s, want %s", got, want)
	}
	c, err := Compare(r.Summary, "b", "a")
	if err != nil || c.EloLo == nil || signed(c.EloLo) != "-392.5" || signed(c.EloHi) != "+392.5" {
		t.Errorf("the comparison says %s, %v", c.Sentence, err)
	}
}

// TestHole12OneInterval checks that a match-up has the interval of its cell in the
// matrix.
func TestHole12OneInterval(t *testing.T) {
	r, text := fewPairs(t, [3]int{4, 0, 2}, [5]int{0, 0, 2, 0, 1})
	for i := range r.Matchups {
		m := &r.Matchups[i]
		if m.ScoreError == nil || math.Abs(*m.BoundHi-*m.BoundLo-2**m.ScoreError) > 1e-9 {
			t.Errorf("%s - %s: score_error %v beside bounds %v to %v", m.Roles[0], m.Roles[1], *m.ScoreError, *m.BoundLo, *m.BoundHi)
		}
	}
	_, matchups, _ := strings.Cut(text, "Match-ups (score of the first seat)")
	if matchups, _, _ = strings.Cut(matchups, "\n\n"); strings.Contains(matchups, "±") {
		t.Errorf("match-ups with an interval of their own:\n%s", matchups)
	}
}

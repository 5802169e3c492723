package tournament

import (
	"testing"

	"thera/arena"
	"thera/engine/gametest"
)

// The course of a run has few samples however many games there are, and ends where the tables
// are, also with a game after a missing one.
func TestCourse(t *testing.T) {
	for _, format := range []string{"round-robin", "sprt"} {
		for _, pairs := range []int{1, 7, 3000} {
			plan := planOf(format, 2, pairs)
			plan.SPRT.Elo1 = 0.5 // decides nothing
			_, got := simulate(t, plan, byStrength(45), 1, alone())
			sum, err := Summarize(plan, arena.RunInfo{}, Stored(got.Games[1:]), nil)
			gametest.OK(t, err)
			scores := sum.Course.Scores
			if n := len(scores); n > 2*courseSize+1 || len(sum.Course.LLR) > 2*courseSize+1 {
				t.Errorf("%d pairs: %d and %d samples", pairs, n, len(sum.Course.LLR))
			}
			e, last := pairings(sum.Rows).list[0].Estimate(), scores[len(scores)-1]
			if last.Games != sum.Counted || e.ScoreError == nil && last.Lo != *e.BoundLo || e.ScoreError != nil && last.Hi != *e.Score+*e.ScoreError {
				t.Errorf("%d pairs: the course ends at %+v, the tables have %+v", pairs, last, e)
			}
			before := 0
			for _, s := range scores {
				if s.Games <= before || s.Lo > s.Score || s.Hi < s.Score {
					t.Fatalf("%d pairs: sample %+v after %d games", pairs, s, before)
				}
				before = s.Games
			}
			whole, err := Summarize(plan, arena.RunInfo{}, Stored(got.Games), nil)
			gametest.OK(t, err)
			if curve := whole.Course.LLR; format == "sprt" && (curve[len(curve)-1].Pairs != whole.Test.Pairs || curve[len(curve)-1].LLR != whole.Test.LLR) {
				t.Errorf("the curve ends at %+v, the test is at %+v", curve[len(curve)-1], whole.Test)
			}
		}
	}
}

func TestWarningsAreCountedByKind(t *testing.T) {
	for text, want := range map[string]string{
		"unknown key: foo":      "unknown key",
		"new: bad actions: foo": "new: bad actions",
		"new: 31 moves late":    "new: N moves late",
		"third: idle":           "third", // of nobody
	} {
		if got := warningKind(text, "old", "new"); got != want {
			t.Errorf("%s: kind %q, want %q", text, got, want)
		}
	}
}

package tournament

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/engine/game"
)

// playedPairs are pairs of two engines: each game is a win of the first seat but
// every third, which is a draw.
func playedPairs(n int) []arena.Game {
	var games []arena.Game
	for i := range 2 * n {
		f := arena.Game{
			Job:    arena.Job{ID: string(rune('a'+i%26)) + time.Duration(i).String(), Pairing: [2]string{"x", "y"}, Pair: i / 2, Leg: i % 2, Round: i/2 + 1, Index: i},
			Source: arena.Natural, Outcome: game.Outcome{Winner: game.First, Reason: "end"}, Turns: 10 + i%7, StartHash: uint64(i / 2),
		}
		if i%3 == 0 {
			f.Outcome.Winner = game.None
		}
		*f.Side(0) = arena.Effort{Moves: 5, Wall: 5 * time.Millisecond}
		*f.Side(1) = arena.Effort{Moves: 5, Wall: 50 * time.Millisecond}
		games = append(games, f)
	}
	return games
}

func courseSummary(t *testing.T, format string, rounds int, games []arena.Game) *arena.Summary {
	t.Helper()
	plan := &arena.Plan{
		Name: "p", Engines: []arena.EngineSpec{{Name: "x"}, {Name: "y"}}, Limit: arena.Limit{Move: time.Second},
		Format: arena.Format{Name: format, Rounds: rounds, Pairs: true},
		SPRT:   arena.SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05, Model: "normalized"},
	}
	sum, err := Summarize(plan, arena.RunInfo{Name: "p"}, games)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// The course of a run does not depend on the order in which its games came, has few
// samples however many games there are, and ends where the tables are.
func TestCourse(t *testing.T) {
	for _, pairs := range []int{1, 7, 3000} {
		games := playedPairs(pairs)
		sum := courseSummary(t, "round-robin", pairs, games)
		backwards := make([]arena.Game, 0, len(games))
		for i := range games {
			backwards = append(backwards, games[len(games)-1-i])
		}
		if diff := cmp.Diff(sum.Course, courseSummary(t, "round-robin", pairs, backwards).Course); diff != "" {
			t.Errorf("%d pairs: the order of games changes the course: %s", pairs, diff)
		}
		if n := len(sum.Course.Scores); n > 2*arena.CourseSize+1 {
			t.Errorf("%d pairs: %d samples", pairs, n)
		}
		var all arena.Tally
		for i := range sum.Rows {
			all.Add(&sum.Rows[i].Tally)
		}
		last := sum.Course.Scores[len(sum.Course.Scores)-1]
		if e := all.Estimate(); last.Games != sum.Counted || e.ScoreError == nil && *last.Lo != *e.BoundLo || e.ScoreError != nil && *last.Hi != *e.Score+*e.ScoreError {
			t.Errorf("%d pairs: the course ends at %+v, the tables are %+v", pairs, last, all)
		}
		before := 0
		for _, s := range sum.Course.Scores {
			if s.Games <= before || s.Points[0]+s.Points[1] != float64(s.Games) {
				t.Fatalf("%d pairs: sample %+v after %d games", pairs, s, before)
			}
			before = s.Games
		}
	}
}

// Games after a missing one are in the course too, like in the tables.
func TestCourseOfUnfinishedPairs(t *testing.T) {
	games := playedPairs(5)
	sum := courseSummary(t, "round-robin", 5, games[1:])
	if last := sum.Course.Scores[len(sum.Course.Scores)-1]; last.Games != 9 || sum.Counted != 9 {
		t.Errorf("%d games, the course has %d", sum.Counted, last.Games)
	}
}

// The curve of a test ends at its state.
func TestCourseOfATest(t *testing.T) {
	sum := courseSummary(t, "sprt", 2000, playedPairs(2000))
	curve := sum.Course.LLR
	if len(curve) < 100 || len(curve) > 2*arena.CourseSize+1 {
		t.Fatalf("%d samples", len(curve))
	}
	last := curve[len(curve)-1]
	if last.Pairs != sum.Tests[0].Pairs || last.LLR != sum.Tests[0].LLR {
		t.Errorf("the curve ends at %+v, the test is at %+v", last, sum.Tests[0])
	}
}

package session

import (
	"context"
	"errors"
	"testing"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/arena/report"
	"thera/arena/tournament"
	"thera/engine/game"
	"thera/engine/gametest"
)

// buying makes an engine a that has the machine stall once in the second game of every nth
// pair in which it lost the first game. It does so at most often times.
func buying(often, n int) *arenatest.Workers {
	lost := map[int]bool{}
	return &arenatest.Workers{Before: func(_ context.Context, _ int, job arena.Job) (*arena.Game, error) {
		winner := job.Seat(job.Pair % 2) // a wins the first games of even pairs, and half of all games
		if job.Leg == 0 && job.Pair%2 == 1 && job.Pair%n == n-1 && !lost[job.Pair] && often > 0 {
			lost[job.Pair] = true
		} else if job.Leg == 1 && lost[job.Pair] && often > 0 {
			often--
			rec := arenatest.Fault(job, job.Seat(0), game.FaultTimeout)
			rec.Source = arena.Stalled
			lost[job.Pair] = false
			return rec, nil
		}
		return &arena.Game{
			Job: job, Start: "21 1", Source: arena.Natural, Outcome: game.Outcome{Winner: winner, Reason: "over"},
			Moves: []string{"1", "2"}, Plies: []arena.Ply{{Seat: game.First}, {Seat: game.Second}},
		}, nil
	}}
}

// verdictless plays a run again and again until its end, and reports whether it has no verdict.
func verdictless(t *testing.T, plan *arena.Plan, workers *arenatest.Workers) (void int, none bool) {
	t.Helper()
	store := arenatest.NewStore()
	for range 100 {
		result, err := (&Runner{Plan: plan, Store: store, Worker: workers.New}).Run(t.Context())
		if err != nil && (result == nil || errors.Is(err, context.Canceled)) {
			t.Fatal(err)
		}
		if result.Stop == nil || result.Stop.Kind != arena.StopPlayed {
			continue
		}
		required, err := tournament.Requirements(plan, []string{"games > 1"})
		gametest.OK(t, err)
		met, detail := required[0].Met(result)
		c, err := report.Compare(result, "a", "b")
		gametest.OK(t, err)
		t.Logf("%d void pairs; %s; %s", result.Voided.Pairs, detail, c.Sentence)
		return result.Voided.Pairs, !met && c.Verdict == "unknown" && c.EloLo == nil
	}
	t.Fatal("it never ends")
	return 0, false
}

// The share of void pairs is counted over the life of a run, however often it is resumed.
func TestHole15VoidsCountOverTheLifeOfARun(t *testing.T) {
	for often, want := range map[int]bool{40: true, 4: true, 2: false} {
		if void, none := verdictless(t, planOf(2, 60, 1), buying(often, 2)); none != want || void == 0 {
			t.Errorf("%d pairs of %d were void: no verdict %v, want %v", void, void+60, none, want)
		}
	}
}

// Voids that fall on the losses of one engine buy it no verdict, however few they are.
func TestHole15VoidsOfOneEnginesLosses(t *testing.T) {
	if void, none := verdictless(t, planOf(2, 1000, 1), buying(20, 10)); !none || void != 20 {
		t.Errorf("%d of 1020 pairs were void, all with a lost game of a: no verdict %v", void, none)
	}
}

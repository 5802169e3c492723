package report

import (
	"bytes"
	"testing"

	"thera/arena"
	"thera/engine/gametest"
)

func ptr(x float64) *float64 { return &x }

// written returns the report as text.
func written(t *testing.T, sum *arena.Summary) string {
	t.Helper()
	var b bytes.Buffer
	gametest.OK(t, report(t, sum).Write(&b, Terminal))
	return b.String()
}

// tested returns a run whose test continues.
func tested() *arena.Summary {
	bounds := arena.SPRT{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: "normalized"}
	sum := &arena.Summary{
		Run: arena.RunInfo{Name: "test", Game: "hex", State: "running", Games: 400, Plan: arena.Plan{Engines: []arena.EngineSpec{{Name: "new"}, {Name: "old"}}, Format: arena.Format{Name: "sprt", Pairs: true}, SPRT: bounds}},
		Rows: []arena.Row{
			row("new", "old", 0, "", "", [3]int{105, 0, 95}, [5]int{20, 0, 155, 0, 25}),
			row("new", "old", 1, "", "", [3]int{100, 0, 100}, [5]int{}),
		},
		Counted:  400,
		Test:     &arena.TestState{SPRT: bounds, Lower: -2.94, Upper: 2.94, Decision: "continue", Pairs: 200, LLR: 0.26, GamesLeft: ptr(4014)},
		Warnings: []arena.Warning{arena.Warningf(arena.WarnRetested, 400, "the bounds of the test were changed over its games: error rates do not hold")},
	}
	return sum
}

// The decision of a test comes from its state and not from an old remark, and
// the LLR shown is that of the decision.
func TestSPRTIsShownWithItsDecision(t *testing.T) {
	sum := tested()
	sum.Run.State = "finished"
	sum.Run.Remarks = []arena.Remark{{Text: "H1 accepted after 180 pairs: LLR 2.95 reached 2.94"}}
	golden(t, "sprt.txt", []byte(written(t, sum)))
	r := report(t, sum)
	if r.Test.Decision != "continue" || r.Test.LLR != 0.26 || r.Test.LLRAtDecision != nil {
		t.Errorf("%+v", r.Test)
	}
	sum.Test = &arena.TestState{
		SPRT: sum.Test.SPRT, Lower: -2.94, Upper: 2.94, Decision: "H1", Pairs: 180,
		LLR: -0.5, LLRAtDecision: ptr(2.96), MedianElo: ptr(9.5), MedianEloLo: ptr(-1), MedianEloHi: ptr(20), GamesLeft: ptr(0),
	}
	r = report(t, sum)
	var b bytes.Buffer
	gametest.OK(t, NewJSON(&b).Encode(r))
	golden(t, "sprt.json", lastDigits.ReplaceAll(b.Bytes(), []byte("$1")))
}

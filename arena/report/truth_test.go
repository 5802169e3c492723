package report

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/tournament"
)

func ptr(x float64) *float64 { return &x }

// written returns the report as text.
func written(t *testing.T, sum *arena.Summary) string {
	t.Helper()
	var b bytes.Buffer
	if err := report(t, sum).Write(&b, Terminal); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// tested returns a run whose test decided with earlier bounds and continues
// with others.
func tested() *arena.Summary {
	bounds := arena.SPRT{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: "normalized"}
	sum := &arena.Summary{
		Run:     arena.RunInfo{Name: "test", Game: "hex", State: "running", Games: 400, Plan: arena.Settings{Format: arena.Format{Name: "sprt", Pairs: true}, SPRT: bounds}},
		Engines: []arena.EngineSpec{{Name: "new"}, {Name: "old"}},
		Rows: []arena.Row{
			row("new", "old", 0, "", "", [3]int{105, 0, 95}, [5]int{20, 0, 155, 0, 25}),
			row("new", "old", 1, "", "", [3]int{100, 0, 100}, [5]int{}),
		},
		Counted: 400,
		Tests: []arena.TestState{
			{SPRT: bounds, Lower: -2.94, Upper: 2.94, Decision: "continue", Pairs: 200, LLR: 0.26, GamesLeft: ptr(4014)},
			{
				SPRT: arena.SPRT{Elo0: -5, Elo1: 5, Alpha: 0.05, Beta: 0.05, Model: "logistic"}, Lower: -2.94, Upper: 2.94, Decision: "H1", Pairs: 180,
				LLR: -0.5, LLRAtDecision: ptr(2.96), MedianElo: ptr(9.5), MedianEloLo: ptr(-1), MedianEloHi: ptr(20), GamesLeft: ptr(0), Earlier: true,
			},
		},
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
	if r.SPRT.Decision != "continue" || r.SPRT.LLR != 0.26 || r.SPRT.LLRAtDecision != nil || len(r.Earlier) != 1 {
		t.Errorf("%+v, earlier %+v", r.SPRT, r.Earlier)
	}
	if e := r.Earlier[0]; e.Decision != "H1" || e.LLR != -0.5 || *e.LLRAtDecision != 2.96 || *e.MedianElo != 9.5 {
		t.Errorf("%+v", e)
	}
	if text := testText(&r.Earlier[0]); strings.Contains(text, "-0.50") || !strings.Contains(text, "LLR 2.96 in") || !strings.HasSuffix(text, "H1 accepted, Elo +9.5 ±10.5 (median-unbiased)") {
		t.Error(text)
	}
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"llr":-0.5,`, `"llr_at_decision":2.96`, `"median_elo":9.5,"median_elo_lo":-1,"median_elo_hi":20`, `"warning_list":[{"kind":"error rates","games":400,"text":`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
}

// No text is parsed: the remarks and the sentences of a stop, a drop, a tie
// and a warning do not change anything else.
func TestNothingIsReadOutOfSentences(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	lies := []string{
		"H1 accepted after 9 pairs: LLR 9.99 reached 2.94", "H0 accepted", "H0 is accepted", "H1", "undecided", "new left the run after 9 faults",
		"every error bar is within 5 Elo", "finished", "running", "all rounds are played", "no games yet", "12 of 90 games are different", "100 %", "",
	}
	decided := func() *arena.Summary {
		sum := tested()
		sum.Stop = &arena.Stop{Kind: arena.StopLeft, Pairs: 7, Engine: "old"}
		sum.Drops = []arena.Drop{{Engine: "old", Faults: 3, Pairs: 7}}
		sum.Ties = []arena.Tie{{Engines: [2]string{"new", "old"}, Round: 1}}
		sum.Standings = []arena.Standing{{Engine: "old", Points: 3}, {Engine: "new", Points: 9}}
		return sum
	}
	bare := func(sum *arena.Summary) map[string]any {
		var b bytes.Buffer
		if err := report(t, sum).WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := json.Unmarshal(b.Bytes(), &object); err != nil {
			t.Fatal(err)
		}
		for _, texts := range []string{"remarks", "warnings"} {
			delete(object, texts)
		}
		delete(object["stop"].(map[string]any), "text")
		for _, list := range []string{"drops", "ties", "warning_list"} {
			for _, one := range object[list].([]any) {
				delete(one.(map[string]any), "text")
			}
		}
		return object
	}
	want := bare(decided())
	for range 200 {
		lie := func() string { return lies[rnd.IntN(len(lies))] }
		sum := decided()
		for range rnd.IntN(4) {
			sum.Run.Remarks = append(sum.Run.Remarks, arena.Remark{Text: lie()})
		}
		sum.Stop.Text, sum.Drops[0].Text, sum.Ties[0].Text, sum.Warnings[0].Text = lie(), lie(), lie(), lie()
		if diff := cmp.Diff(want, bare(sum)); diff != "" {
			t.Fatalf("remarks %q, stop %q: %s", sum.Run.Remarks, sum.Stop.Text, diff)
		}
		if text := written(t, sum); !strings.Contains(text, "200 pairs: undecided, about 4014 games left\n") {
			t.Fatal(text)
		}
	}
}

// The game of an unfinished pair changes the scores, but error bars come from
// pairs only.
func TestAnUnfinishedPairIsNoUnit(t *testing.T) {
	sum := func() *arena.Summary {
		return &arena.Summary{
			Engines: []arena.EngineSpec{{Name: "new"}, {Name: "old"}},
			Rows: []arena.Row{
				row("new", "old", 0, "x", "y", [3]int{26, 0, 24}, [5]int{20, 0, 9, 0, 21}),
				row("new", "old", 1, "x", "y", [3]int{25, 0, 25}, [5]int{}),
			},
		}
	}
	errors := func(sum *arena.Summary) map[string]*float64 {
		r := report(t, sum)
		return map[string]*float64{
			"pairing": r.Pairings[0].ScoreError, "pairing's Wilson bound": r.Pairings[0].BoundLo, "engine": r.Engines[0].ScoreError,
			"role": r.Roles[0].ScoreError, "role's Wilson bound": r.Roles[0].BoundLo, "match-up": r.Matchups[0].ScoreError,
			"first seat": r.FirstSeat.ScoreError, "cell": r.Matrix[1].Lo,
		}
	}
	before := errors(sum())
	half := sum()
	half.Rows[0].Games.Wins++
	after := errors(half)
	for name, e := range before {
		if e == nil || after[name] == nil || math.Abs(*after[name]-*e) > 0.006 { // single games have errors of 0.097, pairs of 0.13
			t.Errorf("%s: %v, with an unfinished pair %v", name, e, after[name])
		}
	}
	if e := *after["role"]; math.Abs(e-0.1335) > 0.002 {
		t.Errorf("error of a role %v, want that of Wilson over 50 pairs", e)
	}
	r := report(t, half)
	if r.Pairings[0].Score.Games != 101 || math.Abs(*r.Pairings[0].Score.Score-52.0/101) > 1e-12 || r.Pairings[0].Half != 1 {
		t.Errorf("%+v", r.Pairings[0].Score)
	}
	// A first game alone has a score and no error.
	first := &arena.Summary{Engines: sum().Engines, Rows: []arena.Row{row("new", "old", 0, "", "", [3]int{1, 0, 0}, [5]int{})}}
	if p := report(t, first).Pairings[0]; *p.Score.Score != 1 || p.ScoreError != nil || p.EloLo != nil || *p.BoundLo != 0 {
		t.Errorf("%+v", p.Score)
	}
	// Without pairs, single games are the unit.
	single := &arena.Summary{Engines: sum().Engines, Rows: []arena.Row{singles("new", "old", 0, "", "", [3]int{51, 0, 49})}}
	if e := *report(t, single).Pairings[0].ScoreError; math.Abs(e-0.0997) > 0.001 {
		t.Errorf("error of 100 single games %v", e)
	}
}

// A match-up is balanced only if its bounds are near 50 %.
func TestOneSidedOrUncertainMatchupsAreNotBalanced(t *testing.T) {
	sum := &arena.Summary{
		Engines: []arena.EngineSpec{{Name: "e"}},
		Rows: []arena.Row{
			singles("e", "e", 0, "x", "y", [3]int{50, 0, 0}),     // 100 %
			singles("e", "e", 0, "x", "z", [3]int{2, 0, 2}),      // 50 % of four games
			singles("e", "e", 0, "y", "z", [3]int{205, 0, 195}),  // 51 % of 400
			singles("e", "e", 0, "z", "y", [3]int{197, 10, 193}), // and back
		},
	}
	oneSided, balanced := report(t, sum).extremes(5)
	if len(oneSided) != 1 || oneSided[0].Row != "x" || oneSided[0].Col != "y" {
		t.Errorf("one-sided %+v", oneSided)
	}
	if len(balanced) != 1 || balanced[0].Row != "y" || balanced[0].Col != "z" || balanced[0].Games != 800 {
		t.Errorf("balanced %+v", balanced)
	}
}

// A comparison with a run under other conditions names the differences. With
// another game or other rules it is refused.
func TestABaselineOfOtherConditions(t *testing.T) {
	now, base := gods(3, 100, ladder), gods(3, 100, ladder)
	base.Run.Name = "before"
	warnings := func() []arena.Warning {
		now.Warnings = nil
		if err := tournament.Against(now, base); err != nil {
			t.Fatal(err)
		}
		r := report(t, now)
		var of []arena.Warning
		for _, w := range r.WarningList {
			if w.Kind == arena.WarnBaseline {
				of = append(of, w)
			}
		}
		return of
	}
	if got := warnings(); len(got) > 0 {
		t.Errorf("the same conditions: %v", got)
	}
	now.Run.Plan.Limit.Nodes, base.Run.Plan.Limit.Depth = 1000, 3
	if got := warnings(); len(got) != 1 || !strings.Contains(got[0].Text, "depth") || !strings.Contains(got[0].Text, "nodes") || !strings.Contains(got[0].Text, "before") {
		t.Errorf("other limits: %v", got)
	}
	for name, change := range map[string]func(){
		"one is of the game santorini, the other of hex": func() { base.Run.Game = "hex" },
		"the rules differ: {}":                           func() { now.Run.Plan.Rules = "{}" },
	} {
		base.Run.Game, now.Run.Plan.Rules = now.Run.Game, base.Run.Plan.Rules
		change()
		err := tournament.Against(now, base)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "comparing run gods.yaml with before") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Runs with nothing in common give a warning.
	other := quickstart()
	base.Run.Game = other.Run.Game
	if err := tournament.Against(other, base); err != nil {
		t.Fatal(err)
	}
	r := report(t, other)
	if len(r.Changes) != 0 || !strings.Contains(strings.Join(r.Warnings, "\n"), "can be compared with before") {
		t.Errorf("%v %v", r.Changes, r.Warnings)
	}
}

package versions

import (
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/tournament"
	"thera/engine/gametest"
)

func testSummary(decision string, speed float64, failed int) *arena.Summary {
	settings := arena.Plan{Engines: []arena.EngineSpec{{Name: "head"}, {Name: "base"}}}
	sum := &arena.Summary{
		Run: arena.RunInfo{Plan: settings}, Rows: []arena.Row{{Pairing: [2]string{"head", "base"}}}, Counted: 100,
		Test: &arena.TestState{Decision: decision, Speed: &speed, Slower: speed < 0.9},
	}
	sum.Rows[0].Sides[0].Failed, sum.Rows[0].Games.Wins = failed, 50
	tournament.Rate(sum)
	return sum
}

// What a verdict says follows from the test, from what the run had to meet, from the
// speed where no time was limited, and from what the commits say of themselves.
func TestVerdict(t *testing.T) {
	same := func(v *report.Verdict) { v.Head.Signature, v.Base.Signature, v.Base.Announced = "7", "7", "8" }
	for name, tt := range map[string]struct {
		decision string // "": nothing was played
		met      bool   // what the run had to meet
		speed    float64
		timed    bool
		change   func(*report.Verdict)
		verdict  string
		sentence string
		warning  string
	}{
		"better":    {decision: "H1", met: true, speed: 1, verdict: "H1", sentence: "passes against bbbbbbbbbbbb (old): H1 is accepted"},
		"worse":     {decision: "H0", speed: 1, verdict: "H0", sentence: "does not pass against bbbbbbbbbbbb (old): H0 is accepted"},
		"undecided": {decision: "continue", speed: 1, verdict: "undecided", sentence: "It is undecided whether aaaaaaaaaaaa (faster | <b>) passes"},
		"faults":    {decision: "H1", speed: 1, verdict: "faults", sentence: "engines were at fault in 3 games"},
		"slower": {
			decision: "H1", met: true, speed: 0.5, verdict: slowed, sentence: "it is slower, and no limit of time was tested (--allow-slower). It makes 0.50 times the nodes a second", warning: "hide slowdowns",
		},
		"slower on request": {decision: "H1", met: true, speed: 0.5, change: func(v *report.Verdict) { v.Slow = true }, verdict: "H1"},
		"slower by time":    {decision: "H1", met: true, speed: 0.5, timed: true, verdict: "H1"},
		"noise":             {decision: "H1", met: true, speed: 0.5, change: func(v *report.Verdict) { v.Stages[0].Slower = false }, verdict: "H1"},
		"one signature": {
			change: same, verdict: sameMoves, sentence: "no game was played",
			warning: "bbbbbbbbbbbb has the signature 7, and its commit message announces 8",
		},
		"one signature by time": {decision: "H1", met: true, speed: 1, timed: true, change: same, verdict: "H1", warning: "no functional change"},
	} {
		v := &report.Verdict{
			Head: report.VersionOf{Commit: strings.Repeat("a", 40), Subject: "faster | <b>"}, Base: report.VersionOf{Commit: strings.Repeat("b", 40), Subject: "old"},
		}
		if tt.decision != "" {
			gametest.OK(t, addStage(v, testSummary(tt.decision, tt.speed, 3), tt.met))
			if s := v.Stages[0]; s.Faults != [2]int{3, 0} || s.Wins != 50 {
				t.Errorf("%s: the figures are not the head's: %+v", name, s)
			}
		}
		if tt.change != nil {
			tt.change(v)
		}
		conclude(v, tt.timed)
		if v.Verdict != tt.verdict || v.Passed != (tt.verdict == "H1") {
			t.Errorf("%s: %s, passed %v", name, v.Verdict, v.Passed)
		}
		if warnings := strings.Join(v.Warnings, "\n"); !strings.Contains(v.Sentence, tt.sentence) || !strings.Contains(warnings, tt.warning) {
			t.Errorf("%s: %s\n%s", name, v.Sentence, warnings)
		}
	}
}

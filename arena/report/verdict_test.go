package report

import (
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/rating"
	"thera/arena/tournament"
)

func testSummary(t *testing.T, decision string, nodes [2]int64, failed int) *arena.Summary {
	t.Helper()
	llr, elo, lo, hi := 2.97, 31.5, 4.2, 60.1
	speed := float64(nodes[0]) / float64(nodes[1])
	row := arena.Row{Pairing: [2]string{"head", "base"}, Tally: arena.Tally{
		Counts: rating.Counts{Games: rating.WDL{Wins: 50, Draws: 20, Losses: 30}, Pairs: rating.Penta{8, 12, 15, 10, 5}},
		Sides:  [2]arena.Effort{{Failed: failed}, {}},
	}}
	sum := &arena.Summary{
		Run:     arena.RunInfo{Name: "test", Game: "nim", Plan: arena.Settings{Format: arena.Format{Name: "sprt"}, Limit: arena.Limit{Nodes: 5}}},
		Engines: []arena.EngineSpec{{Name: "head"}, {Name: "base"}}, Rows: []arena.Row{row}, Counted: 100,
		Tests: []arena.TestState{{SPRT: arena.SPRT{Elo1: 10, Model: "normalized"}, Decision: decision, LLRAtDecision: &llr, MedianElo: &elo, MedianEloLo: &lo, MedianEloHi: &hi, Speed: &speed, Slower: speed < 0.9}},
	}
	tournament.Rate(sum)
	return sum
}

func verdictOf(t *testing.T, decision string, passed bool, nodes [2]int64) *Verdict {
	t.Helper()
	v := &Verdict{Head: VersionOf{Commit: strings.Repeat("a", 40), Subject: "faster | <b>"}, Base: VersionOf{Commit: strings.Repeat("b", 40), Subject: "old"}, Planned: 2}
	if decision != "" {
		if err := v.AddStage(testSummary(t, decision, nodes, 3), passed); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

func TestVerdictWords(t *testing.T) {
	for _, want := range []struct {
		decision string
		passed   bool
		verdict  string
		sentence string
	}{
		{"H1", true, "H1", "aaaaaaaaaaaa (faster | <b>) passes against bbbbbbbbbbbb (old): H1 is accepted (H0: 0 or less, H1: 10 or more, normalized Elo). It makes 1.00 times the nodes a second of the base."},
		{"H0", false, "H0", "aaaaaaaaaaaa (faster | <b>) does not pass against bbbbbbbbbbbb (old): H0 is accepted (H0: 0 or less, H1: 10 or more, normalized Elo). It makes 1.00 times the nodes a second of the base."},
		{"continue", false, "undecided", "It is undecided whether aaaaaaaaaaaa (faster | <b>) passes against bbbbbbbbbbbb (old) (H0: 0 or less, H1: 10 or more, normalized Elo). It makes 1.00 times the nodes a second of the base."},
		{"H1", false, "faults", "aaaaaaaaaaaa (faster | <b>) does not pass against bbbbbbbbbbbb (old): H1 is accepted, and engines were at fault in 3 games. It makes 1.00 times the nodes a second of the base."},
	} {
		v := verdictOf(t, want.decision, want.passed, [2]int64{100, 100})
		v.Conclude()
		if v.Verdict != want.verdict || v.Sentence != want.sentence || v.Passed != want.passed {
			t.Errorf("%s, passed %v: %q %v %q", want.decision, want.passed, v.Verdict, v.Passed, v.Sentence)
		}
	}
}

// The figures are the head's.
func TestVerdictFigures(t *testing.T) {
	v := verdictOf(t, "H1", true, [2]int64{80, 100})
	v.Conclude()
	s := v.Stages[0]
	if s.Wins != 50 || *s.Pairs != (rating.Penta{8, 12, 15, 10, 5}) || *s.Speed != 0.8 || s.Faults != [2]int{3, 0} {
		t.Errorf("%+v, speed %v", s, *s.Speed)
	}
	if want := "H1 is accepted (H0: 0 or less, H1: 10 or more, normalized Elo), but it is slower, and no limit of time was tested (--allow-slower). It makes 0.80 times the nodes a second of the base."; v.Passed || !strings.HasSuffix(v.Sentence, want) {
		t.Errorf("%v %q, want %q", v.Passed, v.Sentence, want)
	}
	var text, md strings.Builder
	if err := v.Write(&text, Terminal); err != nil {
		t.Fatal(err)
	}
	if err := v.Write(&md, Markdown); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"50-20-30", "8-12-15-10-5", "+31.5", "2.97", "0.80", "1 of 2 stages played"} {
		if !strings.Contains(text.String(), want) || !strings.Contains(md.String(), want) {
			t.Errorf("%q is missing in\n%s\n%s", want, text.String(), md.String())
		}
	}
	if !strings.HasPrefix(md.String(), "### Thera: stronger by nodes, slower\n\naaaaaaaaaaaa (faster \\| &lt;b&gt;) does not pass") {
		t.Error(md.String())
	}
}

func TestVerdictOfSignatures(t *testing.T) {
	v := verdictOf(t, "", false, [2]int64{})
	v.Head.Signature, v.Base.Signature, v.Base.Announced = "7", "7", "8"
	v.Conclude()
	if v.Verdict != "no functional change" || v.Passed || len(v.Warnings) != 2 || !strings.Contains(v.Warnings[1], "bbbbbbbbbbbb has the signature 7, and its commit message announces 8") {
		t.Errorf("%+v", v)
	}
	timed := verdictOf(t, "H1", true, [2]int64{1, 1})
	timed.Head.Signature, timed.Base.Signature = "7", "7"
	timed.Conclude()
	if timed.Verdict != "H1" || !strings.HasPrefix(timed.Warnings[0], "no functional change") {
		t.Errorf("%+v", timed)
	}
}

// What is slower passes only where time was limited, or by request.
func TestVerdictOfSlowerVersions(t *testing.T) {
	for name, want := range map[string]struct {
		change  func(v *Verdict)
		verdict string
	}{
		"by nodes":   {func(*Verdict) {}, "stronger by nodes, slower"},
		"on request": {func(v *Verdict) { v.Slow = true }, "H1"},
		"by time":    {func(v *Verdict) { v.Stages[0].timed = true }, "H1"},
		"noise":      {func(v *Verdict) { v.Stages[0].Slower = false }, "H1"},
	} {
		v := verdictOf(t, "H1", true, [2]int64{50, 100})
		want.change(v)
		if v.Conclude(); v.Verdict != want.verdict || v.Passed != (want.verdict == "H1") {
			t.Errorf("%s: %s, passed %v", name, v.Verdict, v.Passed)
		}
	}
}

package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"thera/arena"
	"thera/engine/gametest"
)

// crowd returns a run of many engines with long names, in a game with points of
// it.
func crowd() *arena.Summary {
	sum := &arena.Summary{
		Run: arena.RunInfo{
			Name: "configs/a-folder/with-a-long-name/crowd.yaml", Game: "pyrat", State: "interrupted", Games: 240,
			Plan: arena.Plan{Format: arena.Format{Name: "round-robin", Pairs: true}},
		},
		Counted: 240, Drops: []arena.Drop{{Engine: "x", Text: "engine-number-3-of-the-crowd-日本語の名前 was dropped after 3 faults, as max_faults: 3 says"}},
	}
	for i := range 16 {
		sum.Run.Plan.Engines = append(sum.Run.Plan.Engines, arena.EngineSpec{Name: fmt.Sprintf("engine-number-%d-of-the-crowd-日本語の名前", i)})
	}
	for i := range 15 {
		r := row(sum.Run.Plan.Engines[i].Name, sum.Run.Plan.Engines[i+1].Name, 0, "", "", [3]int{9, 1, 6}, [5]int{0, 1, 4, 0, 3})
		r.Points = [2]float64{60.5, 39.5}
		r.Sides[0].Failed = i % 3
		sum.Rows = append(sum.Rows, r)
		sum.Figures.Ends = append(sum.Figures.Ends, arena.EndCount{
			Source: arena.Faulted, Engine: r.Pairing[0], Games: i%3 + 1, Example: fmt.Sprintf("%02dff00ff00ff00ff", i),
			Reason: "illegal move: no worker stands on C3, and a text that goes on for much longer than a line has room",
		})
	}
	slices.SortFunc(sum.Figures.Ends, func(a, b arena.EndCount) int { return strings.Compare(a.Engine, b.Engine) })
	return sum
}

// Every line of what people read fits, however narrow the terminal and long the
// names. Only a word that is longer than the line does not.
func TestTextFits(t *testing.T) {
	runs := map[string]*arena.Summary{"quickstart": quickstart(), "gods4": gods(4, 100, ladder), "gods14": gods(14, 20, ladder), "sprt": tested(), "crowd": crowd()}
	for name, sum := range runs {
		r := report(t, sum)
		for _, width := range []int{60, 80, 120, 200} {
			var b bytes.Buffer
			r.Width = width
			gametest.OK(t, r.Write(&b, Terminal))
			b.WriteString("\n=== at the end of the run\n\n")
			gametest.OK(t, r.Brief(&b, "results "+sum.Run.Name))
			for line := range strings.Lines(b.String()) {
				line = strings.TrimSuffix(line, "\n")
				if wide := displaywidth.String(line); wide > width && strings.Contains(strings.TrimSpace(line), " ") {
					t.Errorf("%s at %d columns: %d in %q", name, width, wide, line)
				}
				if strings.HasSuffix(line, " ") {
					t.Errorf("%s at %d columns: blanks at the end of %q", name, width, line)
				}
			}
			if width == 80 || width == 200 {
				golden(t, fmt.Sprintf("%s-%d.txt", name, width), b.Bytes())
			}
		}
	}
}

// A run of two engines ends within 24 lines, whatever there is to say.
func TestBriefIsOneScreen(t *testing.T) {
	sum := tested()
	for i := range 30 {
		sum.Warnings = append(sum.Warnings, arena.Warningf(arena.WarnRepeated, 2, "warning %d, which has a lot to say about what happened in the games and so on", i))
	}
	sum.Rows[0].Sides[0].Failed = 2
	r := report(t, sum)
	r.Width = 80
	var b strings.Builder
	gametest.OK(t, r.Brief(&b, "results"))
	if lines := strings.Count(b.String(), "\n"); lines > 24 {
		t.Errorf("%d lines:\n%s", lines, b.String())
	}
	if !strings.Contains(b.String(), "\n… and 2") || !strings.HasSuffix(b.String(), "All tables: thera results\n") {
		t.Errorf("no word about the other warnings:\n%s", b.String())
	}
}

// Numbers in CSV are as people write them.
func TestRawNumbers(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", -2.1e-15: "0", 1e-9: "0", 0.5: "0.5", -12: "-12", 100: "100", 1.0 / 3: "0.333333", 1e9: "1000000000", -0.0000004: "0", 12.30: "12.3",
	} {
		if got := raw(&x); got != want {
			t.Errorf("raw(%g) = %s, want %s", x, got, want)
		}
	}
}

// A word of a stranger may be very long, and so may be a text of many words.
func TestHoleLongWords(t *testing.T) {
	word := strings.Repeat("x", 1<<20)
	if name := Squeeze(word, 20); len(name) != len("…")+19 {
		t.Errorf("%q", name)
	}
	for _, reason := range []string{"a " + word + " b", strings.Repeat("世 ", 1<<19), strings.Repeat("世", 1<<19)} {
		r := report(t, quickstart())
		r.Ends[0].Reason = reason
		var b bytes.Buffer
		gametest.OK(t, r.endTable().Fit(80).Write(&b, Terminal))
		for line := range strings.Lines(b.String()) {
			if wide := displaywidth.String(strings.TrimSuffix(line, "\n")); wide > 80 {
				t.Errorf("%d columns: %q", wide, line)
			}
		}
		if lines := strings.Count(b.String(), "\n"); lines < 20 || lines > 200 {
			t.Errorf("%d lines", lines)
		}
	}
}

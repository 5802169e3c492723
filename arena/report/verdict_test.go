package report

import (
	"io"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/rating"
)

// Answers about versions as text and as Markdown.
func TestAnswers(t *testing.T) {
	elo, lo, hi, speed, half := 31.5, -6.5, 69.5, 0.8, 0.97
	stage := VerdictStage{
		Limit: "nodes 5", Score: arena.Score{Games: 100, WDL: rating.WDL{Wins: 50, Draws: 20, Losses: 30}, Pairs: &rating.Penta{8, 12, 15, 10, 5}},
		Test: arena.TestState{Decision: rating.H1, LLR: 2.97, MedianElo: &elo, MedianEloLo: &lo, MedianEloHi: &hi}, Speed: &speed,
	}
	tuned := Tuning{
		Iterations: 2, Planned: 2, Games: 8, Warnings: []string{"y: too few games"}, Passed: true, Test: &stage,
		Options: []TunedOption{{Name: "x|\x1b", Start: 4, Value: 5, Text: "5"}, {Name: "y", Start: 0.5, Value: 0.25, Text: "0.25"}},
	}
	early := tuned
	early.Iterations, early.Test, early.Passed = 1, nil, false
	found := Bisection{
		Commit: strings.Repeat("c", 40), Subject: "rewrite", Probability: 0.97, Elo: -80.25, EloError: 30, Games: 640, Unbuilt: []string{"aa", "bb"},
		Commits: []BisectRow{
			{Commit: strings.Repeat("b", 40), Subject: "a | b"},
			{Commit: strings.Repeat("c", 40), Subject: "rewrite", Games: 9, Probability: &half, Elo: &elo, EloError: &hi},
		},
	}
	unknown := found
	unknown.Commit = ""
	for name, tt := range map[string]struct {
		write func(io.Writer, Format) error
		texts []string // each in both forms
	}{
		"verdict": {(&Verdict{Verdict: "H1", Sentence: "It passes.", Stages: []VerdictStage{stage}, Planned: 2}).Write, []string{
			"It passes.", "50-20-30", "8-12-15-10-5", "+31.5", "2.97", "0.80", "1 of 2 stages played",
		}},
		"tuned": {tuned.Write, []string{"y 0.25 is better than before: H1 is accepted, after 2 steps of 8 games.", "y: too few games", "50-20-30"}},
		"early": {early.Write, []string{"1 step of 8 games of 2 steps: "}},
		"found": {found.Write, []string{
			"cccccccccccc (rewrite) lost strength: -80.2 Elo ±30.0, with a probability of 97.0 %, after 640 games. It may also be aa or bb", "##########",
		}},
		"not found": {unknown.Write, []string{"No commit is likely enough after 640 games: the most likely one has 97.0 %."}},
	} {
		for _, form := range []Format{Terminal, Markdown} {
			var text strings.Builder
			if err := tt.write(&text, form); err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.texts {
				if form == Markdown {
					want = strings.TrimSuffix(markdown(want), " ")
				}
				if !strings.Contains(text.String(), want) {
					t.Errorf("%s, %s: %q is missing in\n%s", name, form, want, text.String())
				}
			}
			if strings.Contains(text.String(), "\x1b") || form == Markdown && strings.Contains(text.String(), "x|") {
				t.Errorf("%s, %s: not neutral: %q", name, form, text.String())
			}
		}
	}
}

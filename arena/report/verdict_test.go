package report

import (
	"io"
	"slices"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/rating"
	"thera/engine/gametest"
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
		Commit: strings.Repeat("c", 40), Subject: "rewrite", Probability: 0.97, Elo: new(-80.25), EloLo: new(-117.5), EloHi: new(-50.0), Games: 640, Unbuilt: []string{"aa", "bb"},
		Commits: []BisectRow{
			{Commit: strings.Repeat("b", 40), Subject: "a | b"},
			{Commit: strings.Repeat("c", 40), Subject: "rewrite", Games: 9, Probability: &half, Elo: &elo, EloLo: &lo, EloHi: &hi},
		},
	}
	alone := found
	found.Commits = append(slices.Clone(alone.Commits), BisectRow{Commit: strings.Repeat("d", 40), Probability: new(0.03)})
	unknown := found
	unknown.Commit = ""
	long := strings.Repeat("word ", 29) + "end" // it fits into the terminal
	var text strings.Builder
	for _, answer := range []interface{ Write(io.Writer, Format) error }{
		&Verdict{Verdict: "H1", Sentence: "It passes.", Stages: []VerdictStage{stage}, Planned: 2}, &tuned, &early, &found, &alone, &unknown,
		&Verdict{Width: 80, Sentence: long, Stages: []VerdictStage{stage}, Planned: 1},
		&Tuning{Width: 80, Iterations: 2, Planned: 2, Games: 8, Test: &stage, Warnings: []string{long}},
		&Bisection{Width: 80, Commit: strings.Repeat("c", 40), Subject: long, Games: 9},
	} {
		for _, form := range []Format{Terminal, Markdown} {
			gametest.OK(t, answer.Write(&text, form))
			text.WriteString("---\n")
		}
	}
	golden(t, "answers.txt", []byte(text.String()))
}

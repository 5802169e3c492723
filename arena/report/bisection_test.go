package report

import (
	"strings"
	"testing"
)

func TestBisection(t *testing.T) {
	half, elo, e := 0.97, -80.25, 30.0
	b := Bisection{
		Commit: strings.Repeat("c", 40), Subject: "rewrite", Probability: 0.97, Elo: -80.25, EloError: 30, Games: 640, Unbuilt: []string{"aa", "bb"},
		Commits: []BisectRow{{Commit: strings.Repeat("b", 40), Subject: "a | b"}, {Commit: strings.Repeat("c", 40), Subject: "rewrite", Games: 9, Probability: &half, Elo: &elo, EloError: &e}},
	}
	for _, want := range []struct {
		elo  float64
		form Format
		text string
	}{
		{-80.25, Terminal, "cccccccccccc (rewrite) lost strength: -80.2 Elo ±30.0, with a probability of 97.0 %, after 640 games. It may also be aa or bb, which could not be built.\n"},
		{80.25, Terminal, "(rewrite) gained strength: +80.2 Elo"},
		{20, Terminal, "(rewrite) lost or gained strength: +20.0 Elo"},
		{20, Terminal, "97.0 %  -80.2    30.0  ##########  rewrite\n"},
		{20, Markdown, `| a \| b`},
	} {
		b.Elo = want.elo
		var text strings.Builder
		if err := b.Write(&text, want.form); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), want.text) {
			t.Errorf("%q is missing in\n%s", want.text, text.String())
		}
	}
	b.Commit = ""
	if got, want := b.sentence(), "No commit is likely enough after 640 games: the most likely one has 97.0 %."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

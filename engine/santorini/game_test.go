package santorini

import (
	"errors"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/santorini/rules"
)

func TestMatchups(t *testing.T) {
	played := 0
	for _, a := range rules.Played() {
		for _, b := range rules.Played() {
			if rules.Banned(rules.Matchup{a, b}) == nil {
				played++
			}
		}
	}
	for _, tt := range []struct {
		gods   GodOpenings
		starts int
		faults []string
	}{
		{GodOpenings{Matchups: "all"}, 1, nil},
		{GodOpenings{List: []string{"mortal", "pan"}}, 4, nil},
		{GodOpenings{List: []string{"mortal", "triton", "harpies"}}, 7, nil}, // a god of the printed text is in if it is named
		{GodOpenings{List: []string{"mortal", "pan", "hades"}}, 7, nil},
		{GodOpenings{List: []string{"mortal", "pan", "ares"}, Matchups: "mirror"}, 2, nil},
		{GodOpenings{Matchups: "list", Pairs: []string{"pan-mortal", "mortal-pan"}}, 2, nil},
		{GodOpenings{List: []string{"mortal", "pan", "artemis"}, Exclude: []string{"pan", "mortal-artemis"}}, 2, nil},
		{GodOpenings{Exclude: []string{"mortal-mortal"}}, played - 1, nil},
		{GodOpenings{List: []string{"mortal", "morta", "mortal"}}, 0, []string{
			`openings.gods.list[1]: unknown god "morta"`, "openings.gods.list[2]: mortal is listed twice",
		}},
		{GodOpenings{Matchups: "list", Pairs: []string{"pan-hades", "pan", "pan-x"}}, 0, []string{
			"openings.gods.pairs[0]: hades and pan do not meet", `openings.gods.pairs[1]: "pan", want two gods`,
			`openings.gods.pairs[2]: unknown god "x"`,
		}},
		{GodOpenings{List: []string{"all"}, Matchups: "all", Start: "empty"}, played, nil},
		{GodOpenings{List: []string{"all", "pan"}}, 0, []string{`openings.gods.list[0]: unknown god "all"`}},
		{GodOpenings{Matchups: "list"}, 0, []string{"openings.gods.pairs: empty"}},
		{GodOpenings{List: []string{"pan"}, Exclude: []string{"pan"}}, 0, []string{"openings.gods.matchups: no match-up is left"}},
	} {
		g, problems := New().With(nil, &Openings{Gods: tt.gods})
		if len(problems) != len(tt.faults) {
			t.Errorf("%+v: problems %v, want %v", tt.gods, problems, tt.faults)
			continue
		}
		for i, want := range tt.faults {
			if !strings.HasPrefix(problems[i].Error(), want) {
				t.Errorf("%+v: problem %v, want %q", tt.gods, problems[i], want)
			}
		}
		if problems == nil && g.Starts() != tt.starts {
			t.Errorf("%+v: %d starts, want %d", tt.gods, g.Starts(), tt.starts)
		}
	}
	if played < 2500 {
		t.Errorf("%d match-ups are played", played)
	}
	for _, i := range []int{-1, 1} {
		if _, err := New().Start(i, 0); err == nil {
			t.Errorf("start %d exists", i)
		}
	}
}

func TestIllegalNamesTheRule(t *testing.T) {
	const start = "0000000000000000000000000/1/mortal:11,13/mortal:7,17"
	pos, err := New().Parse(start)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ move, rule string }{
		{"0000000000000000000000000/2/mortal:11,13/mortal:7,17", "passing is not allowed"},
		{"1000000000000000000000000/1/mortal:5,13/mortal:7,17", "side to move: 1, but player 2 moves next"},
		{"1000000000000000000000000/2/mortal#:5,13/mortal:7,17", "the winner is marked as 1, and this turn gives 0"},
		{"1000000000000000000000000/2/mortal:5,14/mortal:7,17", "workers stand where no turn of mortal leads"},
		{"1000000000000000000000000/2/mortal:0,13/mortal:7,17", "workers stand where no turn of mortal leads"},
		{"2000000000000000000000000/2/mortal:5,13/mortal:7,17", "A5 is 2 high and was 0"},
		{"1000000000000000000000000/2/mortal:5,13/mortal:7,16", "player 2's workers stand where no turn of mortal leads"},
		{"1000000000000000000000000/2/pan:5,13/mortal:7,17", "the gods have changed"},
		{"1000000000000000000000000/2/mortal:11,13/mortal:7,17", "workers stand where no turn"},
		{"nonsense", "not a position"},
		{"", "not a position"},
	} {
		_, err := pos.Play(game.By(game.First, tt.move))
		var illegal *game.Illegal
		if !errors.As(err, &illegal) || !strings.Contains(illegal.Rule, tt.rule) {
			t.Errorf("%s: %v, want %q", tt.move, err, tt.rule)
			continue
		}
		if illegal.Near != "" {
			if _, err := pos.Play(game.By(game.First, illegal.Near)); err != nil {
				t.Errorf("%s: nearest state is not legal: %v", tt.move, err)
			}
		}
	}
}

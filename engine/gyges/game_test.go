package gyges

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gyges/internal/gygestest"
	"thera/engine/gyges/rules"
)

func parse(t testing.TB, text string) *rules.Position {
	t.Helper()
	p, err := New().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*rules.Position)
}

func TestContract(t *testing.T) {
	gametest.Sequential(t)
	g, problems := New().With(&rules.Settings{NoMove: "loss", MaxPlies: 60}, &Openings{Placement: "random"})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, g := range []game.Game{New(), g} {
		if n := gametest.RandomPlay(t, g, 6, 40, 3); n < 30 {
			t.Errorf("only %d positions seen", n)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "want <layout>"},
		{"321123/000000/000000/000000/000000/321123", "want <layout> <1|2>"},
		{"321123/000000/000000/000000/000000/321123 3", `side to move "3"`},
		{"321123/000000/000000/000000/000000/321123  1", `side to move ""`},
		{"321123/000000/000000/000000/000000/321123 1 ", `third field ""`},
		{"321123/000000/000000/000000/000000 1", "5 rows, want 6"},
		{"321123/00000/000000/000000/000000/321123 1", `row 2 "00000": 5 squares`},
		{"321123/0000000/000000/000000/000000/321123 1", `row 2 "0000000": 7 squares`},
		{"321123/000000/00x000/000000/000000/321123 1", `row 3 column 3: "x"`},
		{"321124/000000/000000/000000/000000/321123 1", `row 1 column 6: "4"`},
		{"321120/000000/000000/000000/000000/321123 1", "11 pieces, want 12"},
		{"321123/000001/000000/000000/000000/321123 1", "13 pieces, want 12"},
		{"331123/000000/000000/000000/000000/321123 1", "5 pieces of value 3"},
		{"321123/000000/000000/000000/000000/321123 2 goal:1", "12 pieces, want 11"},
		{"021123/000000/000000/000000/000000/321123 2 goal:2", `third field "goal:2": want goal:1`},
		{"021123/000000/000000/000000/000000/321123 2 goal:1 x", "want <layout>"},
		{"bench 0", `side to move "0"`},
		{strings.Repeat("9", 500), "..."},
	} {
		if p, err := New().Parse(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, %v, want an error with %q", tt.text, p, err, tt.want)
		}
	}
}

func TestIllegalMovesAreExplained(t *testing.T) {
	for _, tt := range []struct{ pos, move, want string }{
		{"start 1", "", "want start|end"},
		{"start 1", "0|1|2|3", "want start|end"},
		{"start 1", "a|1", `start "a" is not a number`},
		{"start 1", "00|1", `start "00" is not a number`},
		{"start 1", "0|38", "end 38 is outside 0-37"},
		{"start 1", "0|1|36", "drop 36 is outside 0-35"},
		{"start 1", "37|1", "start 37 is outside"},
		{"start 1", "100|100|100", "start 100 is outside"},
		{"start 1", "7|8", "no piece on 7"},
		{"start 1", "30|24", "30 is not on the active line of player 1 (row 0)"},
		{"start 2", "0|6", "0 is not on the active line of player 2 (row 5)"},
		{"start 1", "1|13|20", "nothing stands on 13"},
		{"start 1", "0|1", "1 holds a piece"},
		{"start 1", "0|1|1", "drop on 1, where the moved piece stands"},
		{"start 1", "0|1|4", "drop on 4, which is not empty"},
		{"start 1", "1|20", "cannot be reached from 1 by 2 steps"},
		{"start 1", "0|36", "36 is the mover's own goal"},
		{"000000/000000/333322/221111/000000/000000 1", "12|13|30", "drop on 30, behind the active line of player 2 (row 3)"},
		{"303030/222211/000001/130000/000000/000000 2", "18|36", "cannot be reached"},
		{"303030/222211/000001/130000/000000/000000 1", "0|36", "own goal"},
	} {
		_, err := parse(t, tt.pos).Play(game.Turn{tt.move, tt.move})
		var illegal *game.Illegal
		switch {
		case tt.pos == "303030/222211/000001/130000/000000/000000 1":
			if !errors.As(err, &illegal) || illegal.Rule != "game over" {
				t.Errorf("%s %s: %v, want game over", tt.pos, tt.move, err)
			}
		case !errors.As(err, &illegal) || !strings.Contains(illegal.Rule, tt.want):
			t.Errorf("%s %q: %v, want %q", tt.pos, tt.move, err, tt.want)
		case illegal.Near != "":
			if _, err := parse(t, tt.pos).Play(game.Turn{illegal.Near, illegal.Near}); err != nil {
				t.Errorf("%s: near move %s: %v", tt.pos, illegal.Near, err)
			}
		}
	}
}

func play(t *testing.T, p game.Position, moves ...string) *rules.Position {
	t.Helper()
	for _, m := range moves {
		next, err := p.Play(game.By(p.ToMove().Only(), m))
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		p = next
	}
	return p.(*rules.Position)
}

func TestNoMove(t *testing.T) {
	const stuck = "303030/222211/000001/130000/000000/000000 1"
	if o, over := parse(t, stuck).Outcome(); !over || o.Winner != game.Second || o.Reason != "no legal move" {
		t.Errorf("by default: %v %v", o, over)
	}
	g, problems := New().With(&rules.Settings{NoMove: "draw"}, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	p, err := g.Parse(stuck)
	if err != nil {
		t.Fatal(err)
	}
	if o, over := p.Outcome(); !over || o.Winner != game.None || o.Reason != "no legal move" {
		t.Errorf("no_move: draw gives %v %v", o, over)
	}
}

// Both sides move a piece back to where it stood: the third time the board
// occurs with the same mover the game is drawn.
func TestRepetition(t *testing.T) {
	still := func(b rules.Board, seat game.Seat) string {
		for _, m := range rules.NewGenerator().Moves(b, seat, nil) {
			if m.Start() == m.End() {
				return m.String()
			}
		}
		return ""
	}
	var p *rules.Position
	var first, second string
	gygestest.Positions(11, func(b rules.Board, _ game.Seat) bool {
		p = parse(t, b.String()+" 1")
		first, second = still(p.Board(), game.First), still(p.Board(), game.Second)
		return first == "" || second == ""
	})
	p = play(t, p, first, second, first)
	if _, over := p.Outcome(); over {
		t.Fatal("over too early")
	}
	if o, _ := play(t, p, second).Outcome(); o.Reason != "repetition" || o.Winner != game.None {
		t.Errorf("outcome %v", o)
	}
}

func TestPlyCap(t *testing.T) {
	g, _ := New().With(&rules.Settings{NoMove: "loss", MaxPlies: 2}, nil)
	p, err := g.Parse("start")
	if err != nil {
		t.Fatal(err)
	}
	if o, _ := play(t, p, "0|8", "35|27").Outcome(); o.Reason != "ply cap" {
		t.Errorf("outcome %v", o)
	}
}

func TestPlacements(t *testing.T) {
	g, problems := New().With(&rules.Settings{NoMove: "loss"}, &Openings{Placement: "random"})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	starts := map[string]bool{}
	for seed := range uint64(200) {
		a, err := g.Start(0, seed)
		b, _ := g.Start(0, seed)
		if err != nil || a.String() != b.String() {
			t.Fatalf("seed %d: %v, %v, %v", seed, a, b, err)
		}
		starts[a.String()] = true
	}
	if len(starts) < 180 {
		t.Errorf("200 seeds give %d placements", len(starts))
	}
	if p, _ := g.Start(0, 1); p.String() != "322311/000000/000000/000000/000000/223311 1" {
		t.Errorf("seed 1 gives %s", p)
	}
}

func TestSettings(t *testing.T) {
	for _, tt := range []struct {
		rules    rules.Settings
		openings Openings
		want     []string
	}{
		{rules.Settings{NoMove: "loss"}, Openings{Layout: "bench"}, nil},
		{rules.Settings{NoMove: "win", MaxPlies: -1}, Openings{}, []string{"rules.no_move", "rules.max_plies"}},
		{rules.Settings{NoMove: "draw"}, Openings{Layout: "3/3", Placement: "none"}, []string{"openings.placement", "openings.layout"}},
		{rules.Settings{NoMove: "draw"}, Openings{Layout: "bench", Placement: "random"}, []string{"openings.layout"}},
	} {
		_, problems := New().With(&tt.rules, &tt.openings)
		var got []string
		for _, p := range problems {
			got = append(got, p.Path)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v: %s", tt, diff)
		}
	}
	if _, err := New().Start(1, 0); err == nil {
		t.Error("start 1 exists")
	}
}

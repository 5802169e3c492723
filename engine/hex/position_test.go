package hex

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/hex/rules"
)

func parse(t testing.TB, g *Hex, text string) *position {
	t.Helper()
	p, err := g.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*position)
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "want a size"},
		{"x", "want a size"},
		{"011", "want a size"},
		{"+11", "want a size"},
		{"1", "want 2 to 26"},
		{"27", "want 2 to 26"},
		{"11 ", `move 1 "": coordinate ""`},
		{"11  a1", `move 1 "": coordinate ""`},
		{"11 a1 a1", `move 2 "a1": a1 is taken by black`},
		{"11 a1 b01", `move 2 "b01": coordinate "b01"`},
		{"11 a1 a12", "off the board of 11 x 11"},
		{"11 a1 swap", "not allowed by the match's rules"},
		{"2 a1 b2 b1 a2", `move 4 "a2": game over`},
		{"11 " + strings.Repeat("x", 100), "..."},
	} {
		if p, err := New().Parse(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, %v, want an error with %q", tt.text, p, err, tt.want)
		}
	}
	if _, err := sized(t, 5, true).Parse("5 a1 b2 swap"); err == nil || !strings.Contains(err.Error(), "second move") {
		t.Errorf("late swap: %v", err)
	}
	if _, err := sized(t, 5, true).Parse("5 swap"); err == nil || !strings.Contains(err.Error(), "second move") {
		t.Errorf("early swap: %v", err)
	}
}

func TestSwapExchangesPrograms(t *testing.T) {
	g := sized(t, 3, true)
	p := parse(t, g, "3 a1")
	if list := p.Moves(game.Second); list[len(list)-1] != swapWord || len(list) != 9 {
		t.Errorf("moves %v", list)
	}
	if p := parse(t, sized(t, 3, false), "3 a1"); len(p.Moves(game.Second)) != 8 {
		t.Errorf("swap is listed without the rule: %v", p.Moves(game.Second))
	}
	p = parse(t, g, "3 a1 swap")
	if p.ToMove() != game.SeatsOf(game.First) || p.turn != rules.White {
		t.Errorf("%v of seat %d moves after the swap", p.turn, p.mover())
	}
	p = parse(t, g, "3 a1 swap c3 b1 c2 c1")
	if o, over := p.Outcome(); !over || o.Winner != game.Second || p.winner != rules.Black {
		t.Errorf("black won: %v %v", o, over)
	}
	if got := p.String(); got != "3 a1 swap c3 b1 c2 c1" {
		t.Errorf("written as %q", got)
	}
}

func TestIllegalMovesAreExplained(t *testing.T) {
	for _, tt := range []struct{ pos, move, rule, near string }{
		{"4 a1", "a1", "taken by black", ""},
		{"4", "A1", "row letter", "a1"},
		{"4", "a01", "row letter", "a1"},
		{"4", "b+2", "row letter", "b2"},
		{"4", "a0", "row letter", ""},
		{"4", "a5", "off the board", ""},
		{"4", "z9", "off the board", ""},
		{"4", "", "row letter", ""},
		{"4 a1", "swap", "not allowed", ""},
		{"2 a1 b2 b1", "a2", "game over", ""},
	} {
		p := parse(t, New(), tt.pos)
		_, err := p.Play(game.Turn{tt.move, tt.move})
		var illegal *game.Illegal
		if !errors.As(err, &illegal) || !strings.Contains(illegal.Rule, tt.rule) || illegal.Near != tt.near || illegal.Move != tt.move {
			t.Errorf("%s %q: %v", tt.pos, tt.move, err)
		}
	}
}

func TestSettings(t *testing.T) {
	for _, tt := range []struct {
		rules    Rules
		openings Openings
		starts   int
		want     []string
	}{
		{Rules{Size: 5}, Openings{}, 1, nil},
		{Rules{Size: 5}, Openings{FirstMoves: []string{"all"}}, 25, nil},
		{Rules{Size: 5}, Openings{FirstMoves: []string{"a1", "e5"}}, 2, nil},
		{Rules{Size: 11}, Openings{FirstMoves: []string{"fair"}}, len(fairMoves(11)), nil},
		{Rules{Size: 27}, Openings{}, 0, []string{"rules.size"}},
		{Rules{Size: 1}, Openings{}, 0, []string{"rules.size"}},
		{Rules{Size: 5}, Openings{FirstMoves: []string{"a1", "f1", "swap"}}, 0, []string{"openings.first_moves[1]", "openings.first_moves[2]"}},
	} {
		g, problems := New().With(&tt.rules, &tt.openings)
		var got []string
		for _, p := range problems {
			got = append(got, p.Path)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v: %s", tt, diff)
		}
		if g == nil {
			continue
		}
		if g.Starts() != tt.starts {
			t.Errorf("%v: %d starts, want %d", tt, g.Starts(), tt.starts)
		}
		seen := map[string]bool{}
		for i := range g.Starts() {
			p, err := g.Start(i, 1)
			if err != nil {
				t.Fatal(err)
			}
			seen[p.String()] = true
		}
		if len(seen) != tt.starts {
			t.Errorf("%v: %d distinct starts", tt, len(seen))
		}
		if _, err := g.Start(tt.starts, 1); err == nil {
			t.Errorf("start %d exists", tt.starts)
		}
	}
}

func TestFairMovesAreOnEveryBoard(t *testing.T) {
	for size := minSize; size <= maxSize; size++ {
		seen := map[int]bool{}
		for _, cell := range fairMoves(size) {
			if cell < 0 || cell >= size*size || seen[cell] {
				t.Errorf("size %d: cell %d", size, cell)
			}
			seen[cell] = true
		}
	}
}

func TestDraw(t *testing.T) {
	p := parse(t, sized(t, 3, true), "3 a1 swap b2 c3")
	want := `   1  2  3
a  B  .  .
 b  .  W  .
   c  .  . [B]
white (program 1) to move
`
	if diff := cmp.Diff(want, p.Draw(game.Turn{}, false)); diff != "" {
		t.Error(diff)
	}
	if s := p.Draw(game.Turn{}, true); !strings.Contains(s, colourMark+"[B]"+colourReset) {
		t.Errorf("no colour in\n%s", s)
	}
	if s := parse(t, sized(t, 3, true), "3 a1 swap").Draw(game.Turn{}, false); !strings.Contains(s, "swapped; white (program 1)") {
		t.Error(s)
	}
}

package rules_test

import (
	"errors"
	"strings"
	"testing"

	"thera/engine/hex/rules"

	"thera/engine/game"
)

func parse(t testing.TB, g rules.Settings, text string) *rules.Position {
	t.Helper()
	p, err := g.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
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
		if p, err := rules.Default().Parse(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, %v, want an error with %q", tt.text, p, err, tt.want)
		}
	}
	if _, err := sized(5, true).Parse("5 a1 b2 swap"); err == nil || !strings.Contains(err.Error(), "second move") {
		t.Errorf("late swap: %v", err)
	}
	if _, err := sized(5, true).Parse("5 swap"); err == nil || !strings.Contains(err.Error(), "second move") {
		t.Errorf("early swap: %v", err)
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
		p := parse(t, rules.Default(), tt.pos)
		_, err := p.Play(game.Turn{tt.move, tt.move})
		var illegal *game.Illegal
		if !errors.As(err, &illegal) || !strings.Contains(illegal.Rule, tt.rule) || illegal.Near != tt.near || illegal.Move != tt.move {
			t.Errorf("%s %q: %v", tt.pos, tt.move, err)
		}
	}
}

package rules

import (
	"strings"
	"testing"
)

// small is a board of 4 x 3 for tests.
const small = "maze height:3 width:4; walls (0,0)-(0,1); mud (1,0)-(2,0):3; cheese (2,0) (1,2) (3,2); player1 rat (3,2); player2 python (0,0)"

func TestParseRefuses(t *testing.T) {
	good := small + "; max_turns 10; turn 1; score rat:0.5 python:1; mud_timers rat:0 python:0; mud_targets rat:- python:-"
	if text := mustParse(t, good).String(); text != good {
		t.Fatalf("%s reads back as %s", good, text)
	}
	for _, tt := range []struct{ old, new, want string }{
		{"height:3", "height:1", "field 1: maze height 1: want 2 to 128"},
		{"width:4", "width:129", "maze width 129"},
		{"width:4", "width:x", `maze width "x": want a whole number`},
		{"height:3 width:4", "width:4 height:3", "want height:… width:…"},
		{"walls (0,0)-(0,1)", "walls (0,0)-(0,2)", "field 2: wall (0,0)-(0,2): these cells are not neighbours"},
		{"walls (0,0)-(0,1)", "walls (0,0)-(0,0)", "not neighbours"},
		{"walls (0,0)-(0,1)", "walls (3,0)-(4,0)", "(4,0): off the board of 4 x 3"},
		{"walls (0,0)-(0,1)", "walls (0,0)", "want (x,y)-(x,y)"},
		{"walls (0,0)-(0,1)", "walls (0, 0)-(0,1)", "want (x,y)"},
		{"mud (1,0)-(2,0):3", "mud (1,0)-(2,0):1", "field 3: mud (1,0)-(2,0):1: want 2 to 1000"},
		{"mud (1,0)-(2,0):3", "mud (1,0)-(2,0)", "want (x,y)-(x,y):N"},
		{"mud (1,0)-(2,0):3", "mud (1,0)-(3,0):3", "not neighbours"},
		{"mud (1,0)-(2,0):3", "mud (1,0)-(1,-1):3", `y "-1"`},
		{"mud (1,0)-(2,0):3", "mud (1,0)-(2,0):3 (2,0)-(1,0):4", "already has the value 3"},
		{"cheese (2,0)", "cheese (1,2)", "cheese (1,2): two on one cell"},
		{"cheese (2,0)", "cheese (2,3)", "cheese (2,3): off the board"},
		{"walls (0,0)-(0,1)", "walls (1,2)-(0,2) (1,2)-(2,2) (1,2)-(1,1)", "cheese (1,2): neither side can reach it"},
		{"rat (3,2)", "rat (4,2)", "player1 (4,2): off the board"},
		{"player1 rat", "player1 python", "want player1 rat (x,y)"},
		{"; player2 python (0,0)", "", "no player2 line"},
		{"walls (0,0)-(0,1); ", "", "no walls line"},
		{"cheese (2,0)", "cheese (2,0); cheese (2,0)", "cheese is given twice"},
		{"max_turns 10", "max_turns 0", "max_turns 0: want 1 or more"},
		{"turn 1", "turn -1", `turn "-1": want a whole number`},
		{"rat:0.5", "rat:0.3", "score rat:0.3: want whole or half points"},
		{"rat:0.5", "rat:NaN", "score rat:NaN"},
		{"mud_timers rat:0", "mud_timers rat:2", "mud_timers rat:2: it needs a target"},
		{"mud_targets rat:-", "mud_targets rat:(3,1)", "its timer is 0"},
		{"python:0; mud_targets rat:- python:-", "python:2; mud_targets rat:- python:(1,0)", "no mud of at least 2 leads there from (0,0)"},
		{"turn 1", "turns 1", `field 8, "turns 1": want maze`},
	} {
		text := strings.Replace(good, tt.old, tt.new, 1)
		if text == good {
			t.Fatalf("%q is not in the good text", tt.old)
		}
		if p, err := Parse(text, Settings{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q for %q: %v, %v; want %q", tt.new, tt.old, p, err, tt.want)
		}
	}
	if _, err := Parse("walls; maze height:3 width:4", Settings{}); err == nil || !strings.Contains(err.Error(), "walls before maze") {
		t.Errorf("walls first: %v", err)
	}
	for _, text := range []string{"", ";", "\x00", strings.Repeat(";", 1000)} {
		if _, err := Parse(text, Settings{}); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// TestParseAccepts positions that the generator never makes.
func TestParseAccepts(t *testing.T) {
	for _, text := range []string{
		"maze height:2 width:2; walls; mud; cheese (0,0) (1,1) (0,1); player1 rat (0,0); player2 python (0,0)",
		"maze height:2 width:2; walls (0,0)-(1,0) (1,0)-(0,0); mud (0,0)-(1,0):3; cheese (0,0); player1 rat (0,0); player2 python (0,0)",
		"maze height:2 width:2; walls; mud; cheese; player1 rat (0,0); player2 python (1,1)",
		" maze  height:2\twidth:2;walls;mud;cheese (0,1);player1 rat (0,0);player2 python (1,1)",
	} {
		if _, err := Parse(text, Settings{}); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

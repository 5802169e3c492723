package rules

import (
	"strings"
	"testing"

	"thera/engine/game"
)

func TestDraw(t *testing.T) {
	p := mustParse(t, small+"; turn 3; score rat:0.5 python:1")
	want := `turn 3 of 300   R rat 0.5   P python 1   3 cheese left
last turn U/L
    +---+---+---+---+
  2 |     *       r |
    +   +   +   +   +
  1 |               |
    +---+   +   +   +
  0 | P     : *     |
    +---+---+---+---+
      0   1   2   3 
`
	if got := p.Draw(game.Turn{"U", "L"}, false); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if colour := p.Draw(game.Turn{}, true); !strings.Contains(colour, "\x1b[32mP\x1b[0m") {
		t.Errorf("no colours in %q", colour)
	}
}

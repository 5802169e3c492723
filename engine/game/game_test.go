package game_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// nimOf is nim from which a turn takes 1 or 2.
func nimOf(position string) game.Position {
	g := nim.New()
	g.Rules.Take = 2
	pos, err := g.Parse(position)
	if err != nil {
		panic(err)
	}
	return pos
}

func TestTurnReadsBack(t *testing.T) {
	for _, tt := range []struct {
		toMove game.Seats
		turn   game.Turn
		text   string
	}{
		{game.SeatsOf(game.First), game.By(game.First, "a1"), "a1"},
		{game.SeatsOf(game.Second), game.By(game.Second, "0001/2/x"), "0001/2/x"},
		{game.Both, game.Turn{"U", "R"}, "U/R"},
	} {
		if got := tt.turn.String(); got != tt.text {
			t.Errorf("%q prints as %q", tt.turn, got)
		}
		if got := game.ParseTurn(tt.toMove, tt.text); got != tt.turn {
			t.Errorf("%q reads as %q", tt.text, got)
		}
	}
}

func TestLine(t *testing.T) {
	a := game.Begin(nimOf("5 1"))
	play := func(l *game.History, move string) *game.History {
		t.Helper()
		next, err := l.Play(game.By(l.Position.ToMove().Only(), move))
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	b := play(a, "1")
	c := play(play(b, "2"), "1")
	d := play(b, "1")
	if c.Ply != 3 || c.Start() != a {
		t.Errorf("ply %d, start %v", c.Ply, c.Start().Position)
	}
	if diff := cmp.Diff([]game.Turn{game.By(game.First, "1"), game.By(game.Second, "2"), game.By(game.First, "1")}, c.Turns()); diff != "" {
		t.Error(diff)
	}
	for _, tt := range []struct{ a, b, want *game.History }{{c, d, b}, {d, c, b}, {c, b, b}, {c, c, c}, {c, a, a}, {c, game.Begin(a.Position), nil}, {nil, c, nil}} {
		if got := game.Common(tt.a, tt.b); got != tt.want {
			t.Errorf("Common = %v, want %v", got, tt.want)
		}
	}
	var illegal *game.Illegal
	if _, err := b.Play(game.By(game.Second, "3")); !errors.As(err, &illegal) || illegal.Move != "3" {
		t.Errorf("err = %v, want an illegal move", err)
	}
}

func TestTurnsFrom(t *testing.T) {
	one := game.TurnsFrom(nimOf("3 2"))
	if diff := cmp.Diff([]game.Turn{{"", "1"}, {"", "2"}}, one); diff != "" {
		t.Error(diff)
	}
	if both := game.TurnsFrom(nimOf("3 both")); len(both) != 4 || both[1] != (game.Turn{"1", "2"}) {
		t.Errorf("both seats: %v", both)
	}
	if over := game.TurnsFrom(nimOf("0 1")); over != nil {
		t.Errorf("a finished game has turns: %v", over)
	}
}

func TestFaultsAreAClosedList(t *testing.T) {
	seen := map[game.FaultKind]bool{}
	for _, kind := range game.Faults() {
		if seen[kind] {
			t.Errorf("%q is listed twice", kind)
		}
		seen[kind] = true
	}
	fault := game.Protocolf("no move in %q", "x")
	if !seen[fault.Kind] || !strings.Contains(fault.Error(), `protocol: no move in "x"`) {
		t.Errorf("fault %v", fault)
	}
	if got := (&game.Fault{Kind: game.FaultClosedOut}).Error(); got != "closed stdout" {
		t.Errorf("got %q", got)
	}
	ill := &game.Illegal{Seat: game.First, Move: "9", Rule: "too many", Near: "2"}
	if got := ill.Error(); got != `illegal move "9": too many (nearest legal: 2)` {
		t.Errorf("got %q", got)
	}
	if got := (game.Problem{Path: "rules.size", Err: errors.New("too big")}).Error(); got != "rules.size: too big" {
		t.Errorf("got %q", got)
	}
}

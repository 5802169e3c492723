package game

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// countdown is a game of one number: a move takes 1 or 2, who takes the last
// wins. "both" lets the two seats move at once.
type countdown struct {
	left int
	turn Seat
	both bool
}

func (c countdown) String() string { return fmt.Sprint(c.left, c.turn) }

func (c countdown) ToMove() Seats {
	switch {
	case c.left == 0:
		return 0
	case c.both:
		return Both
	}
	return SeatsOf(c.turn)
}

func (c countdown) Moves(s Seat) []string {
	if !c.ToMove().Has(s) {
		return nil
	}
	if c.left == 1 {
		return []string{"1"}
	}
	return []string{"1", "2"}
}

func (c countdown) Play(t Turn) (Position, error) {
	switch t.Of(c.turn) {
	case "1":
		return countdown{c.left - 1, c.turn.Other(), c.both}, nil
	case "2":
		return countdown{c.left - 2, c.turn.Other(), c.both}, nil
	}
	return nil, &Illegal{Seat: c.turn, Move: t.Of(c.turn), Rule: "take 1 or 2"}
}

func (c countdown) Outcome() (Outcome, bool) {
	return Outcome{Winner: c.turn.Other(), Reason: "took the last"}, c.left == 0
}

func TestSeats(t *testing.T) {
	if First.Other() != Second || Second.Other() != First || None.Other() != None {
		t.Error("Other does not change seats")
	}
	for _, tt := range []struct {
		set  Seats
		len  int
		only Seat
	}{{0, 0, None}, {SeatsOf(First), 1, First}, {SeatsOf(Second), 1, Second}, {SeatsOf(First, Second), 2, None}} {
		if tt.set.Len() != tt.len || tt.set.Only() != tt.only {
			t.Errorf("%b: len %d, only %d", tt.set, tt.set.Len(), tt.set.Only())
		}
		if tt.set.Has(None) {
			t.Errorf("%b has nobody", tt.set)
		}
	}
	if SeatsOf(First, Second) != Both || !Both.Has(First) || !Both.Has(Second) || SeatsOf(First).Has(Second) {
		t.Error("sets of seats do not hold what they were made of")
	}
}

func TestTurnReadsBack(t *testing.T) {
	for _, tt := range []struct {
		toMove Seats
		turn   Turn
		text   string
	}{
		{SeatsOf(First), By(First, "a1"), "a1"},
		{SeatsOf(Second), By(Second, "0001/2/x"), "0001/2/x"},
		{Both, Turn{"U", "R"}, "U/R"},
	} {
		if got := tt.turn.String(); got != tt.text {
			t.Errorf("%q prints as %q", tt.turn, got)
		}
		if got := ParseTurn(tt.toMove, tt.text); got != tt.turn {
			t.Errorf("%q reads as %q", tt.text, got)
		}
	}
}

func TestLine(t *testing.T) {
	a := Begin(countdown{left: 5, turn: First})
	play := func(l *Line, move string) *Line {
		t.Helper()
		next, err := l.Play(By(l.Position.ToMove().Only(), move))
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
	if diff := cmp.Diff([]Turn{By(First, "1"), By(Second, "2"), By(First, "1")}, c.Turns()); diff != "" {
		t.Error(diff)
	}
	for _, tt := range []struct{ a, b, want *Line }{{c, d, b}, {d, c, b}, {c, b, b}, {c, c, c}, {c, a, a}, {c, Begin(a.Position), nil}, {nil, c, nil}} {
		if got := Common(tt.a, tt.b); got != tt.want {
			t.Errorf("Common = %v, want %v", got, tt.want)
		}
	}
	var illegal *Illegal
	if _, err := b.Play(By(Second, "3")); !errors.As(err, &illegal) || illegal.Move != "3" {
		t.Errorf("err = %v, want an illegal move", err)
	}
}

func TestTurnsFrom(t *testing.T) {
	one := TurnsFrom(countdown{left: 3, turn: Second})
	if diff := cmp.Diff([]Turn{{"", "1"}, {"", "2"}}, one); diff != "" {
		t.Error(diff)
	}
	if both := TurnsFrom(countdown{left: 3, turn: First, both: true}); len(both) != 4 || both[1] != (Turn{"1", "2"}) {
		t.Errorf("both seats: %v", both)
	}
	if over := TurnsFrom(countdown{left: 0, turn: First}); over != nil {
		t.Errorf("a finished game has turns: %v", over)
	}
}

func TestFaultsAreAClosedList(t *testing.T) {
	seen := map[FaultKind]bool{}
	for _, kind := range Faults() {
		if seen[kind] {
			t.Errorf("%q stands twice", kind)
		}
		seen[kind] = true
	}
	fault := Protocolf("no move in %q", "x")
	if !seen[fault.Kind] || !strings.Contains(fault.Error(), `protocol: no move in "x"`) {
		t.Errorf("fault %v", fault)
	}
	if got := (&Fault{Kind: FaultClosedOut}).Error(); got != "closed stdout" {
		t.Errorf("got %q", got)
	}
	ill := &Illegal{Seat: First, Move: "9", Rule: "too many", Near: "2"}
	if got := ill.Error(); got != `illegal move "9": too many (nearest legal: 2)` {
		t.Errorf("got %q", got)
	}
	if got := (Problem{Path: "rules.size", Err: errors.New("too big")}).Error(); got != "rules.size: too big" {
		t.Errorf("got %q", got)
	}
}

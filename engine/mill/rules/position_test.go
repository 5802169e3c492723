package rules_test

import (
	"errors"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/mill/rules"
)

// play replays actions from a position.
func play(t testing.TB, pos game.Position, actions string) game.Position {
	t.Helper()
	for _, m := range strings.Fields(actions) {
		next, err := pos.Play(game.By(pos.ToMove().Only(), m))
		if err != nil {
			t.Fatal(err)
		}
		pos = next
	}
	return pos
}

// Position texts that are refused, and what the error must name.
func TestBadPositions(t *testing.T) {
	for _, tt := range []struct{ fen, want string }{
		{"", "0 fields"},
		{"invalid_fen_string", "1 fields"},
		{"********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0", "16 fields"},
		{"********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1 1", "18 fields"},
		{"********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "field 1 (board)"},
		{"*******/********/********* w p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "ring 1 has 7 points"},
		{"*******7/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "want O, @ or *"},
		{"X*******/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "marked point"},
		{"********/********/******** x p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "field 2"},
		{"********/********/******** w z p 0 9 0 9 0 0 0 0 0 0 0 0 1", "field 3"},
		{"********/********/******** w n p 0 9 0 9 0 0 0 0 0 0 0 0 1", "no game is being played"},
		{"********/********/******** w p ? 0 9 0 9 0 0 0 0 0 0 0 0 1", "field 4"},
		{"********/********/******** w p s 0 9 0 9 0 0 0 0 0 0 0 0 1", "field 4"},
		{"********/********/******** w m s 0 9 0 9 0 0 0 0 0 0 0 0 1", "men are in hand"},
		{"********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 -1 1", "not a whole number"},
		{"********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 1000 1", "want 0 to 999"},
		{"********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 99999999999999999999", "too large"},
		{"********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 65536 0 1", "field 15"},
		{"********/********/******** w p p 1 8 0 9 0 0 0 0 0 0 0 0 1", "the board shows 0"},
		{"********/********/******** w p p 0 10 0 9 0 0 0 0 0 0 0 0 1", "want 0 to 9"},
		{"O*******/********/******** b p p 1 9 0 9 0 0 0 0 0 0 0 0 1", "at most nine"},
		{"********/********/******** b p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "field 6"},
		{"OO*****O/OO******/@@*@***@ w p p 5 0 4 0 0 0 0 0 0 0 0 0 9", "no man is in hand"},
		{"OO*****O/OO******/@@*@***@ w m p 5 0 4 0 0 0 0 0 0 0 0 0 9", "field 4"},
		{"OO*****O/OO******/@@*@***@ w m r 5 0 4 0 0 0 0 0 0 0 0 0 9", "field 9 (white removals)"},
		{"OO*****O/OO******/@@*@***@ w m s 5 0 4 0 1 0 0 0 0 0 0 0 9", "field 9 (white removals)"},
		{"OO*****O/OO******/@@*@***@ w m r 5 0 4 0 0 1 0 0 0 0 0 0 9", "the other side is to move"},
		{"OO*****O/OO******/@@*@**** w m s 5 0 3 0 0 1 0 0 0 0 0 0 9", "the other side is to move"},
		{"O**O***O/OO******/@@*@***@ w m r 5 0 4 0 1 0 0 0 0 0 0 0 9", "no mill stands"},
		{"OO******/********/@@@***** w m s 2 0 3 0 0 0 0 0 0 0 0 0 30", "fewer than three men"},
		{"OO*****O/OO******/@@*@***@ w o s 5 0 4 0 0 0 0 0 0 0 0 0 9", "the game is not over"},
		{"OO*****O/OO******/@@*@***@ w o r 5 0 4 0 1 0 0 0 0 0 0 0 9", "the game is not over"},
		{"OO*****O/OO******/@@*@***@ w o p 5 0 4 0 0 0 0 0 0 0 0 0 9", "field 4"},
		{"OO******/********/@@****** w o r 2 0 2 0 1 0 0 0 0 0 0 0 9", "the winner has fewer"},
		// The written protocol's three examples contradict themselves.
		{"O**O**O*/********/O******@ w p p 3 6 2 7 0 0 0 0 0 0 0 0 3", "field 5"},
		{"O*@*@@O*/***@****/O*@*@O** w m p 6 0 6 0 0 0 0 0 0 0 0 12 24", "field 5"},
		{"OOO***@*/********/@*****@* w p r 3 6 3 6 0 1 8 9 0 0 65536 0 5", "field 15"},
	} {
		pos, err := rules.Parse(rules.Default(), tt.fen)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, %v, want an error with %q", tt.fen, pos, err, tt.want)
		}
	}
}

// Position texts that are accepted although String writes them differently.
func TestForgivenPositions(t *testing.T) {
	for fen, want := range map[string]string{
		"********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 0":    rules.StartFEN,
		"********/********/******** w r p 0 9 0 9 0 0 0 0 0 0 0 0 1":    rules.StartFEN,
		"@O@*@O@*/@*******/@O@O@O@O w m s 6 0 9 0 0 0 0 0 0 0 0 0 30":   "@O@*@O@*/@*******/@O@O@O@O w o s 6 0 9 0 0 0 0 0 0 0 0 0 30",
		"O@OO*@OO/O**@O*@@/@*@O@@*O b m s 9 0 9 0 0 0 8 9 0 0 0 120 14": "O@OO*@OO/O**@O*@@/@*@O@@*O b o s 9 0 9 0 0 0 0 0 0 0 0 120 14",
	} {
		pos, err := rules.Parse(rules.Default(), fen)
		if err != nil || pos.String() != want {
			t.Errorf("%q: %v, %v, want %s", fen, pos, err, want)
		}
	}
}

func TestIllegalMoves(t *testing.T) {
	const (
		closed    = "d7 d6 g7 d5 a7" // white has closed the top mill
		sliding   = "O@OO*@OO/O**@O*@@/@*@O@@*O b m s 9 0 9 0 0 0 0 0 0 0 0 9 14"
		protected = "*OOO****/******@*/***@@@** w m r 3 0 4 0 1 0 0 0 0 0 0 3 30"
	)
	for _, tt := range []struct {
		fen, before, move, want, near string
	}{
		{rules.StartFEN, "", "a1-b2", "men in hand must be placed first", ""},
		{rules.StartFEN, "", "h9", "not a move", ""},
		{rules.StartFEN, "", "d4", "not a move", "a4"},
		{rules.StartFEN, "", "draw", "not a move", ""},
		{rules.StartFEN, "", "", "not a move", ""},
		{rules.StartFEN, "", "xa1", "no mill was closed", "a1"},
		{rules.StartFEN, "a1", "a1", "a1 is not empty", "a4"},
		{rules.StartFEN, closed, "d1", "a man of the opponent must be removed", ""},
		{rules.StartFEN, closed, "xd1", "no man of the opponent stands on d1", "xd5"},
		{protected, "", "xa1", "the man on a1 stands in a mill while others do not", "xb4"},
		{sliding, "", "c3-c4", "c4 is not empty", "c3-d3"},
		{sliding, "", "e4-f4", "no own man stands on e4", "g4-f4"},
		{sliding, "", "c3-f4", "not neighbours", ""},
		{sliding, "", "c3", "no man is in hand", ""},
		{sliding, "", "c3-c3", "not a move", "c3-d3"},
	} {
		pos := play(t, mustParse(t, tt.fen), tt.before)
		seat := pos.ToMove().Only()
		_, err := pos.Play(game.By(seat, tt.move))
		var illegal *game.Illegal
		if !errors.As(err, &illegal) || !strings.Contains(err.Error(), tt.want) || illegal.Seat != seat {
			t.Errorf("%s %s: %v, want %q", tt.fen, tt.move, err, tt.want)
			continue
		}
		if tt.near != "" && illegal.Near != tt.near {
			t.Errorf("%s: nearest %q, want %q", tt.move, illegal.Near, tt.near)
		}
		if _, err := pos.Play(game.By(seat.Other(), "a1")); err == nil || !strings.Contains(err.Error(), "other side's turn") {
			t.Errorf("%s: the other side moved: %v", tt.fen, err)
		}
	}
}

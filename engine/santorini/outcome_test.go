package santorini

import (
	"testing"

	"thera/engine/santorini/rules"

	"thera/engine/game"
)

func TestOutcomes(t *testing.T) {
	for _, tt := range []struct {
		text   string
		winner game.Seat
		reason string
	}{
		{"0000000000002300000000000/2/mortal#:1,13/mortal:20,24", game.First, "reached level 3"},
		{"0000000000002300000000000/1/#mortal:B5,D3/mortal:A1,E1", game.First, "reached level 3"},
		{"0200042000444440000000000/1/mortal:A5/#mortal:D1,E1", game.Second, "no legal move"},
		{"0000000000001000000000000/2/pan#:1,13/mortal:20,24", game.First, "pan's own way to win"},
		{"0100001000000000000000000/1/mortal:C1,D1/#eros:B5,B4", game.Second, "eros's own way to win"},
	} {
		pos, err := New().Parse(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		got, over := pos.Outcome()
		if !over || got.Winner != tt.winner || got.Reason != tt.reason || pos.ToMove() != 0 || pos.Moves(game.First) != nil {
			t.Errorf("%s: %+v, %v; want %d, %s", tt.text, got, over, tt.winner, tt.reason)
		}
		if _, err := pos.Play(game.By(game.First, tt.text)); err == nil {
			t.Errorf("%s is over, but goes on", tt.text)
		}
	}
}

// TestBlockedPlays checks that a blocked mover has one turn, in the form of its
// position, and may play it in either form.
func TestBlockedPlays(t *testing.T) {
	const (
		board = "0200002000220000000000000"
		v1    = board + "/1/mortal:0,5/mortal:23,24"
		v2    = board + "/1/mortal:A5,A4/mortal:D1,E1"
		end1  = board + "/2/mortal:0,5/mortal#:23,24"
		end2  = board + "/1/mortal:A5,A4/#mortal:D1,E1"
	)
	for start, want := range map[string]string{v1: end1, v2: end2} {
		pos, err := New().Parse(start)
		if err != nil {
			t.Fatal(err)
		}
		if _, over := pos.Outcome(); over {
			t.Errorf("%s: over before the pseudo-turn", start)
		}
		if got := pos.Moves(game.First); len(got) != 1 || got[0] != want {
			t.Errorf("%s: moves %v, want %s", start, got, want)
		}
		for _, move := range []string{end1, end2} {
			next, err := pos.Play(game.By(game.First, move))
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := next.Outcome(); next.String() != want || got.Winner != game.Second || got.Reason != rules.NoLegalMove {
				t.Errorf("%s plays %s to %s, %+v", start, move, next, got)
			}
		}
	}
}

package santorini

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"thera/engine/santorini/rules"

	"thera/engine/game"
)

const empty25 = "0000000000000000000000000"

func bound(t testing.TB, rulesEngine string, list ...string) *Game {
	t.Helper()
	g, problems := New().With(&Rules{Law: rulesEngine}, &Openings{Gods: GodOpenings{List: list, Matchups: "all", Start: "auto"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return g.(*Game)
}

// Gods that we know stay under our rules, beside one that we do not; with a
// rules engine all are foreign.
func TestWhoseRules(t *testing.T) {
	for _, tt := range []struct {
		rulesEngine string
		foreign     []string // first positions
		known       int
	}{
		{"", []string{
			empty25 + "/1/mortal/hopper", empty25 + "/1/clio/hopper", empty25 + "/1/hopper/mortal", empty25 + "/1/hopper/clio", empty25 + "/1/hopper/hopper",
		}, 4},
		{"both", []string{empty25 + "/1/mortal:B3,D3/mortal:C4,C2", empty25 + "/1/hopper/hopper"}, 0},
		{"some engine", nil, 0},
	} {
		g := bound(t, tt.rulesEngine, "mortal", "clio", "hopper")
		known, foreign := 0, []string{}
		for i := range g.Starts() {
			pos, err := g.Start(i, 1)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := pos.(game.Foreign); ok {
				foreign = append(foreign, pos.String())
			} else {
				known++
			}
			if again, err := g.Parse(pos.String()); err != nil || again.String() != pos.String() {
				t.Errorf("rules engine %q: %s reads as %v, %v", tt.rulesEngine, pos, again, err)
			}
		}
		if known != tt.known || known+len(foreign) != 9 {
			t.Errorf("rules engine %q: %d known starts of %d", tt.rulesEngine, known, known+len(foreign))
		}
		for _, text := range tt.foreign {
			if !slices.Contains(foreign, text) {
				t.Errorf("rules engine %q: no start %s in %q", tt.rulesEngine, text, foreign)
			}
		}
	}
	if _, err := New().Parse(empty25 + "/1/hopper/mortal"); err == nil || !strings.Contains(err.Error(), `unknown god "hopper"`) {
		t.Errorf("a god that no opening names: %v", err)
	}
}

func TestNamesOfUnknownGods(t *testing.T) {
	for name, want := range map[string]string{
		"artemsi": "did you mean artemis?", "all2": "", "hopper": "", "Hopper": "unknown god", "x": "unknown god", "a-b": "unknown god",
	} {
		err := rules.CheckName(name, "")
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if err := rules.CheckName("artemsi", "both"); err != nil {
		t.Errorf("with a rules engine: %v", err)
	}
}

// The list decides: a state outside of it is illegal, an empty one ends the game.
func TestForeignPlay(t *testing.T) {
	g := bound(t, "", "hopper", "mortal")
	pos, err := g.Parse(empty25 + "/1/hopper[2|C3]:B3,D3/mortal:C4,C2")
	if err != nil {
		t.Fatal(err)
	}
	from := pos.(game.Foreign)
	states := []string{
		"1000000000000000000000000/2/hopper[1|B3]:B4,D3/mortal:C4,C2",
		"1000000000000000000000000/2/hopper[2|C3]:B4,D3/mortal:C4,C2",
		empty25 + "/2/#hopper[2|C3]:A3,D3/mortal:C4,C2",
	}
	slices.Sort(states)
	if moves := from.Moves(game.First); moves != nil {
		t.Errorf("without a list: %q", moves)
	}
	under := from.Under(states)
	if !slices.Equal(under.Moves(game.First), states) || under.Moves(game.Second) != nil || under.String() != pos.String() {
		t.Errorf("%q", under.Moves(game.First))
	}
	play := func(pos game.Position, text string) (game.Position, error) {
		return pos.Play(game.By(game.First, text))
	}
	// In the other form, and with the workers in another order.
	next, err := play(under, "1000000000000000000000000/2/hopper[1|B3]:13,6/mortal:17,7")
	if err != nil || next.String() != "1000000000000000000000000/2/hopper[1|B3]:B4,D3/mortal:C4,C2" {
		t.Errorf("%v, %v", next, err)
	}
	var illegal *game.Illegal
	_, err = play(under, "1000000000000000000000000/2/hopper[0|B3]:B4,D3/mortal:C4,C2")
	if !errors.As(err, &illegal) || illegal.Seat != game.First || !strings.HasPrefix(illegal.Near, "1000000000000000000000000/2/hopper[") || !strings.Contains(illegal.Rule, "3 next states") {
		t.Errorf("%+v", err)
	}
	next, err = play(under, empty25+"/2/#hopper[2|C3]:A3,D3/mortal:C4,C2")
	if err != nil {
		t.Fatal(err)
	}
	if outcome, over := next.Outcome(); !over || outcome.Winner != game.First || outcome.Reason != "hopper's own way to win" {
		t.Errorf("%+v, %v", outcome, over)
	}
	// Without a turn the mover has lost, and says so with the only move there is.
	blocked := from.Under(nil)
	moves := blocked.Moves(game.First)
	if len(moves) != 1 || moves[0] != empty25+"/1/hopper[2|C3]:B3,D3/#mortal:C4,C2" {
		t.Fatalf("%q", moves)
	}
	for _, at := range []game.Position{blocked, pos} { // pos: in a replay there is no list
		next, err := play(at, moves[0])
		if err != nil {
			t.Fatal(err)
		}
		if outcome, over := next.Outcome(); !over || outcome.Winner != game.Second || outcome.Reason != rules.NoLegalMove {
			t.Errorf("%+v, %v", outcome, over)
		}
	}
	if _, err := play(under, moves[0]); !errors.As(err, &illegal) {
		t.Errorf("a mover with turns says that he has none: %v", err)
	}
}

func TestForeignPlacement(t *testing.T) {
	g := bound(t, "", "hopper", "bia")
	pos, err := g.Parse(empty25 + "/1/hopper/mortal")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for seed := range uint64(50) {
		lot := pos.(game.Foreign).ByLot(seed)
		if again := pos.(game.Foreign).ByLot(seed); again.String() != lot.String() {
			t.Fatalf("seed %d: %s and %s", seed, lot, again)
		}
		if lot.ToMove() != game.SeatsOf(game.First) || lot.ByLot(seed) != nil {
			t.Errorf("%s is not placed", lot)
		}
		seen[lot.String()] = true
	}
	if len(seen) < 45 {
		t.Errorf("50 seeds place %d ways", len(seen))
	}
	// bia places first also as player 2.
	for text, want := range map[string]game.Seat{
		empty25 + "/1/hopper/bia": game.Second, empty25 + "/2/hopper/bia:A5,A4": game.First, empty25 + "/1/hopper:C3,C2/bia:A5,A4": game.First,
		empty25 + "/1/bia/hopper": game.First,
	} {
		pos, err := g.Parse(text)
		if err != nil || pos.ToMove() != game.SeatsOf(want) {
			t.Errorf("%s: %v to move, %v", text, pos, err)
		}
	}
}

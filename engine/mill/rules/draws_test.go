package rules_test

import (
	"strconv"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/mill/internal/slow"
	"thera/engine/mill/rules"
)

// drawVector is a game of real engines and what they say of its last position.
type drawVector struct {
	Start       string
	History     []string
	Options     []string
	Class, Real string
}

const (
	originNotCounted = "repetition, origin not counted"
	dueAtTheLimit    = "removal due at the last quiet ply"
)

func (v *drawVector) rules(t *testing.T) rules.Rules {
	t.Helper()
	r := rules.Default()
	for _, o := range v.Options {
		name, value, _ := strings.Cut(o, "=")
		var err error
		switch name {
		case "MayFly":
			r.Flying, err = strconv.ParseBool(value)
		case "NMoveRule", "EndgameNMoveRule":
			r.QuietPlies, err = strconv.Atoi(value)
		default:
			t.Fatalf("option %q", o)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func readDraws(t *testing.T) []drawVector {
	t.Helper()
	list := gametest.Vectors[drawVector](t, "testdata/draws.jsonl.gz")
	if len(list) != 90 {
		t.Fatalf("%d games, want 90", len(list))
	}
	return list
}

// Real engines play on after each game of the first class and may claim a draw
// after each of the second; the slow model agrees where it can begin.
func TestDrawVectors(t *testing.T) {
	classes, modelled := map[string]int{}, 0
	for _, v := range readDraws(t) {
		r := v.rules(t)
		start, err := rules.Parse(r, v.Start)
		if err != nil {
			t.Fatal(err)
		}
		pos := play(t, start, strings.Join(v.History, " ")).(*rules.Position)
		if outcome, over := pos.Outcome(); over {
			t.Errorf("%s after %s: %+v, want a game that goes on", v.Start, v.History, outcome)
			continue
		}
		classes[v.Class]++
		if got, want := pos.DrawClaimed() != nil, v.Class == dueAtTheLimit; got != want {
			t.Errorf("%s: a draw may be claimed: %v, want %v", pos, got, want)
		}
		if v.Start == rules.StartFEN {
			modelled++
			model := slow.New(r.Flying, r.QuietPlies, slow.Faithful)
			for _, move := range v.History {
				model.Play(move)
			}
			if why := differ(pos, model); why != "" {
				t.Error(why)
			}
		}
	}
	if classes[originNotCounted] != 60 || classes[dueAtTheLimit] != 30 || modelled < 60 {
		t.Errorf("classes %v, %d with the model", classes, modelled)
	}
}

// Where the last quiet ply closes a mill either the removal is made or the draw
// is claimed; the claim's text is phase o and reads back.
func TestDrawClaim(t *testing.T) {
	for _, v := range readDraws(t) {
		if v.Class != dueAtTheLimit {
			continue
		}
		r := v.rules(t)
		start, err := rules.Parse(r, v.Start)
		if err != nil {
			t.Fatal(err)
		}
		due := play(t, start, strings.Join(v.History, " ")).(*rules.Position)
		mover := due.ToMove().Only()
		for _, m := range due.Moves(mover) {
			if m[0] != 'x' {
				t.Errorf("%s: move %q", due, m)
			}
			if next := play(t, due, m).(*rules.Position); next.QuietPlies() != 0 {
				t.Errorf("%s after %s: %d quiet plies", next, m, next.QuietPlies())
			}
		}
		claimed := play(t, due, rules.DrawMove)
		outcome, over := claimed.Outcome()
		if !over || outcome != (game.Outcome{Reason: "quiet plies"}) || claimed.ToMove() != 0 {
			t.Errorf("%s: over %v, %+v", claimed, over, outcome)
		}
		want := strings.Replace(due.String(), " m r ", " o r ", 1)
		if claimed.String() != want {
			t.Errorf("%s as %s, want %s", due, claimed, want)
		}
		back, err := rules.Parse(r, want)
		if err != nil {
			t.Fatal(err)
		}
		if outcome, over := back.Outcome(); !over || outcome.Winner != game.None || back.String() != want {
			t.Errorf("%s reads back as %s, over %v %+v", want, back, over, outcome)
		}
		if again, err := rules.Parse(r, due.String()); err != nil || again.DrawClaimed() == nil {
			t.Errorf("%s: no draw may be claimed after reading it (%v)", due, err)
		}
	}
	// A ply earlier nothing may be claimed, and without a mill nobody is asked.
	const at98 = "*OO*O***/******@*/***@@@** w m s 3 0 4 0 0 0 0 0 0 0 0 98 30"
	early := play(t, mustParse(t, at98), "d3-e3").(*rules.Position)
	if _, err := early.Play(game.By(game.First, rules.DrawMove)); err == nil || early.DrawClaimed() != nil {
		t.Errorf("%s: a false claim is accepted", early)
	}
	for _, text := range []string{ // the phase says over, but no rule does
		"*OOO****/******@*/***@@@** w o r 3 0 4 0 1 0 0 0 0 0 0 99 30",
		"*OO*O***/******@*/***@@@** w o r 3 0 4 0 1 0 0 0 0 0 0 100 30",
	} {
		if _, err := rules.Parse(rules.Default(), text); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

// The phase after the last quiet ply is m in engines and o here.
func TestLastQuietPlyInBothForms(t *testing.T) {
	for _, phase := range []string{"m", "o"} {
		pos := mustParse(t, "O@OO*@OO/O**@O*@@/@*@O@@*O b "+phase+" s 9 0 9 0 0 0 0 0 0 0 0 100 14")
		if outcome, over := pos.Outcome(); !over || outcome.Reason != "quiet plies" {
			t.Errorf("phase %s: over %v, %+v", phase, over, outcome)
		}
	}
}

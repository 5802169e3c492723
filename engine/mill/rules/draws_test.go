package rules_test

import (
	"strconv"
	"strings"
	"testing"

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

// The phase after the last quiet ply is m in engines and o here.
func TestLastQuietPlyInBothForms(t *testing.T) {
	for _, phase := range []string{"m", "o"} {
		pos := mustParse(t, "O@OO*@OO/O**@O*@@/@*@O@@*O b "+phase+" s 9 0 9 0 0 0 0 0 0 0 0 100 14")
		if outcome, over := pos.Outcome(); !over || outcome.Reason != "quiet plies" {
			t.Errorf("phase %s: over %v, %+v", phase, over, outcome)
		}
	}
}

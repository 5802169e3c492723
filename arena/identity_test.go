package arena

import (
	"testing"
	"time"

	"thera/engine/game"
)

type named struct{ game.Game }

func (named) Name() string { return "nim" }

func samplePlan() *Plan {
	return &Plan{
		Game: named{}, Seed: 7, Limit: Limit{Move: time.Second},
		Engines: []EngineSpec{
			{Name: "a", Command: []string{"/somewhere/a", "-x"}, Binary: "aa"},
			{Name: "b", Builtin: true, Command: []string{"/tmp/go-build/thera", "engine", "nim"}, Binary: "bb"},
			{Name: "c", Command: []string{"c"}, Binary: "cc"},
		},
	}
}

func TestIdentityKeepsWhatDoesNotMatter(t *testing.T) {
	ab := [2]string{"a", "b"}
	want := samplePlan().Identity(ab).Job(3, 1)
	for name, change := range map[string]func(*Plan){
		"another engine": func(p *Plan) { p.Engines = append(p.Engines, EngineSpec{Name: "d"}) },
		"folders":        func(p *Plan) { p.Engines[0].Command[0] = "/elsewhere/a"; p.Engines[1].Command[0] = "/x/y" },
		"other limits":   func(p *Plan) { p.Engines[2].Limit.Depth = 2 },
	} {
		plan := samplePlan()
		change(plan)
		if got := plan.Identity(ab).Job(3, 1); got != want {
			t.Errorf("%s: the identity of a game changed", name)
		}
	}
	if got := samplePlan().Identity([2]string{"b", "a"}).Job(3, 0); got != want {
		t.Error("the order of the engines in the file changed the identity of a game")
	}
}

func TestIdentityTellsGamesApart(t *testing.T) {
	ab := [2]string{"a", "b"}
	seen := map[string]string{}
	add := func(what, id string) {
		if other, twice := seen[id]; twice {
			t.Errorf("%s and %s have the same identity", what, other)
		}
		seen[id] = what
	}
	plan := samplePlan()
	add("nothing", plan.Identity(ab).Job(0, 0))
	add("seats", plan.Identity(ab).Job(0, 1))
	add("pair", plan.Identity(ab).Job(1, 0))
	add("pairing", plan.Identity([2]string{"a", "c"}).Job(0, 0))
	itself := plan.Identity([2]string{"a", "a"})
	add("own 0", itself.Job(0, 0))
	add("own 1", itself.Job(0, 1))
	if a, b := plan.Identity(ab).Opening(0), plan.Identity(ab).Opening(1); a == b {
		t.Error("two pairs share an opening's seed")
	}
	if a, b := plan.Identity(ab).Opening(5), plan.Identity([2]string{"b", "a"}).Opening(5); a != b {
		t.Error("the order of engines in the file changes openings")
	}
	ac := [2]string{"a", "c"}
	if plan.Identity(ab).Opening(5) == plan.Identity(ac).Opening(5) {
		t.Error("two pairings share an opening's seed")
	}
	plan.Openings.Shared = true
	if shared := plan.Identity(ab); shared.Opening(5) != plan.Identity(ac).Opening(5) || shared.Opening(5) == shared.Opening(6) {
		t.Error("shared openings are not those of the pair's number")
	}
}

func TestLimitOfAnEngineReplacesTheKind(t *testing.T) {
	run := Limit{Move: time.Second, Grace: 100 * time.Millisecond, MaxMove: time.Minute}
	got := run.With(Limit{Nodes: 500, Grace: time.Second})
	if want := (Limit{Nodes: 500, Grace: time.Second, MaxMove: time.Minute}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := run.With(Limit{}); got != run {
		t.Errorf("an engine without limits got %+v", got)
	}
	if kinds := (Limit{Control: Control{Clock: 1}, Depth: 2}).Kinds(); len(kinds) != 2 || kinds[0] != "clock" || kinds[1] != "depth" {
		t.Errorf("kinds %v", kinds)
	}
}

package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/gametest"
)

func TestTune(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tune.yaml")
	load := func(text string, sets ...string) (*Contest, error) {
		gametest.OK(t, os.WriteFile(file, []byte(text), 0o600))
		return LoadContest(file, sets, testHost(t))
	}
	const text = `
game: nim
engine: {build: make, ref: v1, command: [$OUT/e], options: {a: 1}}
limit: {nodes: 5}
stages: [{limit: {nodes: 10}}]
sprt: {elo0: 0, elo1: 7}
tune:
  iterations: 30
  options:
    - {name: a, start: 2, min: 0, max: 9, c_end: 1}
    - {name: b, start: 0.5, min: 0, max: 1, c_end: 0.1, r_end: 0.1, fractions: true}
`
	c, err := load(text, "tune.pairs=3")
	gametest.OK(t, err)
	tune, err := c.Tune()
	gametest.OK(t, err)
	if tune.Iterations != 30 || tune.Pairs != 3 {
		t.Errorf("%+v", tune)
	}
	if a, b := tune.Options[0], tune.Options[1]; a.REnd != 0.002 || a.Fractions || b.REnd != 0.1 || !b.Fractions || b.Text(0.25) != "0.25" {
		t.Errorf("%+v", tune.Options)
	}
	for format, elo1 := range map[string]float64{"sprt": 7, "round-robin": 10} { // which has no test: the default
		plan, err := c.Plan(Match{Name: "x", Alike: []string{"tuned", "old"}, Stage: -1, Format: format})
		gametest.OK(t, err)
		if e := plan.Engines[1]; e.Name != "old" || e.Ref != "v1" || e.Git != filepath.Dir(file) || plan.Limit.Nodes != 5 || plan.SPRT.Elo1 != elo1 {
			t.Errorf("%+v, %+v, %+v", e, plan.Limit, plan.SPRT)
		}
	}
	for _, bad := range [][2]string{
		{"tune.iterations=0", "tune.iterations: 0 is out of range"},
		{"tune.pairs=0", "tune.pairs: 0 is out of range"},
		{"tune.options=[]", "tune.options: no options"},
		{"tune.options.0.r_end=0", "tune.options[0].r_end: 0 is out of range"},
		{"tune.options.0.c_end=0", "tune.options[0].c_end: 0 is out of range"},
		{"tune.options.0.max=-1", "tune.options[0].max: -1 is not above min 0"},
		{"tune.options.0.max=0.5", "tune.options[0].start: 2 is out of range"},
		{"tune.options.0={name: a, start: 0.2, min: 0.1, max: 1.5, c_end: 1}", "tune.options[0].max: no two whole numbers"},
		{"tune.options.1.name=a", `tune.options[1].name: "a" is tuned twice`},
		{"tune.nosuch=1", "tune.nosuch: unknown key"},
		{"engine.name=x", "engine.name: name does not belong here"},
		{"limit.nodes=-1", "limit.nodes: -1 is out of range"},
	} {
		c, err := load(text, bad[0])
		if err == nil {
			_, err = c.Tune()
		}
		if err == nil || !strings.Contains(err.Error(), bad[1]) {
			t.Errorf("%s: %v, want %s", bad[0], err, bad[1])
		}
	}
}

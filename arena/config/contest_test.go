package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/arena"
	"thera/engine/gametest"
)

func TestContest(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "thera.yaml")
	load := func(text string, sets ...string) (*Contest, error) {
		gametest.OK(t, os.WriteFile(file, []byte(text), 0o600))
		return LoadContest(file, sets, testHost(t))
	}
	const text = `
game: nim
engine: {build: make, command: [$OUT/e], options: {a: 1}}
limit: {nodes: 5}
stages: [{limit: {nodes: 10}}, {limit: {depth: 3}, sprt: {elo0: -5, elo1: 5}}]
`
	c, err := load(text, "engine.options.a=2")
	if err != nil || c.Stages != 2 || c.Repo != dir {
		t.Fatalf("%+v, %v", c, err)
	}
	commits := []string{strings.Repeat("a1", 20), strings.Repeat("b2", 20)}
	first, err := c.Plan(Match{Name: "x", Commits: commits, Format: "sprt"})
	gametest.OK(t, err)
	e := first.Engines[1]
	if e.Name != "b2b2b2b2b2b2" || e.Ref != commits[1] || e.Git != dir || e.Build != "make" || e.Options[0].Value != "2" || e.Command[0] != "$OUT/e" {
		t.Errorf("%+v", e)
	}
	if first.Limit.Nodes != 10 || first.SPRT.Elo1 != 10 || first.Name != "x" || first.Format.Name != "sprt" {
		t.Errorf("%+v", first)
	}
	second, err := c.Plan(Match{Name: "x", Commits: commits, Format: "sprt", Stage: 1})
	if err != nil || second.Limit.Depth != 3 || second.Limit.Nodes != 0 || second.SPRT.Elo0 != -5 {
		t.Errorf("%+v, %v", second, err)
	}
	named, err := c.Plan(Match{Name: "x", Commits: commits, Format: "sprt", Stage: 1, Bounds: &[2]float64{-10, 0}})
	if want := (arena.SPRT{Elo0: -10, Elo1: 0, Alpha: 0.05, Beta: 0.05, Model: "normalized"}); err != nil || named.SPRT != want {
		t.Errorf("%+v, %v", named.SPRT, err)
	}
	open, err := c.Plan(Match{Name: "x", Commits: commits, Format: "round-robin", Rounds: 7})
	if err != nil || open.Format.Rounds != 7 {
		t.Errorf("%+v, %v", open, err)
	}

	for text, want := range map[string]string{
		"game: nim\n": "engine: missing",
		"game: nim\nengine: {build: x, command: [y], name: z}\n":               "engine.name: name does not belong here",
		"game: nim\nengine: {command: [y]}\n":                                  "engine.git: git without build",
		"game: nim\nengine: {build: x, command: [y]}\nstages: 3\n":             `stages: "3" is given`,
		"game: nim\nengine: {build: x, command: [y]}\nstages: [3]\n":           `stages[0]: "3" is given`,
		"game: nim\nengine: {build: x, command: [y]}\ntournament: {rounds: 1}": "tournament: tournament does not belong here",
	} {
		c, err := load(text)
		if err == nil {
			_, err = c.Plan(Match{Name: "x", Commits: commits, Format: "sprt"})
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "engines[") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

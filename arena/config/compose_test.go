package config

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"

	"thera/engine/gametest"
)

func TestComposedFilesAreRead(t *testing.T) {
	host := testHost(t)
	write(t, host.Dir, map[string]string{"rival": "#!/bin/sh\n"})
	plan, text, err := Quick{
		Commands: []string{"builtin", "./rival --deep '1 2'", "best=builtin", "builtin"}, About: "nim, 60s+0.5s", Words: []string{
			"game=nim", "tournament.format=round-robin", "tournament.rounds=7", Word("limit", "60s+0.5s"),
			Word("rules", "take=4, word=misere"), Word("openings", "{heaps: {list: [5, 6]}, random_plies: 1}"), "concurrency=2", "seed=9",
		},
	}.Plan("vs", nil, host)
	gametest.OK(t, err)
	want := `name: builtin v rival v best v builtin-2, nim, 60s+0.5s
game: nim
rules: {take: 4, word: misere}
engines:
  - {name: builtin, builtin: true}
  - {name: rival, command: [./rival, --deep, 1 2]}
  - {name: best, builtin: true}
  - {name: builtin-2, builtin: true}
tournament: {format: round-robin, rounds: 7}
openings: {heaps: {list: [5, 6]}, random_plies: 1}
limit: {clock: 60s+0.5s}
concurrency: 2
seed: 9
`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	plan.File = "m.yaml"
	if diff := cmp.Diff(plan, parse(t, host, string(text))); diff != "" {
		t.Error(diff)
	}
	if plan.Limit.Clock != time.Minute || plan.Limit.Increment != 500*time.Millisecond || plan.Concurrency != 2 || plan.Game.Starts() != 2 {
		t.Errorf("plan %+v", plan)
	}
}

func TestCommandWithoutWords(t *testing.T) {
	for _, bad := range []string{"'x", ""} {
		if _, _, err := (Quick{Commands: []string{bad}}).given(); err == nil {
			t.Errorf("%q is a command", bad)
		}
	}
}

func FuzzMatchFile(f *testing.F) {
	cases, err := txtar.ParseFile(filepath.Join("testdata", "files.txtar"))
	gametest.OK(f, err)
	for _, seed := range cases.Files {
		f.Add(string(seed.Data), "limit.nodes=5")
	}
	f.Fuzz(func(t *testing.T, text, set string) {
		host := Host{Games: testHost(t).Games, Players: testHost(t).Players, Self: "/bin/true", Dir: "/nonexistent", Cores: 2, Env: func(string) (string, bool) { return "7", true }}
		plan, err := Parse("m.yaml", []byte(text), []string{set}, host)
		if (plan == nil) == (err == nil) {
			t.Fatalf("plan %v, error %v", plan, err)
		}
		if err != nil && err.Error() == "" {
			t.Fatal("an error without words")
		}
	})
}

// The file of thera init is the match of thera vs, and the schema knows its keys.
func TestFileAndSchema(t *testing.T) {
	host := testHost(t)
	q := Quick{Commands: []string{"new=builtin", "old=builtin"}, Words: []string{"game=nim", "rules.take=4"}}
	_, text, err := q.Plan("m.yaml", []string{"engines.old.limit.depth=2"}, host)
	text = File(text, "m.yaml", "thera-schema.json")
	if err != nil || !strings.HasPrefix(string(text), "# yaml-language-server: $schema=thera-schema.json\n") {
		t.Fatalf("%s, %v", text, err)
	}
	plan := parse(t, host, string(text))
	if plan.Name != "m.yaml" || plan.Engines[1].Limit.Depth != 2 {
		t.Errorf("plan %+v", plan)
	}
	schema, err := Schema(host.Games)
	gametest.OK(t, err)
	for key := range maps.Keys(parsed(t, text)) {
		if !strings.Contains(string(schema), `"`+key+`": {`) {
			t.Errorf("the schema has no %s", key)
		}
	}
	if g, err := Bind(host.Games[0], []string{"take=4"}); err != nil || g == nil {
		t.Errorf("rules: %v", err)
	}
}

func parsed(t *testing.T, text []byte) (keys map[string]any) {
	t.Helper()
	if err := yaml.Unmarshal(text, &keys); err != nil || len(keys) < 4 {
		t.Fatal(keys, err)
	}
	return keys
}

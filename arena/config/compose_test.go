package config

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"thera/arena"
)

func TestComposedFilesAreRead(t *testing.T) {
	host := testHost(t)
	program(t, host.Dir, "rival", "#!/bin/sh\n")
	seven := 7
	plan, text, err := Quick{
		Game: "nim", Commands: []string{"builtin", "./rival --deep '1 2'", "best=builtin", "builtin"}, Format: "round-robin", Rounds: &seven,
		Limit: "60s+0.5s", Rules: "take=4,word=misere", Openings: "{heaps: {list: [5, 6]}, random_plies: 1}", Concurrency: "2", Seed: 9,
	}.Plan("vs", nil, host)
	if err != nil {
		t.Fatal(err)
	}
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

func TestComposedLimits(t *testing.T) {
	host := testHost(t)
	for text, want := range map[string]arena.Limit{
		"":                      {Move: 200 * time.Millisecond},
		"1s":                    {Move: time.Second},
		"nodes=5,max_move=2s":   {Nodes: 5, MaxMove: 2 * time.Second},
		"{depth: 3}":            {Depth: 3, MaxMove: time.Minute},
		"60s+0.6s":              {Control: arena.Control{Clock: time.Minute, Increment: 600 * time.Millisecond}},
		"40/60s+0.6s":           {Control: arena.Control{Clock: time.Minute, Increment: 600 * time.Millisecond, Period: 40}},
		"10+0.1":                {Control: arena.Control{Clock: 10 * time.Second, Increment: 100 * time.Millisecond}},
		"40/60":                 {Control: arena.Control{Clock: time.Minute, Period: 40}},
		"40/1:30.5+0.5":         {Control: arena.Control{Clock: 90500 * time.Millisecond, Increment: 500 * time.Millisecond, Period: 40}},
		"clock=8+0.08":          {Control: arena.Control{Clock: 8 * time.Second, Increment: 80 * time.Millisecond}},
		"cpu=5ms, grace=300ms ": {CPU: 5 * time.Millisecond, MaxMove: time.Minute, Grace: 300 * time.Millisecond},
	} {
		plan, _, err := Quick{Game: "nim", Commands: []string{"builtin", "builtin"}, Format: "round-robin", Limit: text}.Plan("vs", nil, host)
		if err != nil {
			t.Fatal(err)
		}
		if want.Grace == 0 {
			want.Grace = 100 * time.Millisecond
		}
		want.Start, want.Sync = 10*time.Second, 2*time.Second
		if diff := cmp.Diff(want, plan.Limit); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	for _, bad := range []Quick{
		{Limit: "fast"}, {Limit: "5"}, {Limit: "0/60"}, {Limit: "x/60"}, {Limit: "60+x"}, {Limit: "40/1e300"}, {Limit: "-1:30+1"}, {Limit: "NaN+1"}, {Rules: "size"}, {Openings: "{a"}, {Commands: []string{"'x"}}, {Commands: []string{""}},
	} {
		if root, err := bad.tree(); err == nil {
			t.Errorf("%+v is %+v", bad, root)
		}
	}
}

func FuzzMatchFile(f *testing.F) {
	for _, seed := range []string{pair, everything, "game: *x", "a: &a [*a, *a]", "- {<<: 1}", "? [a]\n: b\n", "engines: [[1]]", "name: !!binary x\n---\n", "limit: {clock: 5s+}\n"} {
		f.Add(seed, "limit.nodes=5")
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
	q := Quick{Game: "nim", Format: "round-robin", Commands: []string{"new=builtin", "old=builtin"}, Rules: "take=4"}
	text, err := q.File("m.yaml", "thera-schema.json", []string{"engines.old.limit.depth=2"}, host)
	if err != nil || !strings.HasPrefix(string(text), "# yaml-language-server: $schema=thera-schema.json\n") {
		t.Fatalf("%s, %v", text, err)
	}
	plan := parse(t, host, string(text))
	if plan.Name != "m.yaml" || plan.Engines[1].Limit.Depth != 2 {
		t.Errorf("plan %+v", plan)
	}
	schema, err := Schema(host.Games)
	if err != nil {
		t.Fatal(err)
	}
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

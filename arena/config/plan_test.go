package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/files"
	"thera/engine/game"
	"thera/engine/gametest"
)

// program makes an executable file and returns its name.
func program(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	gametest.OK(t, os.WriteFile(path, []byte(text), 0o700))
	return path
}

func parse(t *testing.T, host Host, text string, sets ...string) *arena.Plan {
	t.Helper()
	plan, err := Parse("m.yaml", []byte(text), sets, host)
	gametest.OK(t, err)
	return plan
}

const everything = `
name: all of it
game: nim
rules: {take: 4, word: misere, pause: 2s}
engines:
  - name: a
    command: ./one --net two.nnue
    protocol: plain
    dialect: {min_move: 5}
    dir: .
    env: {B: 2, A: x}
    options: {Hash: 64, ponder: false, book: }
    memory: 2GiB
    fresh: true
    limit: {depth: 3, max_move: 9s}
    cpus: [0, 1]
    on_fault: drop
    max_faults: 3
    idle_cpu: 20ms
    anchor: 1500
  - {name: b, builtin: true, seed: true}
tournament: {format: gauntlet, rounds: 7, pairs: false}
openings: {heaps: {list: [5, 6]}, random_plies: 2, balanced: 10%, judge_nodes: 77, order: random}
limit: {clock: 60s+0.6s, grace: 50ms, start: 3s}
until: {elo_error: 12.5, score_error: 5%}
adjudicate: {max_plies: 300, draw: {score: 5, plies: 8, after: 40}}
concurrency: auto
seed: 18446744073709551615
`

func TestEverything(t *testing.T) {
	host := testHost(t)
	one := program(t, host.Dir, "one", "#!/bin/sh\n")
	gametest.OK(t, os.WriteFile(filepath.Join(host.Dir, "two.nnue"), []byte("net"), 0o600))
	plan := parse(t, host, everything)
	anchor := 1500.0
	a := arena.EngineSpec{
		Name: "a", Command: []string{one, "--net", "two.nnue"}, Protocol: "plain", Dialect: map[string]string{"min_move": "5"},
		Dir: host.Dir, Env: []string{"A=x", "B=2"},
		Options: []game.Option{{Name: "Hash", Value: "64"}, {Name: "ponder", Value: "false"}, {Name: "book", Value: ""}},
		Memory:  2 << 30, Fresh: true, Limit: arena.Limit{Depth: 3, MaxMove: 9 * time.Second}, CPUs: []int{0, 1},
		OnFault: arena.FaultDrop, MaxFault: 3, IdleCPU: 20 * time.Millisecond, Anchor: &anchor,
		Binary: plan.Engines[0].Binary, Hashed: plan.Engines[0].Hashed,
	}
	if diff := cmp.Diff(a, plan.Engines[0]); diff != "" {
		t.Error(diff)
	}
	if !plan.Engines[1].Seed || plan.Name != "all of it" || plan.Seed != 1<<64-1 {
		t.Errorf("plan %+v", plan)
	}
	alone, err := files.Sum(one)
	if err != nil || len(a.Binary) != 64 || alone == a.Binary {
		t.Errorf("the hash leaves out the net: %s and %s, %v", alone, a.Binary, err)
	}
	for _, tt := range []struct{ got, want any }{
		{plan.Format, arena.Format{Name: "gauntlet", Rounds: 7}},
		{plan.Limit, arena.Limit{Control: arena.Control{Clock: time.Minute, Increment: 600 * time.Millisecond}, Grace: 50 * time.Millisecond, Start: 3 * time.Second, Sync: 2 * time.Second}},
		{plan.Until, arena.Until{EloError: 12.5, ScoreError: 0.05}},
		{plan.Adjudicate, arena.Adjudication{MaxPlies: 300, DrawRule: arena.DrawRule{DrawScore: 5, DrawPlies: 8, DrawAfter: 40}}},
		{plan.Concurrency, 3},
		{plan.Game.Starts(), 2},
		{plan.Openings, arena.Openings{
			RandomPlies: 2, Balanced: 0.1, JudgeNodes: 77, Judge: "5c3fc33ff9e4c70e", Random: true, Own: `{"Heaps":{"List":[5,6]}}`,
		}},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Error(diff)
		}
	}
}

// A line of a book is a position or moves, from a position or the standard start; a
// run may use a part of the book, and which one is a playing condition.
func TestBookOfLines(t *testing.T) {
	host := testHost(t)
	for name, text := range map[string]string{
		"lines.txt": "# three\r\nmoves 1 2\n9 2 moves 3 1 1\n7 1\n",
		"bad.txt":   "9 2 moves 3 9\n2 1 moves 2\n# x\n\nx\n9 2\n",
	} {
		gametest.OK(t, os.WriteFile(filepath.Join(host.Dir, name), []byte(text), 0o600))
	}
	before := ""
	for _, tt := range []struct {
		openings string
		want     []string
	}{
		{"file: lines.txt", []string{"18 1", "4 1", "7 1"}},
		{"file: lines.txt, first: 2", []string{"4 1", "7 1"}},
		{"file: lines.txt, count: 1", []string{"18 1"}},
		{"file: lines.txt, first: 2, count: 1, order: random", []string{"4 1"}},
	} {
		plan := parse(t, host, pair+"openings: {"+tt.openings+"}")
		if diff := cmp.Diff(tt.want, plan.Openings.Positions); diff != "" || plan.Openings.Count != len(tt.want) {
			t.Errorf("%s: %s", tt.openings, diff)
		}
		if id := plan.Identity([2]string{"a", "b"}).Job(0, 0); id == before {
			t.Errorf("%s: games of another part of the book are the same", tt.openings)
		} else {
			before = id
		}
	}
	const expected = ", expected a position of nim, or moves from one"
	for openings, want := range map[string]string{
		"file: bad.txt": "bad.txt:1:1: openings.file: move 2: illegal move \"9\": take 1 to 3 (nearest legal: 1)" + expected + "\n" +
			"bad.txt:2:1: openings.file: the game is over in this position" + expected + "\n" +
			"bad.txt:5:1: openings.file: start: \"x\" is not a heap and seat" + expected,
		"file: lines.txt, first: 4":  "m.yaml:5:36: openings.first: 4, but lines.txt has only 3 openings",
		"file: lines.txt, first: 0":  "m.yaml:5:36: openings.first: 0 is out of range, expected 1 or more",
		"file: lines.txt, count: 4":  "m.yaml:5:36: openings.count: 4, but from opening 1 on lines.txt has only 3",
		"random_plies: 2, count: 4":  "m.yaml:5:36: openings.count: count without file, expected both",
		"file: lines.txt, count: -1": "m.yaml:5:36: openings.count: -1 is out of range, expected 1 or more",
		"file: lines.txt, heaps: {}": "m.yaml:5:36: openings.heaps: heaps with file, expected one of them",
	} {
		_, err := Parse("m.yaml", []byte(pair+"openings: {"+openings+"}\n"), nil, host)
		if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
			t.Errorf("%s: %s", openings, diff)
		}
	}
}

func TestVariables(t *testing.T) {
	host := testHost(t)
	host.Env = func(name string) (string, bool) { return "5", name == "FIVE" }
	text := "game: nim\nengines:\n  - {name: a, builtin: true, options: {x: \"${OLD:?on:off}\", y: \"${FIVE:?:no}\"}}\n" +
		"  - {name: \"b${FIVE}\", builtin: true, binary: \"${OLD:-}\"}\nlimit: {depth: \"${FIVE}\", grace: \"${FIVE}ms\"}\nseed: ${SEED:-42}\n"
	plan := parse(t, host, text)
	if plan.Limit.Depth != 5 || plan.Limit.Grace != 5*time.Millisecond || plan.Seed != 42 || plan.Engines[1].Name != "b5" {
		t.Errorf("plan %+v", plan)
	}
	if diff := cmp.Diff([]game.Option{{Name: "x", Value: "off"}}, plan.Engines[0].Options); diff != "" {
		t.Errorf("an empty option is sent: %s", diff)
	}
	if _, err := Parse("m.yaml", []byte(pair+"seed: ${NONE}\n"), nil, host); err == nil || !strings.Contains(err.Error(), "m.yaml:5:7: seed: environment variable NONE is not set") {
		t.Errorf("err = %v", err)
	}
}

func TestSet(t *testing.T) {
	host := testHost(t)
	plan := parse(t, host, pair+"limit: {move: 1s}\n", "limit.nodes=500", "engines.b.options.hash=16", "engines[0].fresh=true",
		"tournament.rounds=9", "tournament.format=gauntlet", "engines.1.name=c", "seed=7")
	if plan.Limit.Nodes != 500 || plan.Limit.Move != 0 || !plan.Engines[0].Fresh || plan.Format.Rounds != 9 || plan.Format.Name != "gauntlet" ||
		plan.Engines[1].Name != "c" || plan.Seed != 7 || len(plan.Engines[1].Options) != 1 || len(plan.Overrides) != 7 {
		t.Errorf("plan %+v", plan)
	}
	bare := parse(t, host, pair+"limit: {cpu: 5ms}\nseed: 9\n", "limit.nodes=5", "limit.cpu=", "seed=", "rules.take=")
	if bare.Limit.Nodes != 5 || bare.Limit.CPU != 0 || bare.Seed != 1 {
		t.Errorf("keys without a value stay: %+v", bare)
	}
	for _, tt := range []struct{ set, want string }{
		{"limit.nodez=5", `--set limit.nodez=5: limit.nodez: unknown key, did you mean "nodes"?`},
		{"engines.a.start=3s", `--set engines.a.start=3s: engines[0].start: unknown key, it belongs to limit: limit.start`},
		{"start=3s", `--set start=3s: start: unknown key, it belongs to limit: limit.start`},
		{"limit", `--set limit: expected key.path=value, as limit.nodes=1000`},
		{"engines.x.fresh=true", `--set engines.x.fresh=true: engines.x: no entry "x", expected one of a, b`},
		{"engines.2.fresh=true", `--set engines.2.fresh=true: engines.2: no entry 2, expected 0 to 1`},
		{"game.x=1", `--set game.x=1: game.x: "nim" has no keys, expected a mapping or a list here`},
		{"seed=[1]", `--set seed=[1]: seed: a list is given, expected a whole number from 0`},
		{"seed=[", `--set seed=[: seed: the value is not YAML: line 1: did not find expected node content`},
	} {
		if got := faultsOf(t, pair, tt.set); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

func TestRunsAreNamedByTheirFile(t *testing.T) {
	host := testHost(t)
	for file, want := range map[string]string{
		"configs/m.yaml":                     "configs/m.yaml",
		"./configs/../m.yaml":                "m.yaml",
		filepath.Join(host.Dir, "x/m.yaml"):  "x/m.yaml",
		filepath.Join(host.Dir, "../o.yaml"): filepath.ToSlash(filepath.Join(filepath.Dir(host.Dir), "o.yaml")),
	} {
		plan, err := Parse(file, []byte(pair), nil, host)
		if err != nil || plan.Name != want {
			t.Errorf("%s is named %s (%v), want %s", file, plan.Name, err, want)
		}
	}
}

func TestOverload(t *testing.T) {
	plan := parse(t, testHost(t), pair+"concurrency: 3\n", "engines.a.options.Threads=2")
	for cores, want := range map[int]bool{6: false, 5: true} {
		if got := Overload(plan, cores); (got != "") != want {
			t.Errorf("%d cores: %q", cores, got)
		}
	}
	if auto := parse(t, testHost(t), pair+"concurrency: auto\n", "engines.a.options.threads=3"); auto.Concurrency != 1 {
		t.Errorf("auto: %d", auto.Concurrency)
	}
}

package config

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// testHost returns a host with one game and an empty working directory.
func testHost(t *testing.T) Host {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Host{Games: []game.Game{nim.New()}, Players: func(string) game.Player { return nim.New() }, Self: self, Dir: t.TempDir(), Cores: 4}
}

// faultsOf returns the errors of a file, one a line.
func faultsOf(t *testing.T, text string, sets ...string) string {
	t.Helper()
	_, err := Parse("m.yaml", []byte(text), sets, testHost(t))
	if err == nil {
		return "none"
	}
	var problems Errors
	if !errors.As(err, &problems) {
		t.Fatalf("%v is no list of problems", err)
	}
	return problems.Error()
}

const pair = "game: nim\nengines:\n  - {name: a, builtin: true}\n  - {name: b, builtin: true}\n"

func TestFaults(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "m.yaml:1:1: the file is empty, expected a mapping with game and engines"},
		{"comment only", "# nothing\n", "m.yaml:1:1: the file is empty, expected a mapping with game and engines"},
		{"no mapping", "- a\n", "m.yaml:1:1: a list is given, expected a mapping with name, game, rules, engines, tournament, openings, limit, until, adjudicate, concurrency, mixed, audit, seed, sprt"},
		{"no yaml", "game: [x\n", "m.yaml:2:1: not YAML: did not find expected ',' or ']'"},
		{"nothing said", "seed: 1\n", "m.yaml:1:1: game: missing\nm.yaml:1:1: engines: missing"},
		{"two documents", pair + "---\ngame: x\n", "m.yaml:5:1: a second document, expected one match file (remove the --- line)"},
		{"unknown key", pair + "tournamnt: {}\n", `m.yaml:5:1: tournamnt: unknown key, did you mean "tournament"?`},
		{"unknown key inside", pair + "limit: {nodez: 3}\n", `m.yaml:5:9: limit.nodez: unknown key, did you mean "nodes"?`},
		{"double key", pair + "seed: 1\nseed: 2\n", "m.yaml:6:1: seed: double key, first given in line 5"},
		{"wrong type", pair + "seed: many\n", `m.yaml:5:7: seed: "many" is given, expected a whole number from 0`},
		{"negative seed", pair + "seed: -1\n", `m.yaml:5:7: seed: "-1" is given, expected a whole number from 0`},
		{"list for mapping", pair + "limit: [1]\n", "m.yaml:5:8: limit: a list is given, expected a mapping with move, clock, cpu, depth, nodes, max_move, grace, start, sync"},
		{"no unit", pair + "limit: {move: 200}\n", `m.yaml:5:15: limit.move: "200" has no unit, expected a duration such as 200ms`},
		{"bad clock", pair + "limit: {clock: 60s+x}\n", `m.yaml:5:16: limit.clock: "x" is not a duration, expected time a game, with an increment after + and moves a period before /, as 60s+0.6s or 40/60s+0.6s`},
		{"bad period", pair + "limit: {clock: 0/60s}\n", `m.yaml:5:16: limit.clock: "0" is not a number of moves from 1 to 1000, expected time a game, with an increment after + and moves a period before /, as 60s+0.6s or 40/60s+0.6s`},
		{"period without time", pair + "limit: {clock: 40/0+1}\n", "m.yaml:5:16: limit.clock: 0s is out of range, expected more than 0"},
		{"two limits", pair + "limit: {clock: 60s, nodes: 5}\n", "m.yaml:5:8: limit: clock and nodes together, expected one of move, clock, cpu, depth, nodes (max_move bounds the wall time of limits without one)"},
		{"max_move", pair + "limit: {move: 1s, max_move: 2s}\n", "m.yaml:5:29: limit.max_move: max_move is for limits without wall time, expected no max_move with move"},
		{"no limit", pair + "limit: {nodes: 0}\n", "m.yaml:5:16: limit.nodes: 0 is out of range, expected 1 or more"},
		{"unknown game", "game: nimm\nengines: [{name: a, builtin: true}, {name: b, builtin: true}]\n", `m.yaml:1:7: game: unknown game "nimm", did you mean "nim"?`},
		{"unknown format", pair + "tournament: {format: league}\n", `m.yaml:5:22: tournament.format: unknown word "league", expected one of round-robin, gauntlet, sprt, swiss, knockout, cells, gods`},
		{"no engines", "game: nim\nengines: []\n", "m.yaml:2:10: engines: no engines, expected at least two"},
		{"one engine", "game: nim\nengines: [{name: a, builtin: true}]\n", "m.yaml:2:10: engines: one engine, expected at least two (format cells plays one against itself)"},
		{"same name", "game: nim\nengines: [{name: a, builtin: true}, {name: a, builtin: true}]\n", `m.yaml:2:44: engines[1].name: "a" is also the name of engines[0], expected names that differ`},
		{"missing binary", "game: nim\nengines:\n  - {name: a, command: ./nowhere}\n  - {name: b, command: [no-such-program-here]}\n", `m.yaml:3:24: engines[0].command: no file ./nowhere, expected a program next to the match file or in the working directory` + "\n" +
			`m.yaml:4:24: engines[1].command: no program "no-such-program-here" in PATH, expected one (a path starts with ./ or /)`},
		{"nothing to start", "game: nim\nengines: [{name: a}, {name: b, builtin: true}]\n", "m.yaml:2:11: engines[0]: nothing to start, expected command or builtin: true"},
		{"both", "game: nim\nengines: [{name: a, builtin: true, command: x}, {name: b, builtin: true}]\n", "m.yaml:2:45: engines[0].command: command with builtin, expected one of them"},
		{"from source", "game: nim\nengines:\n- {name: a, command: [sh], build: y, binary: x}\n- {name: b, git: other, files: []}\n", "m.yaml:3:35: engines[0].build: build without git, expected both\nm.yaml:3:46: engines[0].binary: binary without builtin, expected both\n" +
			"m.yaml:4:18: engines[1].git: no folder other, expected one next to the match file\nm.yaml:4:18: engines[1].git: git without build, expected both\nm.yaml:4:18: engines[1].git: git without command, expected both\nm.yaml:4:18: engines[1].git: git with files, expected one of them"},
		{"protocol", "game: nim\nengines: [{name: a, builtin: true, protocol: plian}, {name: b, builtin: true}]\n", `m.yaml:2:46: engines[0].protocol: nim has no protocol "plian", did you mean "plain"?`},
		{"game's rules", pair + "rules: {take: x, wrod: last, word: first}\n", `m.yaml:5:15: rules.take: "x" is given, expected a whole number` + "\n" +
			`m.yaml:5:18: rules.wrod: unknown key, did you mean "word"?` + "\n" + `m.yaml:5:36: rules.word: unknown word "first", expected one of last, misere`},
		{"game's openings", pair + "openings: {heaps: {list: [3, 2000]}}\n", "m.yaml:5:30: openings.heaps.list[1]: unknown heap 2000, expected 1 to 1000"},
		{"unknown opening key", pair + "openings: {random_ply: 4}\n", `m.yaml:5:12: openings.random_ply: unknown key, did you mean "random_plies"?`},
		{"missing opening file", pair + "openings: {file: none.fen}\n", "m.yaml:5:18: openings.file: no file none.fen, expected one next to the match file or in the working directory"},
		{"sprt of three", "game: nim\ntournament: {format: sprt}\nengines: [{name: a, builtin: true}, {name: b, builtin: true}, {name: c, builtin: true}]\n", "m.yaml:3:10: engines: sprt with 3 engines, expected two: the new one, then the old one (gauntlet measures one against many)"},
		{"sprt bounds", pair + "tournament: {format: sprt}\nsprt: {elo0: 5, elo1: 5, alpha: 0.5, beta: 0}\n", "m.yaml:6:7: sprt: elo0 5 is not below elo1 5"},
		{"bayesian", pair + "tournament: {format: sprt}\nsprt: {model: bayesian}\n", "m.yaml:6:7: sprt: model bayesian works on wins, draws and losses, not on pairs (use normalized or logistic)"},
		{"sprt without", pair + "sprt: {elo1: 5}\n", "m.yaml:5:7: sprt: not a setting of format round-robin (it is for format sprt)"},
		{"swiss", pair + "tournament: {format: swiss, rounds: 2}\n", "m.yaml:5:37: tournament.rounds: 2 rounds of Swiss among 2 engines, expected at most 1 (round-robin plays all pairings)"},
		{"until", pair + "tournament: {format: knockout}\nuntil: {elo_error: 10}\n", "m.yaml:6:20: until.elo_error: not a setting of format knockout (it is for format round-robin or gauntlet)"},
		{"rounds", pair + "tournament: {rounds: 0}\n", "m.yaml:5:22: tournament.rounds: 0 is out of range, expected 1 to 10000000"},
		{"seeds", pair + "tournament: {format: gauntlet, seeds: [c]}\n", `m.yaml:5:40: tournament.seeds[0]: no engine "c", did you mean "a"?`},
		{"all seeds", pair + "tournament: {format: gauntlet, seeds: [a, b]}\n", "m.yaml:5:13: tournament: every engine is a seed, expected one that is not (round-robin plays all pairings)"},
		{"drop", "game: nim\nengines: [{name: a, builtin: true, on_fault: drop}, {name: b, builtin: true, max_faults: 2}]\n", "m.yaml:2:11: engines[0]: on_fault: drop without max_faults, expected a number of faults\nm.yaml:2:90: engines[1].max_faults: max_faults needs on_fault: drop"},
		{"concurrency", pair + "concurrency: 0\n", "m.yaml:5:14: concurrency: 0 is out of range, expected a whole number from 1 to 4096, or auto"},
		{"adjudicate", pair + "adjudicate: {max_plies: -3, draw: {score: 5}, tables: true}\n", "m.yaml:5:25: adjudicate.max_plies: -3 is out of range, expected 0 or more\nm.yaml:5:35: adjudicate.draw.plies: missing\nm.yaml:5:55: adjudicate.tables: nim has no tables, expected false"},
		{"loop", "game: &x [*x]\n", "m.yaml:1:7: nested too deep, or too many aliases"},
		{"merge key", pair + "<<: {seed: 1}\n", "m.yaml:5:1: <<: unusable key, expected a plain word"},
		{"null", pair + "seed: ~\n", "m.yaml:5:7: seed: nothing is given, expected a whole number from 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := faultsOf(t, tt.text)
			if diff := cmp.Diff(strings.Split(tt.want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestShowPointsAtThePlace(t *testing.T) {
	_, err := Parse("m.yaml", []byte(pair+"limit: {nodez: 3}\n"), nil, testHost(t))
	var problems Errors
	if !errors.As(err, &problems) {
		t.Fatal(err)
	}
	want := "m.yaml:5:9: limit.nodez: unknown key, did you mean \"nodes\"?\n    5 | limit: {nodez: 3}\n      |         ^\n"
	if diff := cmp.Diff(want, problems.Show()); diff != "" {
		t.Error(diff)
	}
}

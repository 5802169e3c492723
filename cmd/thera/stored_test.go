package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/store"
	"thera/engine/game"
	"thera/engine/gametest"
)

// thera runs one command line.
func thera(in string, args ...string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = mainExit(args, strings.NewReader(in), &o, &e)
	return status, o.String(), e.String()
}

// storedRun fills a database with games of santorini whose moves follow a
// fixed rule, and returns its path. The games and their times are always the
// same.
func storedRun(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "thera.db")
	db, err := store.Open(t.Context(), path)
	gametest.OK(t, err)
	defer db.Close()
	g, err := findGame("santorini")
	gametest.OK(t, err)
	plan := &arena.Plan{
		Name: "trial.yaml", File: "trial.yaml", Game: g, Limit: arena.Limit{Depth: 2}, Seed: 1, Concurrency: 1,
		Engines: []arena.EngineSpec{{Name: "new", Command: []string{"./new"}}, {Name: "old", Command: []string{"./old"}}},
		Format:  arena.Format{Name: "round-robin", Rounds: 3, Pairs: true}, Openings: arena.Openings{RandomPlies: 2},
	}
	run, _, err := db.Begin(t.Context(), plan)
	gametest.OK(t, err)
	starts := []string{
		"0000000000000000000000000/1/mortal:11,13/mortal:7,17", "0000000000000000000000000/1/pan:11,13/mortal:7,17",
		"0000000000000000000000000/1/mortal:6,18/mortal:8,16",
	}
	for i := range 6 {
		rec := storedGame(t, g, starts[i/2], i)
		if i == 3 { // and once more, as the machine stalled
			stalled := *rec
			stalled.Source, stalled.Outcome = arena.Stalled, game.Outcome{Reason: "stalled"}
			stalled.Moves, stalled.Plies = rec.Moves[:5], rec.Plies[:5]
			pair := []string{storedGame(t, g, starts[i/2], i-1).ID, rec.ID}
			gametest.OK(t, db.Void(t.Context(), run, &stalled, pair))
			gametest.OK(t, db.Put(t.Context(), run, storedGame(t, g, starts[i/2], i-1)))
		}
		gametest.OK(t, db.Put(t.Context(), run, rec))
	}
	gametest.OK(t, db.Note(t.Context(), run, "finished", "4 threads on 2 cores"))
	return path
}

func storedGame(t testing.TB, g game.Game, start string, i int) *arena.Game {
	t.Helper()
	pos, err := g.Parse(start)
	gametest.OK(t, err)
	rec := &arena.Game{
		Job:     arena.Job{ID: fmt.Sprintf("%02dabcdef0123456789", i), Pairing: [2]string{"new", "old"}, Round: i/2 + 1, Pair: i / 2, Leg: i % 2, Index: i},
		Started: time.UnixMilli(1_700_000_000_000), Start: start, Source: arena.Natural, Seconds: 1.25,
	}
	if catalog, ok := g.(game.RoleCatalog); ok {
		rec.Roles = catalog.RolesIn(pos)
	}
	for history := game.Begin(pos); ; {
		if outcome, over := history.Position.Outcome(); over {
			rec.Outcome = outcome
			return rec
		}
		if i == 4 && history.Ply == 3 {
			rec.Source, rec.Blamed = arena.Faulted, history.Position.ToMove().Only()
			rec.Fault = &game.Fault{Kind: game.FaultTimeout, Detail: "used 400ms, allowed 200ms"}
			rec.Outcome = game.Outcome{Winner: rec.Blamed.Other(), Reason: rec.Fault.Error()}
			rec.Detail, rec.Warnings = "the line <was> late", []string{"unknown key: \"mood\""}
			rec.Tail[1], rec.Stderr[1] = []string{"> set_position", "< hm\x1b[2J"}, "thinking\nhard\n"
			return rec
		}
		turns := game.TurnsFrom(history.Position)
		turn := turns[(7*history.Ply+11*i)%len(turns)]
		rec.Moves = append(rec.Moves, turn.String())
		rec.Plies = append(rec.Plies, arena.Ply{
			Seat: history.Position.ToMove().Only(), Wall: time.Duration(history.Ply+1) * time.Millisecond, CPU: time.Millisecond, Depth: 2, Nodes: 100, Score: 5 - i, Scored: true,
		})
		if history, err = history.Play(turn); err != nil {
			t.Fatal(err)
		}
	}
}

// moment matches the times in an answer.
var moment = regexp.MustCompile(`"(started|changed|time|Time)":"20[^"]*"|20\d\d-\d\d-\d\d \d\d:\d\d`)

// checksum matches the checksum of an export, which depends on the times.
var checksum = regexp.MustCompile(`"sha256":"[0-9a-f]{64}"`)

// goldenFile compares got, with its times and checksums masked, with
// testdata/golden/name.
func goldenFile(t *testing.T, name, got string) {
	t.Helper()
	got = moment.ReplaceAllStringFunc(got, func(s string) string {
		if key, _, ok := strings.Cut(s, ":"); ok && s[0] == '"' && !strings.Contains(s, "2023-11-14T22:13:20Z") {
			return key + `:"WHEN"`
		} else if s[0] == '"' {
			return s
		}
		return "WHEN"
	})
	got = checksum.ReplaceAllString(got, `"sha256":"SUM"`)
	gametest.Golden(t, filepath.Join("testdata", "golden", name), []byte(got))
}

// A terminal of 200 columns shows all columns.
func TestCommandsOnAStoredRun(t *testing.T) {
	db := storedRun(t)
	for name, line := range map[string]string{
		"results.txt":      "results",
		"results.md":       "results trial.yaml --format markdown",
		"results.csv":      "results #1 --format csv",
		"results.json":     "results --json",
		"pairings.csv":     "results --table pairings --format csv",
		"matrix.csv":       "results --table matrix --format csv",
		"games.txt":        "games",
		"games-all.txt":    "games --all",
		"games-faults.txt": "games --faults --engine new",
		"games.jsonl":      "games trial.yaml --json",
		"runs.txt":         "runs",
		"runs.jsonl":       "runs --json",
		"replay.txt":       "replay 04abc",
		"replay.json":      "replay 04abcdef0123456789 --json",
		"compare.txt":      "results old new",
		"compare.json":     "results trial.yaml old new --json",
		"export.jsonl":     "export",
		"export.csv":       "export --format csv",
		"export.pgn":       "export --format pgn",

		"results-200.txt":      "results",
		"games-faults-200.txt": "games --faults",
		"runs-200.txt":         "runs",
	} {
		t.Setenv("COLUMNS", map[bool]string{true: "200"}[strings.Contains(name, "-200")])
		status, out, errOut := thera("", append(strings.Fields(line), "--db", db)...)
		if status != exitDone || errOut != "" {
			t.Errorf("%s: status %d, %s", name, status, errOut)
		}
		goldenFile(t, name, strings.ReplaceAll(out, db, "DB"))
	}
}

package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"thera/arena"
	"thera/arena/check"
	"thera/arena/store"
	"thera/engine/game"
	"thera/engine/gametest"
)

// What an engine says reaches no output as it is, whatever command and format
// show it.
func TestHostileText(t *testing.T) {
	const bad = "=cmd|' /C calc'!A0\x1b[2J\u202egnp\u2028\u009b31m\x7f<img src=x> [x](http://evil) `a` |b|"
	path := filepath.Join(t.TempDir(), "hostile.db")
	db, err := store.Open(t.Context(), path)
	gametest.OK(t, err)
	g, err := findGame("santorini")
	gametest.OK(t, err)
	plan := &arena.Plan{
		Name: "trial.yaml", File: "trial.yaml", Game: g, Limit: arena.Limit{Depth: 2}, Seed: 1, Concurrency: 1,
		Engines: []arena.EngineSpec{{Name: bad, Command: []string{bad}}, {Name: "old", Command: []string{"./old"}}},
		Format:  arena.Format{Name: "round-robin", Rounds: 2, Pairs: true}, Openings: arena.Openings{RandomPlies: 2},
	}
	run, _, err := db.Begin(t.Context(), plan)
	gametest.OK(t, err)
	const start = "0000000000000000000000000/1/mortal:11,13/mortal:7,17"
	for i := range 4 {
		rec := storedGame(t, g, start, i)
		rec.Pairing[0] = bad
		rec.Source, rec.Blamed, rec.Fault = arena.Faulted, game.First, &game.Fault{Kind: game.FaultProtocol, Detail: bad}
		rec.Outcome = game.Outcome{Winner: game.Second, Reason: "protocol: " + bad}
		rec.Detail, rec.Warnings = bad+"\n"+bad, []string{bad + ": " + bad}
		rec.Tail, rec.Stderr = [2][]string{{"< " + bad}, nil}, [2]string{bad + "\n" + bad, ""}
		gametest.OK(t, db.Put(t.Context(), run, rec))
	}
	gametest.OK(t, db.Note(t.Context(), run, "finished", bad))
	gametest.OK(t, db.Close())
	for _, line := range []string{
		"results", "results --json", "results --format markdown", "results --format csv", "results --table ends", "results --table ends --format csv",
		"results --table ends --format markdown", "games", "games --all", "games --faults --json", "replay 00", "replay 00 --json", "runs", "runs --json",
		"export", "export --format csv", "results BAD old", "results BAD old --json", "games --engine BAD", "games --faults --all",
		"history", "history --json", "history --format markdown", "history --format csv",
	} {
		args := append(strings.Fields(line), "--db", path)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "BAD", bad)
		}
		_, out, errOut := thera("", args...)
		if !strings.Contains(out, "cmd") && !strings.HasPrefix(line, "runs") {
			t.Errorf("thera %s: nothing of the engine is shown: %s%s", line, out, errOut)
		}
		visible(t, line, out+errOut)
		switch {
		case strings.Contains(line, "csv"):
			rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
			if err != nil {
				t.Errorf("thera %s: %v", line, err)
			}
			for _, row := range rows {
				for _, cell := range row {
					if strings.HasPrefix(cell, "=") {
						t.Errorf("thera %s: a formula: %s", line, cell)
					}
				}
			}
		case strings.Contains(line, "markdown"):
			for _, left := range []string{"<img", " [x", "://", " `a", " |b"} {
				if strings.Contains(out, left) {
					t.Errorf("thera %s: %q is left", line, left)
				}
			}
		}
	}
}

// visible wants nothing in the output of a command that cannot be seen.
func visible(t *testing.T, command, output string) {
	t.Helper()
	for at, r := range output {
		if r != '\n' && !unicode.IsGraphic(r) {
			t.Errorf("thera %s: %U at %d: %q", command, r, at, output[max(at-300, 0):min(at+100, len(output))])
			return
		}
	}
}

// The same holds for commands that start engines: what they print, on either
// stream, what they call themselves and their options, and what their programs
// are called.
func TestHostileEngines(t *testing.T) {
	const bad = "\x1b[2J\u202egnp\u2028\u009b31m\x7f"
	dir := t.TempDir()
	engine := func(name, script string) string {
		path := filepath.Join(dir, name+bad)
		gametest.OK(t, os.WriteFile(path, []byte("#!/bin/sh\nbad='spoken "+bad+"'\n"+script), 0o755))
		return "'" + path + "'"
	}
	const talk = `echo "$bad" >&2
echo "$bad"
echo '{"type":"started"}'
while read -r word rest; do
	case $word in
	set_position) echo "$bad"; ANSWER;;
	ping) echo pong;;
	quit) exit;;
	esac
done
`
	says := func(answer string) string { return strings.ReplaceAll(talk, "ANSWER", answer) }
	escaped := engine("escaped", says(`printf '{"type":"best_move","start_state":"%s","next_state":"spoken \\u001b[2J\\u202e\\u2028","trigger":"end_of_line","meta":{"score":0,"calculated_depth":1}}\n' "$rest"`))
	raw := engine("raw", says(`echo "{\"type\":\"best_move\",$bad"`))
	dying := engine("dying", says(`echo "$bad" >&2; exit 3`))
	options := engine("options", `echo "$bad" >&2
while read -r line; do
	case $line in
	uci) echo "id name $bad"; echo "option name $bad type check default true"; echo uciok;;
	isready) echo readyok;;
	quit) exit;;
	esac
done
`)
	db := filepath.Join(dir, "games.db")
	t.Chdir(dir)
	for _, tt := range []struct {
		stdin string
		args  []string
	}{
		{"", []string{"vs", "a=" + escaped, "b=" + raw, "c=" + dying, "--rounds", "1", "--limit", "20ms", "--log", "trace.log", "--events", "-"}},
		{"", []string{"vs", escaped, escaped, "--rounds", "1"}}, // no names
		{"", []string{"games", "--faults"}},
		{"", []string{"games", "--faults", "--json"}},
		{"", []string{"vs", "a=" + options, "b=" + options, "--game", "mill", "--rounds", "1", "--set", "engines.a.options.spoke=1"}},
		{"", []string{"check", "--game", "mill", "--set", "options.spoke=1", "--", strings.Trim(options, "'")}},
		{"run\nprint\nnext\nundo\nprint\nsave\nquit\n", []string{"central", "--game", "santorini", escaped, raw}},
		{"run\nnext\nquit\n", []string{"central", "--game", "santorini", dying, escaped}},
	} {
		args := tt.args
		switch args[0] {
		case "vs":
			args = append(args, "--sandbox", "off", "--db", db)
		case "games", "results":
			args = append(args, "--db", db)
		default:
			args = append([]string{args[0], "--sandbox", "off"}, args[1:]...)
		}
		_, out, errOut := thera(tt.stdin, args...)
		command := strings.Join(tt.args[:min(3, len(tt.args))], " ")
		if !strings.Contains(out+errOut, "gnp") && !strings.Contains(out+errOut, "spoken") {
			t.Errorf("thera %q: nothing of the engine is shown: %s%s", command, out, errOut)
		}
		visible(t, command, out+errOut)
	}
	trace, err := os.ReadFile("trace.log")
	if err != nil || !strings.Contains(string(trace), "spoken") {
		t.Errorf("--log has nothing of the engines: %.300q, %v", trace, err)
	}
	visible(t, "vs --log", string(trace))
	var found strings.Builder // a whole check takes too long
	printFinding(&found, check.Finding{Name: "a legal move", Status: check.Failed, Detail: "protocol: " + bad + "\n" + bad}, 80)
	visible(t, "check", found.String())
}

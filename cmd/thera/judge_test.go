package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/store"
	"thera/engine/gametest"
)

func TestJudge(t *testing.T) {
	status, out, errOut := thera(`{"start":null,"moves":[]}
{"start":"0000000000000000000000000/1/mortal:11,13/mortal:7,17","moves":["0000000000000000000010000/2/mortal:13,16/mortal:7,17"]}

{"start":null,"moves":["0000000000000000000010000/2/mortal:13,16/mortal:7,17","nonsense"]}
{"start":"0022113310310000003011300/1/mortal:5,16/mortal#:2,21","moves":["x"]}
{"moves":3}
{"start":null}
{"start":"zzz","moves":[]}
[1,2]
`, "judge", "santorini")
	if status != exitFindings || errOut != "" {
		t.Errorf("status %d, %s", status, errOut)
	}
	goldenFile(t, "judge.jsonl", out)
	if status, out, _ := thera(`{"start":null,"moves":[]}`, "judge", "santorini"); status != exitDone || strings.Count(out, "\n") != 1 {
		t.Errorf("status %d, %s", status, out)
	}
	if status, _, errOut := thera("", "judge", "chess"); status != exitBadInput || !strings.Contains(errOut, `unknown game "chess"`) {
		t.Errorf("status %d, %s", status, errOut)
	}
}

// An exported run can be judged and imported unchanged. A file with one wrong
// game imports nothing.
func TestExportJudgeImport(t *testing.T) {
	gametest.Sequential(t)
	db := storedRun(t)
	dir := t.TempDir()
	file, other := filepath.Join(dir, "games.jsonl"), filepath.Join(dir, "other.db")
	if status, _, errOut := thera("", "export", "--all", "-o", file, "--db", db); status != exitDone {
		t.Fatal(errOut)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	status, out, _ := thera(string(text), "judge", "santorini")
	if status != exitDone || strings.Count(out, `"agrees":true`) != 8 {
		t.Errorf("status %d: %s", status, out)
	}
	if status, _, errOut := thera("", "import", file, "--db", other); status != exitDone || !strings.Contains(errOut, "8 games in run trial.yaml") {
		t.Fatalf("status %d: %s", status, errOut)
	}
	// A second import: all games exist.
	if status, _, errOut := thera("", "import", file, "--db", other); status != exitDone {
		t.Fatalf("status %d: %s", status, errOut)
	}
	for _, args := range [][]string{{"games", "--json", "--all"}, {"results", "--format", "csv"}, {"results", "--table", "matchups"}} {
		_, was, _ := thera("", append(args, "--db", db)...)
		_, is, _ := thera("", append(args, "--db", other)...)
		if diff := cmp.Diff(was, is); diff != "" {
			t.Errorf("%v: %s", args, diff)
		}
	}
	lines := strings.SplitAfter(string(text), "\n")
	for name, tt := range map[string]struct {
		text   string
		want   string
		judged string // in judge's answers; "" if it is not a game
	}{
		"another winner": {strings.Replace(string(text), `"winner":2`, `"winner":1`, 1), ":2: game 00abcdef0123456789: the record says winner 1", `"agrees":false,"why":"the record says winner 1 by \"reached level 3\", the rules say 2`},
		"another move":   {strings.Replace(string(text), `"moves":["0000000000`, `"moves":["4000000000`, 1), ":2: game 00abcdef0123456789: ply 1", `"illegal":{"ply":1,`},
		"cut off":        {lines[0] + strings.Replace(lines[1], `"plies":56`, `"plies":1`, 1) + `{"id":`, ":3: not a game", `{"error":"not a game: unexpected end of JSON input, `},
		"no head":        {strings.Join(lines[1:], ""), `:1: not the head of an exported run: `, ""},
		"newer form":     {`{"thera":9}`, ":1: version 9 of exported runs, this program reads 2", ""},
		"another game":   {strings.Replace(string(text), `"game":"santorini"`, `"game":"chess"`, 1), `unknown game "chess"`, `is of the game chess, not santorini`},
		"over by rules":  {strings.Replace(string(text), `"source":"natural"`, `"source":"adjudicated"`, 1), "by the rules the game was over", `"agrees":false`},
		"nothing":        {"", "empty, want the output of thera export", ""},
	} {
		bad := filepath.Join(dir, "bad.jsonl")
		if err := os.WriteFile(bad, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		empty := filepath.Join(dir, "empty.db")
		status, _, errOut := thera("", "import", bad, "--db", empty)
		if status != exitBadInput || !strings.Contains(errOut, tt.want) {
			t.Errorf("%s: status %d, %s", name, status, errOut)
		}
		if _, out, _ := thera("", "runs", "--db", empty); strings.Contains(out, "trial") {
			t.Errorf("%s: a run was made: %s", name, out)
		}
		if tt.judged == "" {
			continue
		}
		if status, out, _ := thera(tt.text, "judge", "santorini"); status != exitFindings || !strings.Contains(out, tt.judged) {
			t.Errorf("%s: judge ends with %d: %s", name, status, out)
		}
	}
}

func TestImportMindsConditionsAndNames(t *testing.T) {
	gametest.Sequential(t)
	db := storedRun(t)
	file := filepath.Join(t.TempDir(), "games.jsonl")
	if status, _, errOut := thera("", "export", "-o", file, "--db", db); status != exitDone {
		t.Fatal(errOut)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	was := strings.LastIndex(strings.TrimSuffix(string(text), "\n"), "\n") + 1
	games := strings.Replace(string(text[:was]), `"Depth":2`, `"Depth":3`, 1)
	end := strings.Replace(string(text[was:]), fmt.Sprintf("%x", sha256.Sum256(text[:was])), fmt.Sprintf("%x", sha256.Sum256([]byte(games))), 1)
	if err := os.WriteFile(file, []byte(games+end), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, errOut := thera("", "import", file, "--db", db); status != exitBadInput || !strings.Contains(errOut, "limit.depth: was 2, is 3") {
		t.Errorf("status %d: %s", status, errOut)
	}
	if status, _, errOut := thera("", "import", file, "--db", db, "--name", "deeper"); status != exitDone || !strings.Contains(errOut, "6 games in run deeper") {
		t.Errorf("status %d: %s", status, errOut)
	}
	if status, _, errOut := thera("", "runs", "--delete", "trial.yaml", "#2", "--db", db); status != exitDone || !strings.Contains(errOut, "deleted trial.yaml with 6 games\ndeleted deeper with 6 games") {
		t.Errorf("status %d: %s", status, errOut)
	}
	if _, out, _ := thera("", "runs", "--db", db); !strings.Contains(out, "no runs yet") {
		t.Errorf("left: %s", out)
	}
	if status, _, errOut := thera("", "import", "--format", "x", "y", "--db", db); status != exitBadInput || !strings.Contains(errOut, "needs --game and --name") {
		t.Errorf("status %d: %s", status, errOut)
	}
}

// Games exported in their game's own format are imported unchanged.
func TestGamesInTheirOwnFormat(t *testing.T) {
	gametest.Sequential(t)
	g, err := findGame("pyrat")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	from, to, folder := filepath.Join(dir, "from.db"), filepath.Join(dir, "to.db"), filepath.Join(dir, "games")
	db, err := store.Open(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	plan := &arena.Plan{Name: "mazes", Game: g, Engines: []arena.EngineSpec{{Name: "rat"}, {Name: "snake"}}}
	run, _, err := db.Begin(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		start, err := g.Start(0, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		rec := storedGame(t, g, start.String(), i)
		rec.Pairing = [2]string{"rat", "snake"}
		if err := db.Put(t.Context(), run, rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if status, _, errOut := thera("", "export", "mazes", "--format", "pyrat", "-o", folder, "--db", from); status != exitDone {
		t.Fatal(errOut)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.pyrat"))
	if err != nil || len(files) != 3 {
		t.Fatalf("files %v, %v", files, err)
	}
	if _, out, _ := thera("", "export", "mazes", "--format", "pyrat", "--db", from); strings.Count(out, "\n\n") < 3 ||
		strings.Count(out, "[Event \"mazes\"]") != 3 || strings.Count(out, "[Rat \"rat\"]\n[Python \"snake\"]\n") < 1 {
		t.Errorf("on stdout: %.300s", out)
	}
	args := append([]string{"import", "--game", "pyrat", "--format", "pyrat", "--name", "again", "--first", "rat", "--second", "snake", "--db", to}, files...)
	if status, _, errOut := thera("", args...); status != exitDone || !strings.Contains(errOut, "3 games in run again") {
		t.Fatalf("status %d: %s", status, errOut)
	}
	if status, _, errOut := thera("", "runs", "--worker", "lab1", "--reason", "why", "again", "--db", to); status != exitBadInput || !strings.Contains(errOut, "it was imported from a game's own format, and cannot be played again") {
		t.Errorf("status %d: %s", status, errOut)
	}
	pick := regexp.MustCompile(`"(moves|start|reason|points)":("[^"]*"|\[[^]]*\])|"winner":\d`)
	_, was, _ := thera("", "games", "--json", "--db", from)
	_, is, _ := thera("", "games", "--json", "--db", to)
	if diff := cmp.Diff(pick.FindAllString(was, -1), pick.FindAllString(is, -1)); diff != "" || len(was) < 300 {
		t.Error(diff)
	}
	_, exported, _ := thera("", "export", "again", "--db", to)
	if status, out, _ := thera(exported, "judge", "pyrat"); status != exitDone || strings.Count(out, `"agrees":true`) != 3 {
		t.Errorf("status %d: %.300s", status, out)
	}
	bad := filepath.Join(dir, "bad.pyrat")
	if err := os.WriteFile(bad, []byte("not a maze"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, errOut := thera("", "import", "--game", "pyrat", "--format", "pyrat", "--name", "bad", bad, "--db", to); status != exitBadInput || !strings.Contains(errOut, bad) {
		t.Errorf("status %d: %s", status, errOut)
	}
}

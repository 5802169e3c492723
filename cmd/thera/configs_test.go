package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"thera/arena/config"
	"thera/arena/tournament"
	"thera/engine/all"
	"thera/engine/gametest"
)

// TestSchemaFileIsCurrent compares configs/schema.json with what thera init --schema
// prints.
func TestSchemaFileIsCurrent(t *testing.T) {
	schema, err := config.Schema(all.Games())
	gametest.OK(t, err)
	gametest.Golden(t, filepath.Join("..", "..", "configs", "schema.json"), schema)
}

// TestEveryConfigPlays loads each match file as it is and plays it. The story
// configs plays the formats; this test plays every other file, with games that
// a cap on plies ends.
func TestEveryConfigPlays(t *testing.T) {
	gametest.Sequential(t) // thera is another process
	t.Parallel()
	names, err := filepath.Glob(filepath.Join("..", "..", "configs", "*.yaml"))
	if err != nil || len(names) < 9 {
		t.Fatalf("%d match files, %v", len(names), err)
	}
	host, err := thisHost()
	gametest.OK(t, err)
	story, err := os.ReadFile(filepath.Join("testdata", "script", "configs.txtar"))
	gametest.OK(t, err)
	var others []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		gametest.OK(t, err)
		if !strings.HasPrefix(string(text), "# ") {
			t.Errorf("%s begins without a word on what it is for", name)
		}
		base := filepath.Base(name)
		if bytes.Contains(text, []byte("\ntune:")) { // no match file; the story tune plays it
			contest, err := config.LoadContest(name, nil, host)
			if err == nil {
				_, err = contest.Tune()
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if _, err := config.Load(name, nil, host); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if bytes.Contains(story, []byte("$CONFIGS/"+base+" ")) {
			continue
		}
		plan, err := config.Load(name, []string{"tournament.rounds=1"}, host)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		director, err := tournament.New(plan)
		gametest.OK(t, err)
		if n := director.Games(); n > 40 {
			t.Errorf("%s has %d games in one round: testdata/script/configs.txtar must say how it is shortened", base, n)
			continue
		}
		others = append(others, "exec thera run $CONFIGS/"+base+" --set tournament.rounds=1 --set adjudicate.max_plies=12\nstdout 'Ranking'\n")
	}
	if len(others) == 0 {
		return
	}
	file := filepath.Join(t.TempDir(), "others.txtar")
	gametest.OK(t, os.WriteFile(file, []byte(strings.Join(others, "")), 0o600))
	testscript.Run(t, storyParams(t, testscript.Params{Files: []string{file}}))
}

// TestConfigsOfOthers loads the match files of configs/engines: their programs are not here, and another
// file stands for each.
func TestConfigsOfOthers(t *testing.T) {
	host, err := thisHost()
	gametest.OK(t, err)
	dir := t.TempDir()
	program := ""
	for _, path := range []string{"target/release/gyges_engine", "build/src/mohex/mohex", "build/src/wolve/wolve", "share/openings", "bot", "bot.toml"} {
		program = filepath.Join(dir, filepath.FromSlash(path))
		gametest.OK(t, os.MkdirAll(filepath.Dir(program), 0o700))
		gametest.OK(t, os.WriteFile(program, []byte("[settings]\nrun_command = './bot'\n"), 0o700))
	}
	host.Env = func(name string) (string, bool) {
		switch name {
		case "HELIOS", "BENZENE", "PYRAT_BOT":
			return dir, true
		}
		return program, true
	}
	names, err := filepath.Glob(filepath.Join("..", "..", "configs", "engines", "*.yaml"))
	if err != nil || len(names) < 5 {
		t.Fatalf("%d match files, %v", len(names), err)
	}
	for _, name := range names {
		if _, err := config.Load(name, nil, host); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

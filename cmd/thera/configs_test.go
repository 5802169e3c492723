package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/arena/config"
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

// TestEveryConfigPlays loads each match file as it is. The stories configs and tune play them.
func TestEveryConfigPlays(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "..", "configs", "*.yaml"))
	if err != nil || len(names) < 9 {
		t.Fatalf("%d match files, %v", len(names), err)
	}
	host, err := thisHost()
	gametest.OK(t, err)
	var stories string
	for _, story := range []string{"configs", "tune"} {
		text, err := os.ReadFile(filepath.Join("testdata", "script", story+".txtar"))
		gametest.OK(t, err)
		stories += string(text)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		gametest.OK(t, err)
		if !strings.HasPrefix(string(text), "# ") {
			t.Errorf("%s begins without a word on what it is for", name)
		}
		if base := filepath.Base(name); !strings.Contains(stories, "$CONFIGS/"+base+" ") {
			t.Errorf("no story plays %s", base)
		}
		if !strings.Contains(string(text), "\ntune:") {
			_, err = config.Load(name, nil, host)
		} else if contest, failed := config.LoadContest(name, nil, host); failed == nil {
			_, err = contest.Tune()
		} else {
			err = failed
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
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

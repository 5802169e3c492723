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
)

// TestSchemaFileIsCurrent holds configs/schema.json to the structs.
func TestSchemaFileIsCurrent(t *testing.T) {
	want, err := config.Schema(all.Games())
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("..", "..", "configs", "schema.json")
	if os.Getenv("THERA_UPDATE") != "" {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("configs/schema.json is not what thera schema prints (THERA_UPDATE=1 regenerates it)")
	}
}

// TestEveryConfigPlays reads each match file as it stands. The story configs
// plays the formats; here one is told of every other file, with games that a
// ply cap ends.
func TestEveryConfigPlays(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "..", "configs", "*.yaml"))
	if err != nil || len(names) < 9 {
		t.Fatalf("%d match files, %v", len(names), err)
	}
	host, err := thisHost()
	if err != nil {
		t.Fatal(err)
	}
	story, err := os.ReadFile(filepath.Join("testdata", "script", "configs.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var others []string
	for _, name := range names {
		if _, err := config.Load(name, nil, host); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), "# ") {
			t.Errorf("%s begins without a word on what it is for", name)
		}
		base := filepath.Base(name)
		if bytes.Contains(story, []byte("$CONFIGS/"+base+" ")) {
			continue
		}
		plan, err := config.Load(name, []string{"tournament.rounds=1"}, host)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		fold, err := tournament.New(plan)
		if err != nil {
			t.Fatal(err)
		}
		if n := fold.Games(); n > 40 {
			t.Errorf("%s has %d games in one round: testdata/script/configs.txtar must say how it is shortened", base, n)
			continue
		}
		others = append(others, "exec thera run $CONFIGS/"+base+" --set tournament.rounds=1 --set adjudicate.max_plies=12\nstdout 'Ranking'\n")
	}
	if len(others) == 0 {
		return
	}
	file := filepath.Join(t.TempDir(), "others.txtar")
	if err := os.WriteFile(file, []byte(strings.Join(others, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, storyParams(t, testscript.Params{Files: []string{file}}))
}

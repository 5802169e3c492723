package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"thera/engine/all"
	"thera/engine/game"
)

// TestReadme checks that every fault, command, match file and game is in the
// README, that no block of output is empty there or in docs, and that its links work.
func TestReadme(t *testing.T) {
	root := filepath.Join("..", "..")
	raw, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for _, kind := range game.Faults() {
		if !strings.Contains(text, "| `"+string(kind)+"` |") {
			t.Errorf("README lists no fault %q", kind)
		}
	}
	for _, cmd := range commands(nil) {
		if !strings.Contains(text, "`"+cmd.Name()) && !strings.Contains(text, "thera "+cmd.Name()) {
			t.Errorf("README does not know the command %s", cmd.Name())
		}
	}
	files, err := filepath.Glob(filepath.Join(root, "configs", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no match files: %v", err)
	}
	for _, file := range files {
		if !strings.Contains(text, "configs/"+filepath.Base(file)) {
			t.Errorf("README does not know %s", filepath.Base(file))
		}
	}
	for _, g := range all.Games() {
		if _, err := os.Stat(filepath.Join(root, "docs", g.Name()+".md")); err != nil {
			continue // a game of somebody's own needs no page here
		}
		if !strings.Contains(strings.ToLower(text), "engine/"+g.Name()+"/protocol/protocol.md") {
			t.Errorf("README does not link the protocol of %s", g.Name())
		}
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	outputs := 0
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		page, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(page), "```\n```") {
			t.Errorf("a block of output is empty: run scripts/readme\n%.80s", page)
		}
		outputs += strings.Count(string(page), "<!-- $ ")
	}
	if outputs < 10 {
		t.Errorf("scripts/readme finds %d blocks of output", outputs)
	}
	for _, part := range strings.Split(text, "](")[1:] {
		link, _, _ := strings.Cut(part, ")")
		if strings.Contains(link, "://") {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, link)); err != nil {
			t.Errorf("README links %s: %v", link, err)
		}
	}
}

// Every test that the README names is there.
func TestReadmeNamesTests(t *testing.T) {
	root := filepath.Join("..", "..")
	raw, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	err = filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		tests.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test[A-Z][A-Za-z0-9]*)[`/]").FindAllStringSubmatch(string(raw), -1)
	if len(named) < 20 {
		t.Errorf("README names %d tests", len(named))
	}
	for _, name := range named {
		if !strings.Contains(tests.String(), "func "+name[1]+"(") {
			t.Errorf("README names %s, which is no test", name[1])
		}
	}
}

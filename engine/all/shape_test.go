package all

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each game has the same folders, with the same names.
func TestGamesHaveTheSameRooms(t *testing.T) {
	want := map[string][]string{
		".":        {"game.go", "internal", "player", "protocol", "rules", "testdata"},
		"rules":    {"rules.md", "position.go", "draw.go", "picture.go"},
		"protocol": {"PROTOCOL.md", "dialects.go", "session.go", "server.go"},
		"player":   {"builtin.go", "player.go"},
		"internal": {"slow"},
	}
	for _, g := range Games() {
		if _, err := os.Stat(filepath.Join("..", g.Name(), "rules")); err != nil {
			continue // a game that is small enough to be one package
		}
		for folder, names := range want {
			entries, err := os.ReadDir(filepath.Join("..", g.Name(), folder))
			if err != nil {
				t.Error(err)
			}
			has := map[string]bool{}
			for _, e := range entries {
				has[e.Name()] = !strings.HasSuffix(e.Name(), "_test.go")
			}
			for _, name := range names {
				if !has[name] {
					t.Errorf("%s/%s has no %s", g.Name(), folder, name)
				}
				delete(has, name)
			}
			maps.DeleteFunc(has, func(_ string, code bool) bool { return !code })
			if folder == "." && len(has) > 0 {
				t.Errorf("%s has %v, which other games do not have", g.Name(), slices.Sorted(maps.Keys(has)))
			}
		}
	}
}

// Neither a game nor its side of a conversation knows how its engine plays.
func TestSessionsKnowNoPlayer(t *testing.T) {
	for _, g := range Games() {
		files, err := filepath.Glob(filepath.Join("..", g.Name(), "protocol", "[ds]*.go"))
		if err != nil || len(files) == 0 {
			continue
		}
		seen := 0
		for _, path := range files {
			if name := filepath.Base(path); !strings.HasPrefix(name, "dialects") && !strings.HasPrefix(name, "session") || strings.HasSuffix(name, "_test.go") {
				continue
			}
			seen++
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range file.Imports {
				if strings.Contains(spec.Path.Value, "/player") {
					t.Errorf("%s imports %s", path, spec.Path.Value)
				}
			}
		}
		if seen < 2 {
			t.Errorf("%s: %d files seen", g.Name(), seen)
		}
	}
}

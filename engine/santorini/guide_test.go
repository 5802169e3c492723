package santorini

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"thera/engine/gametest"
	"thera/engine/santorini/rules"
)

// TestGuideNamesFiles checks that the files that GODS.md names exist.
func TestGuideNamesFiles(t *testing.T) {
	text, err := os.ReadFile("rules/GODS.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("`([a-z_/0-9]+\\.(?:go|jsonl\\.gz))`").FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(m[1]); err != nil {
			t.Errorf("GODS.md names %v", err)
		}
	}
}

// TestOnlyItsFileKnowsAGod reads the syntax trees: the name of a god stands in its file, the
// list, bans and printed rules of others, and tests, and nowhere else in this folder.
func TestOnlyItsFileKnowsAGod(t *testing.T) {
	names := map[string]bool{}
	for god := range rules.GodCount {
		names[god.String()] = !god.Basic() // examples of positions name the gods of protocol v1
	}
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "slow" || d.Name() == "testdata"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || path == filepath.Join("rules", "gods.go"):
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		itself, isGod := strings.CutPrefix(strings.TrimSuffix(filepath.Base(path), ".go"), "god_")
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit: // of bans and printed rules
				if kind, ok := n.Type.(*ast.ArrayType); ok && isGod {
					if elem, ok := kind.Elt.(*ast.Ident); ok && elem.Name == "ban" {
						return false
					}
				}
				if kind, ok := n.Type.(*ast.Ident); ok && isGod && kind.Name == "printedRule" {
					return false
				}
			case *ast.Ident:
				if names[n.Name] {
					t.Errorf("%s: %s", files.Position(n.Pos()), n.Name)
				}
			case *ast.BasicLit:
				for _, word := range regexp.MustCompile("[a-z0-9]+").FindAllString(strings.ToLower(n.Value), -1) {
					if n.Kind == token.STRING && names[word] && word != itself {
						t.Errorf("%s: %s in %s", files.Position(n.Pos()), word, n.Value)
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestANewGodIsOneFileAndOneLine adds a god to a copy of this module, which exists only in the
// mind of the compiler, and runs the tests of the rules, the net and the game.
func TestANewGodIsOneFileAndOneLine(t *testing.T) {
	gametest.Sequential(t)
	if testing.Short() {
		t.Skip("it builds the module anew, which the tests without the race detector do")
	}
	dir := t.TempDir()
	list, err := os.ReadFile(filepath.Join("rules", "gods.go"))
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	overlay := func(path, text string) {
		at, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		replace[at] = filepath.Join(dir, strings.ReplaceAll(path, string(filepath.Separator), "_"))
		if err := os.WriteFile(replace[at], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const line = "\tpolyphemusPower,\n"
	if !strings.Contains(string(list), line) {
		t.Fatalf("rules/gods.go has no line %q", line)
	}
	overlay(filepath.Join("rules", "gods.go"), strings.Replace(string(list), line, line+"\ttalosPower,\n", 1))
	overlay(filepath.Join("rules", "god_talos.go"), newGod)
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	tests := "TestGodTable|TestLeadsAgrees|TestCommonWins|TestMayWinMissesNothing|TestNoAllocation|TestVectors|TestEmbedded|TestFile|" +
		"TestGroupsShareMeaning|TestRoles|TestMatchups|TestGuideNamesFiles|TestOnlyItsFileKnowsAGod"
	out, err := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-overlay", file, "-run", "^("+tests+")$", "./rules", "./player/net", ".").CombinedOutput()
	if err != nil || strings.Contains(string(out), "no tests to run") {
		t.Errorf("%v\n%s", err, out)
	}
}

const newGod = `package rules

func talosPower() power {
	return power{
		name:          "talos",
		text:          "the opponent may not step down; he has three workers",
		workers:       3,
		turns:         commonTurns,
		limitOpponent: func(g *generator, _ uint8) { g.noDown = true },
		bans:          []ban{{"pan", walledIn}},
	}
}
`

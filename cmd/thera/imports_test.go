package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"thera/engine/all"
	"thera/engine/gametest"
)

// mayImport says whether the package from may import to, both relative to the
// module: cmd → arena/* → engine/game ← engine/<game> ← engine/all ← cmd.
func mayImport(from, to string) bool {
	folder := func(p string) string { return strings.Split(p, "/")[0] }
	shared := []string{"engine/game", "engine/svg", "engine/protocol", "engine/search", "engine/serve", "engine/simd", "engine/train", "engine/gametest"}
	switch folder(from) {
	case "scripts": // the trainers of the nets, and the simulation of a fleet, whose games are Santorini's
		if from == "scripts/simulate" {
			return folder(to) == "arena" || to == "engine/game" || to == "engine/santorini"
		}
		return strings.HasPrefix(to, "engine/santorini/") || strings.HasPrefix(to, "engine/gyges/") || strings.HasPrefix(to, "engine/mill/") || strings.HasPrefix(to, "engine/hex/") || to == "engine/game" || to == "engine/search" || to == "engine/train"
	case "cmd":
		if from == "cmd/faultkit/hopper" { // the engine of a stranger, made of the game's own
			return strings.HasPrefix(to, "engine/santorini")
		}
		// bench and tables may know their one game, the fault kit an engine of it.
		return folder(to) == "arena" || to == "engine/game" || to == "engine/all" ||
			to == "engine/santorini" || to == "engine/santorini/player/net" || to == "cmd/faultkit/hopper" || to == "engine/mill/player/tables" || to == "cmd/thera/starters"
	case "arena":
		return folder(to) == "arena" || to == "engine/game" || to == "engine/svg" || to == testGame && testSupport[from]
	case "engine":
		switch {
		case folder(to) != "engine":
			return false
		case from == "engine/game":
			return false
		case slices.Contains(shared, from):
			return to == "engine/game" || from == "engine/gametest" && to == "engine/protocol" || from == "engine/train" && to == "engine/search"
		case from == "engine/all":
			return to != "engine/all"
		default: // a game: the shared packages, and its packages that come before
			return slices.Contains(shared, to) || comesBefore(to, from)
		}
	}
	return false
}

// testGame is the game that tests of the arena play, and testSupport are the
// packages of the arena that only tests import.
const testGame = "engine/gametest/nim"

var testSupport = map[string]bool{"arena/arenatest": true, "arena/faultkit": true}

// comesBefore reports whether a and b are packages of one game, a before b. The
// game's package comes last.
func comesBefore(a, b string) bool {
	order := []string{"rules", "internal", "player", "protocol", ""}
	place := func(p string) (game string, at int) {
		parts := append(strings.SplitN(p, "/", 4), "")
		return parts[1], slices.Index(order, parts[2])
	}
	gameA, atA := place(a)
	gameB, atB := place(b)
	below := atA < 4 && atB < 4 && (strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")) // one inside the other
	return gameA == gameB && 0 <= atA && (atA < atB || below || atA == atB && atA > 0)
}

func TestImportsGoOneWay(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}: {{join .Imports " "}}`, "thera/...").Output()
	gametest.OK(t, err)
	edges := 0
	for line := range strings.Lines(string(out)) {
		from, imports, _ := strings.Cut(strings.TrimSpace(line), ": ")
		from = strings.TrimPrefix(from, "thera/")
		for to := range strings.FieldsSeq(imports) {
			rel, ours := strings.CutPrefix(to, "thera/")
			if !ours {
				checkOutside(t, from, to)
				continue
			}
			edges++
			if !mayImport(from, rel) {
				t.Errorf("%s must not import %s", from, rel)
			}
		}
	}
	if edges < 5 {
		t.Fatalf("only %d imports seen: the test looked at nothing", edges)
	}
}

// No package of the arena names a game, in code or in comments.
func TestArenaNamesNoGame(t *testing.T) {
	var names []string
	for _, g := range all.Games() {
		names = append(names, g.Name())
	}
	named := regexp.MustCompile(`(?i)\b(` + strings.Join(names, "|") + `)\b`)
	library := regexp.MustCompile(`encoding/hex|\bhex\.`)
	files := 0
	err := filepath.WalkDir(filepath.Join("..", "..", "arena"), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && testSupport["arena/"+d.Name()]:
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		files++
		for i, line := range strings.Split(string(text), "\n") {
			if word := named.FindString(library.ReplaceAllString(line, "")); word != "" {
				t.Errorf("%s:%d names the game %s", path, i+1, word)
			}
		}
		return err
	})
	if err != nil || files < 100 {
		t.Errorf("%d files, %v", files, err)
	}
}

// checkOutside keeps libraries in the one package that may know them.
func checkOutside(t *testing.T, from, to string) {
	t.Helper()
	only := map[string]string{
		"gopkg.in/yaml.v3":                  "arena/config",
		"github.com/olekukonko/tablewriter": "arena/report",
		"modernc.org/sqlite":                "arena/store",
		"github.com/spf13/cobra":            "cmd/thera",
		"github.com/rogpeppe/go-internal":   "cmd/thera",
		"github.com/vbauerster/mpb/v8":      "arena/report",
	}
	for library, owner := range only {
		if strings.HasPrefix(to, library) && !strings.HasPrefix(from, owner) {
			t.Errorf("%s must not import %s: only %s may", from, to, owner)
		}
	}
	if standardOnly := from == "engine/game" || from == "arena/rating"; standardOnly && strings.Contains(strings.Split(to, "/")[0], ".") {
		t.Errorf("%s imports %s: only the standard library is allowed there", from, to)
	}
}

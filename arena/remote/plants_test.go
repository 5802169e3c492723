package remote

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"thera/arena"
	"thera/engine/gametest"
)

// Each fault of testdata/plants, planted into the code, is found by the seeds of the suite, or by the test that its
// file names. The short form only looks whether the code is what the files change.
func TestLongPlants(t *testing.T) {
	plants, err := filepath.Glob("testdata/plants/*.txt")
	if err != nil || len(plants) == 0 {
		t.Fatal(plants, err)
	}
	for _, plant := range plants {
		t.Run(strings.TrimSuffix(filepath.Base(plant), ".txt"), func(t *testing.T) {
			run, overlay := planted(t, plant)
			if !gametest.Long(t) {
				return
			}
			args := strings.Fields("test -vet=off -count=1 -failfast -timeout=1m -overlay")
			cmd := exec.CommandContext(t.Context(), "go", append(args, overlay, "-run", run, ".")...)
			cmd.Env = append(os.Environ(), "THERA_LONG=")
			out, err := cmd.CombinedOutput()
			found := regexp.MustCompile(` seed \d+: .*\n.*|panic: .*`).Find(out)
			if err == nil || found == nil {
				t.Fatalf("not found: %v\n%s", err, out)
			}
			t.Logf("found by%s", found)
		})
	}
}

// planted returns the test that finds the fault of a file, and an overlay of the code with it.
func planted(t *testing.T, plant string) (run, overlay string) {
	t.Helper()
	a, err := txtar.ParseFile(plant)
	gametest.OK(t, err)
	run = "^TestLongSimulation$"
	if _, name, ok := strings.Cut(string(a.Comment), "run: "); ok {
		run = "^" + strings.TrimSpace(name) + "$"
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	gametest.OK(t, err)
	dir, replace := t.TempDir(), map[string]string{}
	for _, f := range a.Files {
		name := filepath.Join(root, filepath.FromSlash(f.Name))
		code, err := os.ReadFile(name)
		gametest.OK(t, err)
		before, after, ok := strings.Cut(string(f.Data), "=>\n")
		if n := strings.Count(string(code), before); !ok || n != 1 {
			t.Fatalf("%s has %d times\n%s", f.Name, n, before)
		}
		replace[name] = filepath.Join(dir, filepath.Base(name))
		code = bytes.Replace(code, []byte(before), []byte(after), 1)
		gametest.OK(t, os.WriteFile(replace[name], code, 0o600))
	}
	overlay = filepath.Join(dir, "overlay.json")
	gametest.OK(t, os.WriteFile(overlay, arena.JSON(map[string]any{"Replace": replace}), 0o600))
	return run, overlay
}

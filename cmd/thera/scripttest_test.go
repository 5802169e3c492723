package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Without a browser or Python scripts/test says in its last line what was not run, and
// with which command it would be; in CI it fails at once. Here all programs that it
// calls do nothing.
func TestScriptNamesWhatWasNotRun(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("scripts/test is a script of bash")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	for name, script := range map[string]string{
		"go": "exit 0", "gcc": "exit 0",
		"grep":    "echo ./arena/some.go",
		"apt-get": "exit 1", // which root would try
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!"+bash+"\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"dirname", "xargs", "sort", "sed", "id", "env", "bash"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("scripts/test needs %s", name)
		}
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, ci := range []string{"", "true"} {
		cmd := exec.Command(bash, filepath.Join(root, "scripts", "test"))
		cmd.Env = []string{"PATH=" + bin, "CC=gcc", "CI=" + ci}
		out, err := cmd.CombinedOutput()
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		last := lines[len(lines)-1]
		for _, want := range []string{
			"the browser tests were not run", "apt-get install chromium && go test ./cmd/thera -run TestBrowser",
			"the tests with engines in Python were not run", "apt-get install python3 && go test ./cmd/thera -run ",
		} {
			if !strings.Contains(last, want) {
				t.Errorf("CI=%s: the last line is %q, without %q", ci, last, want)
			}
		}
		if failed := err != nil; failed != (ci == "true") || failed != (len(lines) == 2) {
			t.Errorf("CI=%s: %v: %s", ci, err, out)
		}
	}
}

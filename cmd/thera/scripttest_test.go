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
	for _, name := range []string{"dirname", "xargs", "sort", "sed", "id", "env", "bash", "mktemp", "tee", "rm"} {
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

// A test that fails beside the others must pass five times by itself and is named in the
// last line; a data race, or a package that fails outside its tests, is final.
func TestScriptRunsFailuresByThemselves(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("scripts/test is a script of bash")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	const failed = "--- FAIL: TestA (0.9s)\n    --- FAIL: TestA/one,_(two) (0.1s)\n        a_test.go:1: said\n" +
		"FAIL\nFAIL\tthera/a\t1s\nok  \tthera/b\t1s\nFAIL\n"
	for name, c := range map[string]struct {
		output string
		alone  string
		fails  bool
	}{
		"steady by itself": {failed, "0", false},
		"fails again":      {failed, "1", true},
		"data race":        {"WARNING: DATA RACE\n" + failed, "0", true},
		"outside its test": {"goleak: found\nFAIL\tthera/a\t1s\n" + failed, "0", true},
	} {
		bin := t.TempDir()
		// Only the first call with packages fails; the call of one test says what it ran.
		program := `case "$*" in
"test -count=5 "*) echo "alone: $*"; exit ` + c.alone + `;;
"test -p 4 "*) cat "$OUTPUT"; exit 1;;
esac`
		for name, script := range map[string]string{"go": program, "gcc": "exit 0", "apt-get": "exit 1", "chromium": "exit 0", "python3": "exit 0"} {
			if err := os.WriteFile(filepath.Join(bin, name), []byte("#!"+bash+"\n"+script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		output := filepath.Join(bin, "output")
		if err := os.WriteFile(output, []byte(c.output), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(bash, filepath.Join(root, "scripts", "test"))
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "OUTPUT="+output, "CC=gcc", "CI=")
		out, err := cmd.CombinedOutput()
		if (err != nil) != c.fails {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		if named := strings.Contains(string(out), "a busy machine failed thera/a TestA/one,_(two)"); named == c.fails {
			t.Errorf("%s: named %v\n%s", name, named, out)
		}
		if !c.fails && !strings.Contains(string(out), `alone: test -count=5 -timeout 20m -run ^TestA$/^one,_\(two\)$ thera/a`) {
			t.Errorf("%s:\n%s", name, out)
		}
	}
}

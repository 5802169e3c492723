package gametest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	testName = regexp.MustCompile("`((?:Test|Fuzz|Benchmark|Example)[A-Za-z0-9_]*)(?:/[^`]*)?`")
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark|Example)[A-Za-z0-9_]*)\(`)
)

// Protocol checks the tables of dir's PROTOCOL.md against the tests in dir and
// below it: the last cell of every row names at least one test that exists, in
// backquotes, or begins with "left out: " and a reason. min is the least number
// of rows.
func Protocol(t *testing.T, dir string, min int) {
	t.Helper()
	for _, problem := range checkProtocol(dir, min) {
		t.Error(problem)
	}
}

func checkProtocol(dir string, min int) []string {
	text, err := os.ReadFile(filepath.Join(dir, "PROTOCOL.md"))
	if err != nil {
		return []string{err.Error()}
	}
	known, err := testsIn(filepath.Join(dir, "..", ".."))
	if err != nil {
		return []string{err.Error()}
	}
	var problems []string
	rows := 0
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		isHead := i+1 < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i+1]), "|-") ||
			i+1 < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i+1]), "| -")
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|-") || strings.HasPrefix(line, "| -") || isHead {
			continue
		}
		rows++
		cells := strings.Split(strings.Trim(line, "|"), "|")
		last := strings.TrimSpace(cells[len(cells)-1])
		if why, ok := strings.CutPrefix(last, "left out:"); ok {
			if len(strings.TrimSpace(why)) < 10 {
				problems = append(problems, fmt.Sprintf("PROTOCOL.md:%d: left out without a reason", i+1))
			}
			continue
		}
		names := testName.FindAllStringSubmatch(last, -1)
		if len(names) == 0 {
			problems = append(problems, fmt.Sprintf("PROTOCOL.md:%d: the last cell %q names no test", i+1, last))
		}
		for _, m := range names {
			if !known[m[1]] {
				problems = append(problems, fmt.Sprintf("PROTOCOL.md:%d: there is no test %s", i+1, m[1]))
			}
		}
	}
	if rows < min {
		problems = append(problems, fmt.Sprintf("PROTOCOL.md has %d rows, want at least %d", rows, min))
	}
	return problems
}

func testsIn(dir string) (map[string]bool, error) {
	known := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range testFunc.FindAllStringSubmatch(string(text), -1) {
			known[m[1]] = true
		}
		return err
	})
	return known, err
}

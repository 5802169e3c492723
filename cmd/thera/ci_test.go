package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"thera/arena/config"
)

// The files of docs/ci name commands that exist, with flags that they have.
func TestCICommands(t *testing.T) {
	calls := regexp.MustCompile(`(?m)(?:^|\s|thera )thera ((?:check|vs|run|results|export|compare|games|test) [^\n]*)`)
	for name, want := range map[string]int{"github-actions.yaml": 3, "pull-request.yaml": 1, "Dockerfile": 1} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", "ci", name))
		if err != nil {
			t.Fatal(err)
		}
		// A folded command goes on in lines that begin with a flag.
		joined := regexp.MustCompile(`\n\s+--`).ReplaceAllString(string(text), " --")
		found := calls.FindAllStringSubmatch(joined, -1)
		if len(found) != want {
			t.Errorf("%s: %d commands, want %d: %q", name, len(found), want, found)
		}
		for _, call := range found {
			line, _, _ := strings.Cut(call[1], " >")
			words, err := config.SplitWords(line)
			if err != nil {
				t.Fatal(err)
			}
			cmd, rest, err := newRoot(nil).Find(words)
			if err != nil || !cmd.Runnable() {
				t.Errorf("%s: %s: %v", name, line, err)
				continue
			}
			if err := cmd.ParseFlags(rest); err != nil {
				t.Errorf("%s: %s: %v", name, line, err)
			}
		}
	}
}

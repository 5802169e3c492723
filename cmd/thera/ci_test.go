package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// The Dockerfile copies what is there, builds what there is, and every instruction is
// one that Docker knows.
func TestDockerfile(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "ci", "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	gomod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	stages := 0
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if !slices.Contains([]string{"FROM", "WORKDIR", "COPY", "RUN", "ENTRYPOINT", "CMD"}, words[0]) {
			t.Errorf("instruction %s", words[0])
		}
		switch {
		case words[0] == "FROM":
			if stages++; stages == 1 && !strings.Contains(string(gomod), "\ngo "+strings.TrimPrefix(words[1], "golang:")) {
				t.Errorf("%s is not the Go version of go.mod", words[1])
			}
		case words[0] == "COPY" && stages == 1:
			for _, from := range words[1 : len(words)-1] {
				if _, err := os.Stat(filepath.Join(root, from)); err != nil {
					t.Error(err)
				}
			}
		case words[0] == "RUN" && strings.Contains(line, "go build"):
			if _, err := os.Stat(filepath.Join(root, words[len(words)-1])); err != nil {
				t.Error(err)
			}
		}
	}
	if stages != 2 {
		t.Errorf("%d stages", stages)
	}
}

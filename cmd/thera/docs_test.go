package main

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"thera/engine/all"
	"thera/engine/game"
)

// TestDocSessions plays the session of each protocol's page with the engine
// that thera init --engine writes: every line of the page is what it answers.
func TestDocSessions(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		const text = "no python3: the sessions of the pages are not played (install python3)"
		if os.Getenv("CI") == "true" {
			t.Fatal(text)
		}
		t.Skip(text)
	}
	for _, g := range all.Games() {
		t.Run(g.Name(), func(t *testing.T) {
			t.Parallel()
			page, err := os.ReadFile(filepath.Join("..", "..", "docs", g.Name()+".md"))
			if errors.Is(err, fs.ErrNotExist) {
				t.Skip("no page")
			}
			if err != nil {
				t.Fatal(err)
			}
			_, rest, found := strings.Cut(string(page), "```session\n")
			session, _, closed := strings.Cut(rest, "```")
			if !found || !closed {
				t.Fatal("the page has no session")
			}
			cmd := exec.CommandContext(t.Context(), python, filepath.Join("starters", "engines", g.Name()+".py"))
			if g.Name() == "hex" {
				cmd.Args = append(cmd.Args, "black")
			}
			playSession(t, cmd, strings.Split(strings.TrimSpace(session), "\n"))
		})
	}
}

// playSession sends the lines after > and compares the answers with the lines after
// <. At the end of the session the engine has nothing more to say.
func playSession(t *testing.T, cmd *exec.Cmd, session []string) {
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	said := 0
	for _, line := range session {
		switch {
		case strings.HasPrefix(line, ">"):
			if _, err := io.WriteString(in, strings.TrimPrefix(strings.TrimPrefix(line, ">"), " ")+"\n"); err != nil {
				t.Fatal(err)
			}
		case strings.HasPrefix(line, "< "):
			got, err := answers.ReadString('\n')
			if got = strings.TrimSuffix(got, "\n"); err != nil || got != line[2:] {
				t.Fatalf("got %q, %v\nwant %q", got, err, line[2:])
			}
			said++
		default:
			t.Fatalf("a session has lines with > and <: %q", line)
		}
	}
	in.Close()
	if more, err := io.ReadAll(answers); err != nil || len(more) > 0 || said == 0 {
		t.Errorf("%d answers, then %q, %v", said, more, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// Links of the documents lead to files that exist, and every page is linked
// from the README or from another page.
func TestDocLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	linked := map[string]bool{}
	link := regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`)
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			target := filepath.Join(filepath.Dir(page), found[1])
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", filepath.Base(page), found[1], err)
			}
			linked[target] = true
		}
	}
	for _, page := range pages {
		if !linked[page] {
			t.Errorf("no page links to %s", filepath.Base(page))
		}
	}
}

// The README has the list of all faults.
func TestFaultsAreDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range game.Faults() {
		if !strings.Contains(string(text), "| `"+string(kind)+"` |") {
			t.Errorf("README lists no fault %q", kind)
		}
	}
}

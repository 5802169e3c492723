package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"thera/engine/all"
	"thera/engine/game"
	"thera/engine/gametest"
)

// Links of the documents lead to files and headings that exist, and docs/README.md links every page.
func TestDocLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]*)(#[^)]*)?\)`)
	inContents := map[string]bool{}
	for _, page := range documents(t) {
		for _, found := range link.FindAllStringSubmatch(outsideBlocks(t, page), -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			target := page
			if found[1] != "" {
				target = filepath.Join(filepath.Dir(page), found[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", filepath.Base(page), found[1], err)
			} else if found[2] != "" && !slices.Contains(anchors(t, target), found[2]) {
				t.Errorf("%s links to %s%s: no such heading", filepath.Base(page), found[1], found[2])
			}
			if filepath.Base(filepath.Dir(page)) == "docs" && filepath.Base(page) == "README.md" {
				inContents[target] = true
			}
		}
	}
	for _, page := range documents(t) {
		if filepath.Base(page) != "README.md" && !inContents[page] {
			t.Errorf("docs/README.md does not link %s", filepath.Base(page))
		}
	}
}

// outsideBlocks is the text of a page without its fenced blocks.
func outsideBlocks(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	gametest.OK(t, err)
	return regexp.MustCompile("(?ms)^ *```.*?^ *```$").ReplaceAllString(string(text), "")
}

// anchors are the headings of a page, as links name them.
func anchors(t *testing.T, page string) []string {
	t.Helper()
	var all []string
	for _, found := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(outsideBlocks(t, page), -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(found[1]), "")
		all = append(all, "#"+strings.ReplaceAll(name, " ", "-"))
	}
	return all
}

// docs/faults.md has the list of all faults, and docs/commands.md that of all commands.
func TestListsAreComplete(t *testing.T) {
	has := func(page, row string) {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
		gametest.OK(t, err)
		if !strings.Contains(string(text), row) {
			t.Errorf("docs/%s has no %q", page, row)
		}
	}
	for _, kind := range game.Faults() {
		has("faults.md", "| `"+string(kind)+"` |")
	}
	for _, cmd := range newRoot(nil).Commands() {
		if !cmd.Hidden && cmd.Name() != "help" && cmd.Name() != "completion" {
			has("commands.md", "`"+cmd.Name())
		}
	}
}

// What scripts/publish made is of today's players and as it was written: its last line has the signatures of the
// players and the hash of all before it.
func TestPublished(t *testing.T) {
	var files []string
	for _, pattern := range []string{"results/*.md", "results/*.svg", "docs/*.svg"} {
		found, err := filepath.Glob(filepath.Join("..", "..", pattern))
		gametest.OK(t, err)
		files = append(files, found...)
	}
	if len(files) < 5 {
		t.Errorf("only %v", files)
	}
	seal := regexp.MustCompile(`<!-- scripts/publish (\w+): \d{4}-\d\d-\d\d, commit [0-9a-f]+((?:, [a-z]+ \d+)*), sha256 ([0-9a-f]{16}) -->\n$`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		gametest.OK(t, err)
		found := seal.FindSubmatchIndex(text)
		if found == nil {
			t.Errorf("%s does not end with the line of scripts/publish", filepath.Base(name))
			continue
		}
		part := func(i int) string { return string(text[found[2*i]:found[2*i+1]]) }
		if sum := fmt.Sprintf("%x", sha256.Sum256(text[:found[0]]))[:16]; sum != part(3) {
			t.Errorf("%s is not as scripts/publish %s wrote it", filepath.Base(name), part(1))
		}
		for _, player := range strings.Split(part(2), ", ")[1:] {
			game, signature, _ := strings.Cut(player, " ")
			if p := all.Player(game); p == nil || strconv.FormatInt(p.Version().Signature, 10) != signature {
				t.Errorf("%s is of another player of %s: scripts/publish %s makes it again", filepath.Base(name), game, part(1))
			}
		}
	}
}

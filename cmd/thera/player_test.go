package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"thera/engine/all"
)

// The versions of the built-in players are true: with another one, results of before
// belong to another engine.
func TestPlayers(t *testing.T) {
	for _, g := range all.Games() {
		nodes, err := all.Player(g.Name()).Signature(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		is := player{signature: nodes, weights: embedded(t, "thera/engine/"+g.Name()), revision: players[g.Name()].revision}
		if players[g.Name()] != is {
			t.Errorf("the player of %s is %#v, and %#v is noted", g.Name(), is, players[g.Name()])
		}
	}
	if len(players) != len(all.Games()) {
		t.Errorf("%d players for %d games", len(players), len(all.Games()))
	}
}

// embedded is the SHA-256 of the files that a game's packages embed, "" if there are
// none.
func embedded(t *testing.T, game string) string {
	t.Helper()
	const format = `{{range .EmbedFiles}}{{$.ImportPath}} {{$.Dir}}/{{.}}{{"\n"}}{{end}}`
	out, err := exec.Command("go", "list", "-deps", "-f", format, game).Output()
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for line := range strings.Lines(string(out)) {
		if from, file, _ := strings.Cut(strings.TrimSpace(line), " "); from == game || strings.HasPrefix(from, game+"/") {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return ""
	}
	slices.Sort(files)
	sum := sha256.New()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		one := sha256.Sum256(text)
		sum.Write(one[:])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Whatever decides how a player plays makes another version.
func TestPlayerVersion(t *testing.T) {
	p := player{signature: 1, weights: "a", revision: 1}
	seen := []string{p.version("hex"), p.version("mill"), playerVersion("nosuch")}
	for _, other := range []player{{2, "a", 1}, {1, "b", 1}, {1, "a", 2}} {
		version := other.version("hex")
		if slices.Contains(seen, version) {
			t.Errorf("%+v has the version of another player", other)
		}
		seen = append(seen, version)
	}
	if seen[0] == seen[1] || seen[2] != "" {
		t.Errorf("two games have the versions %q, one that is not there %q", seen[:2], seen[2])
	}
}

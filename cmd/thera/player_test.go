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
	"thera/engine/gametest"
)

// The versions of the built-in players are true: with another one, results of before
// belong to another engine.
func TestPlayers(t *testing.T) {
	for _, g := range all.Games() {
		p := all.Player(g.Name())
		noted := p.Version()
		if noted.Signature == 0 { // a game whose version is the program
			continue
		}
		is := noted
		is.Weights = embedded(t, "thera/engine/"+g.Name())
		var err error
		if is.Signature, err = p.Signature(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if noted != is {
			t.Errorf("the player of %s is %+v, and %+v is noted", g.Name(), is, noted)
		}
	}
}

// embedded is the SHA-256 of the files that a game's packages embed, "" if there are
// none.
func embedded(t *testing.T, game string) string {
	t.Helper()
	const format = `{{range .EmbedFiles}}{{$.ImportPath}} {{$.Dir}}/{{.}}{{"\n"}}{{end}}`
	out, err := exec.Command("go", "list", "-deps", "-f", format, game).Output()
	gametest.OK(t, err)
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
		gametest.OK(t, err)
		one := sha256.Sum256(text)
		sum.Write(one[:])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

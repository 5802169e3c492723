package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
)

// The turn that only this god has, in words.
func TestGodsInWords(t *testing.T) {
	var b strings.Builder
	for _, r := range roles() {
		if r.After != nil {
			fmt.Fprintf(&b, "%s: %s\n", r.Name, r.Example.Words(game.By(r.Example.ToMove().Only(), r.After.String())))
		}
	}
	gametest.Golden(t, filepath.Join("testdata", "gods", "words.golden"), []byte(b.String()))
}

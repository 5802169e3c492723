package starters

import (
	"bytes"
	"os"
	"testing"

	"thera/engine/all"
)

// Every game with a page has an engine in Python, and no source is empty or misses the
// commands that its comment promises.
func TestEveryGameHasAnEngine(t *testing.T) {
	for _, g := range all.Games() {
		if _, err := os.Stat("../../../docs/" + g.Name() + ".md"); err != nil {
			continue
		}
		languages := Languages(g.Name())
		if len(languages) == 0 {
			t.Errorf("%s: no engine", g.Name())
		}
		for _, language := range append(languages, "python") {
			text, file, err := Source(g.Name(), language)
			if err != nil {
				t.Errorf("%s: %v", g.Name(), err)
				continue
			}
			for _, want := range []string{"thera check -- ./" + g.Name(), "thera vs builtin ./" + g.Name(), "docs/" + g.Name() + ".md"} {
				if !bytes.Contains(text, []byte(want)) {
					t.Errorf("%s: no %q", file, want)
				}
			}
		}
	}
	if _, _, err := Source("hex", "cobol"); err == nil {
		t.Error("an engine in an unknown language")
	}
}

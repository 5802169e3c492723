// Package starters has small, complete engines that `thera init --engine` writes
// as a start for a user's own: one source file for each game and language.
//
// They are meant to be read and changed. They look one move ahead and refuse to
// be strong.
package starters

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"thera/arena"
)

//go:embed engines
var engines embed.FS

// Source returns the engine's source text, and a file name for it.
func Source(game, language string) (text []byte, file string, err error) {
	file = game + "." + suffix[language]
	name := path.Join("engines", file)
	if language == "go" {
		name = path.Join("engines", game, "main.go") // a package of its own, so that it is built and vetted
	}
	if text, err = engines.ReadFile(name); err != nil {
		known := Languages(game)
		if len(known) == 0 {
			return nil, "", fmt.Errorf("no engine to start from for game %q", game)
		}
		if near := arena.Nearest(language, known); near != "" {
			return nil, "", fmt.Errorf("no engine for %s in language %q, did you mean %s?", game, language, near)
		}
		return nil, "", fmt.Errorf("no engine for %s in language %q, expected %s", game, language, strings.Join(known, ", "))
	}
	return text, file, nil
}

var suffix = map[string]string{"python": "py", "go": "go", "c": "c"}

// Languages lists the languages in which there is an engine for game.
func Languages(game string) []string {
	var known []string
	for language, end := range suffix {
		name := game + "." + end
		if language == "go" {
			name = game
		}
		if _, err := engines.Open(path.Join("engines", name)); err == nil {
			known = append(known, language)
		}
	}
	slices.Sort(known)
	return known
}

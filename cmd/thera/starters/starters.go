// Package starters has small, complete engines that `thera init --engine` writes
// as a start: one source file for each game and language.
//
// They are meant to be read and changed. They look one move ahead and refuse to
// be strong.
package starters

import (
	"embed"

	"thera/engine/game"
)

//go:embed engines
var engines embed.FS

var suffix = map[string]string{"python": ".py", "c": ".c"}

// Source returns the engine's source text, and a file name for it.
func Source(of, language string) (text []byte, file string, err error) {
	file = of + suffix[language]
	if text, err = engines.ReadFile("engines/" + file); err != nil {
		err = game.Unknown("language of engines for "+of, language, Languages(of))
	}
	return text, file, err
}

// Languages lists the languages in which there is an engine for a game.
func Languages(of string) (known []string) {
	for _, language := range []string{"c", "python"} {
		if _, err := engines.Open("engines/" + of + suffix[language]); err == nil {
			known = append(known, language)
		}
	}
	return known
}

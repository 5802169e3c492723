// Package starters has small, complete engines that `thera init --engine` writes
// as a start: one source file for each game and language.
//
// They are meant to be read and changed. They look one move ahead and refuse to
// be strong.
package starters

import (
	"embed"

	"thera/arena"
)

//go:embed engines
var engines embed.FS

var suffix = map[string]string{"python": ".py", "c": ".c"}

// Source returns the engine's source text, and a file name for it.
func Source(game, language string) (text []byte, file string, err error) {
	file = game + suffix[language]
	if text, err = engines.ReadFile("engines/" + file); err != nil {
		err = arena.Unknown("language of engines for "+game, language, Languages(game))
	}
	return text, file, err
}

// Languages lists the languages in which there is an engine for game.
func Languages(game string) (known []string) {
	for _, language := range []string{"c", "python"} {
		if _, err := engines.Open("engines/" + game + suffix[language]); err == nil {
			known = append(known, language)
		}
	}
	return known
}

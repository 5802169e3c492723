//go:build unix

package main

import "strings"

// gyges is the engine of the written protocol: a stop before its first info line kills
// its search, which then never answers, and it spins at the end of its input.
func gyges() manners {
	searching, dead, looked := false, false, false
	return manners{
		game: "gyges", banner: "Gyges UGI Engine v1.1.0", deafToEnd: true,
		hear: func(line string) (tell, say []string) {
			word, _, _ := strings.Cut(line, " ")
			switch {
			case word == "go":
				searching, looked = true, false
			case word == "stop" && !searching:
				return nil, nil
			case word == "stop" && !looked:
				dead = true
			}
			return []string{line}, nil
		},
		said: func(line string) []string {
			word, rest, _ := strings.Cut(line, " ")
			switch {
			case word == "option" && rest != "maxPly" && rest != "maxTime":
				return nil
			case word == "info":
				looked = true
			case word == "bestmove":
				searching = false
			}
			if dead && (word == "info" || word == "bestmove") {
				return nil
			}
			return []string{line}
		},
	}
}

//go:build unix

package main

import (
	"slices"
	"strings"
)

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

// gygesHead is today's engine: more options, a line before each search, a score with a
// fraction behind the move, and nothing on a stop while idle.
func gygesHead() manners {
	more := []string{"randomize", "nn", "weightsPath", "threads"}
	searching, score := false, "0.000"
	return manners{
		game: "gyges", banner: "Gyges UGI Engine v2.0.0",
		hear: func(line string) (tell, say []string) {
			words := strings.Fields(line)
			switch {
			case len(words) == 0:
				return nil, nil
			case words[0] == "go":
				searching, score = true, "0.000"
				return []string{line}, []string{"info string classical evaluation enabled"}
			case words[0] == "stop" && !searching:
				return nil, nil
			case words[0] == "setoption" && len(words) > 1 && slices.Contains(more, words[1]):
				return nil, nil
			}
			return []string{line}, nil
		},
		said: func(line string) (say []string) {
			words := strings.Fields(line)
			switch {
			case strings.HasPrefix(line, "id name "):
				return []string{"id name Helios"}
			case strings.HasPrefix(line, "id author "):
				return []string{"id author Beck-Bjella"}
			case words[0] == "option" && !slices.Contains([]string{"maxPly", "maxTime", "maxNodes"}, words[1]):
				return nil
			case words[0] == "ugiok":
				for _, name := range more {
					say = append(say, "option "+name)
				}
				return append(say, line)
			case words[0] == "info" && words[1] == "string":
				return nil
			case words[0] == "info":
				if at := slices.Index(words, "score"); at >= 0 {
					words[at+1] += ".000"
					score = words[at+1]
				}
				return []string{strings.Join(words, " ")}
			case words[0] == "bestmove":
				searching = false
				return []string{line + " score " + score + " time 0.001"}
			}
			return []string{line}
		},
	}
}

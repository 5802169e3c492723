//go:build unix

package main

import (
	"errors"
	"strings"
)

// hexBot is the bot of the recorded sessions: its only argument is its colour, it has no
// limit of time, and as white it swaps whatever the first stone is.
func hexBot() manners {
	white, swapped := false, false
	stones := map[string]bool{} // by their coordinate; true if they are its own
	return manners{
		game: "hex",
		arguments: func(words []string) ([]string, error) {
			if len(words) != 1 || words[0] != "black" && words[0] != "white" {
				return nil, errors.New("usage: main.py [-h] <COLOR>")
			}
			white = words[0] == "white"
			return []string{words[0], "--playouts", "200"}, nil
		},
		hear: func(line string) (tell, say []string) {
			word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch word {
			case "init_board":
				clear(stones)
				swapped = false
			case "sety", "seto":
				stones[rest] = word == "sety"
			case "unset":
				delete(stones, rest)
			case "swap":
				swapped = true
			case "make_move":
				if white && !swapped && len(stones) == 1 {
					swapped = true
					return []string{"swap"}, []string{"swap"}
				}
			}
			return []string{line}, nil
		},
		said: func(line string) []string {
			if line != "" && line[0] >= 'a' && line[0] <= 'z' && line != "error" {
				stones[line] = true
			}
			return []string{line}
		},
	}
}

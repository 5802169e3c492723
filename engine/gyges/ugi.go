package gyges

import (
	"math"
	"strconv"
	"strings"

	"thera/engine/game"
)

// The words of UGI that both directions use.
const (
	wordBest = "bestmove"
	wordInfo = "info"

	optionPly   = "maxPly"
	optionTime  = "maxTime"
	optionNodes = "maxNodes"
	optionClear = "clearHash"
)

// provenScore stands for "inf" in a Report, which holds whole numbers.
const provenScore = 1_000_000_000

// noMove are the ways in which engines say that they have no usable move.
func noMove(text string) bool {
	return text == "null" || text == "none" || text == "100|100|100"
}

// readScore reads a score: a number with or without a fraction, or an
// infinity.
func readScore(text string) (score int, ok bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) {
		return 0, false
	}
	return int(math.Round(max(-provenScore, min(f, provenScore)))), true
}

// readInfo reads what follows `info` or a `bestmove`'s move: words and their
// values in any order, the principal variation last. Unknown words are passed
// over. rotated says that moves are to be turned.
func readInfo(fields []string, rotated bool, into *game.Report) {
	for i := 0; i+1 < len(fields); i++ {
		value := fields[i+1]
		switch fields[i] {
		case "ply":
			if n, err := strconv.Atoi(value); err == nil && n >= 0 {
				into.Depth = n
			}
		case "nodes":
			if n, err := strconv.ParseInt(value, 10, 64); err == nil && n >= 0 {
				into.Nodes = n
			}
		case "score":
			if n, ok := readScore(value); ok {
				into.Score, into.Known = n, true
			}
		case "pv":
			into.PV = turned(fields[i+1:], rotated)
			return
		default:
			continue
		}
		i++
	}
}

// turned joins the moves of a line of play, each on the board as it really
// stands. What is no move stays as it is.
func turned(moves []string, rotated bool) string {
	if !rotated {
		return strings.Join(moves, " ")
	}
	line := make([]string, len(moves))
	for i, text := range moves {
		line[i] = turnedMove(text)
	}
	return strings.Join(line, " ")
}

func turnedMove(text string) string {
	m, err := ParseMove(text)
	if err != nil {
		return text
	}
	return m.rotate().String()
}

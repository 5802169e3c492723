package protocol

import (
	"math"
	"strconv"
	"strings"

	"thera/engine/game"
	"thera/engine/gyges/rules"
)

// The words of UGI that both directions use.
const (
	wordBest = "bestmove"
	wordInfo = "info"
)

// The options that bound a search, in the protocol's text, and clearHash, which clients
// use for a new game.
const (
	optionPly   = "maxPly"
	optionTime  = "maxTime"
	optionNodes = "maxNodes"
	optionClear = "clearHash"
)

// provenScore stands for "inf" in a SearchInfo, which holds whole numbers.
const provenScore = 1_000_000_000

// noMove reports whether a best move is one of the words for no move.
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

// readInfo reads what follows `info` or the move of a `bestmove`: words and their
// values in any order, the principal variation last. It skips unknown words.
// rotated tells that the engine's board is rotated.
func readInfo(fields []string, rotated bool, into *game.SearchInfo) {
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

// turned joins the moves of a principal variation, rotated back to the real
// board. Words that are not moves stay as they are.
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
	m, err := rules.ParseMove(text)
	if err != nil {
		return text
	}
	return m.Rotate().String()
}

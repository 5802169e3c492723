package protocol

import (
	"slices"
	"strconv"
	"strings"

	"thera/engine/game"
	"thera/engine/mill/rules"
)

// content is what a line of an engine contains.
type content struct {
	answered bool   // bestmove
	move     string // the word after it, "" if there is none
	info     bool   // something about the search
}

// matePoints is the report's score of a mate at once; each move further away
// takes one off.
const matePoints = 100_000

// readLine reads a line during a search. The answer may stand anywhere in it;
// only `info string` is free text. What it says about the search goes to
// report, from the mover's view.
func readLine(line string, mover rules.Side, report *game.SearchInfo) content {
	words := strings.Fields(line)
	if len(words) >= 2 && words[0] == "info" && words[1] == "string" {
		return content{}
	}
	var h content
	best := slices.Index(words, "bestmove")
	if best >= 0 {
		h.answered = true
		if best+1 < len(words) {
			h.move = words[best+1]
		}
		words = words[:best]
	}
	if len(words) > 0 && words[0] == "info" {
		h.info = readInfo(words[1:], mover, report)
	}
	return h
}

// readInfo reads the pairs of an info line and reports whether it knew any.
func readInfo(words []string, mover rules.Side, report *game.SearchInfo) bool {
	known := false
	for i := 0; i < len(words); i++ {
		number := func(at int) (int64, bool) {
			if at >= len(words) {
				return 0, false
			}
			n, err := strconv.ParseInt(words[at], 10, 64)
			return n, err == nil
		}
		switch words[i] {
		case "depth":
			if n, ok := number(i + 1); ok {
				report.Depth, known = int(n), true
				i++
			}
		case "nodes":
			if n, ok := number(i + 1); ok {
				report.Nodes, known = n, true
				i++
			}
		case "score":
			used, score := readScore(words[i+1:], mover)
			if used > 0 {
				report.Score, report.Known, known = score, true, true
				i += used
			}
		case "pv":
			report.PV, known = strings.Join(words[i+1:], " "), true
			return known
		case "time", "currmove", "currmovenumber", "nps", "hashfull", "seldepth":
			known = true
			i++
		}
	}
	return known
}

// readScore reads what follows `score`: `cp N` and `mate N` are the mover's
// view, a bare number is white's. It returns the number of words used.
func readScore(words []string, mover rules.Side) (used, score int) {
	if len(words) == 0 {
		return 0, 0
	}
	if n, err := strconv.Atoi(words[0]); err == nil {
		if mover == rules.Black {
			n = -n
		}
		return 1, n
	}
	if len(words) < 2 {
		return 0, 0
	}
	n, err := strconv.Atoi(words[1])
	switch {
	case err != nil:
		return 0, 0
	case words[0] == "cp":
		return 2, n
	case words[0] == "mate" && (n < 0 || words[1] == "-0"):
		return 2, -matePoints - n
	case words[0] == "mate":
		return 2, matePoints - n
	}
	return 0, 0
}

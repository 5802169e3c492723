package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"thera/arena"
	"thera/engine/game"
)

// The most that is taken of what a worker says. What the arena of an honest worker makes itself
// is within these bounds. It is made fit to be shown where it is shown.
const (
	mostGames  = 4 << 20 // bytes of a pair
	mostValues = 1 << 19 // in its lists: few bytes name much
	mostText   = 4 << 10 // bytes of a turn, and of a fault
	mostFigure = 1e9     // seconds, depth, score, lines
	mostNodes  = 1e15    // of a move: a million games of such moves can be added up
	mostRemark = 1000    // bytes of a remark about a worker, and of what its sandbox holds
)

// Pack writes the games of a pair as a worker sends them, in at most so many bytes: the JSON of
// an export. What engines said is left out where it does not fit.
func Pack(games []*arena.Game, most int64) ([]byte, error) {
	most = min(most, mostGames)
	data, err := pack(games)
	if err != nil || int64(len(data)) <= most {
		return data, err
	}
	for _, rec := range games {
		rec.Tail, rec.Stderr, rec.Input, rec.Detail = [2][]string{}, [2]string{}, [2]string{}, ""
		rec.Warnings = []string{fmt.Sprintf("what the engines said is left out: the pair has %d bytes, and %d are the most", len(data), most)}
		for i := range rec.Plies {
			rec.Plies[i].Said = nil
		}
	}
	if data, err = pack(games); err == nil && int64(len(data)) > most {
		err = fmt.Errorf("the games of a pair have %d bytes, and %d are the most", len(data), most)
	}
	return data, err
}

func pack(games []*arena.Game) ([]byte, error) {
	var lines []*arena.GameLine
	for _, rec := range games {
		lines = append(lines, rec.Line(""))
	}
	return json.Marshal(lines)
}

// unpack reads what Pack wrote, or anything else.
func unpack(data []byte) (games []*arena.Game, err error) {
	if len(data) > mostGames || bytes.Count(data, []byte(",")) > mostValues {
		return nil, fmt.Errorf("a pair of %d bytes has more than any has", len(data))
	}
	var lines [3]*arena.GameLine // what follows is skipped
	err = json.Unmarshal(data, &lines)
	if err == nil && (lines[0] == nil || lines[2] != nil) {
		err = errors.New("expected the games of a pair")
	}
	for _, line := range lines[:2] {
		if err == nil && line != nil {
			var rec *arena.Game
			rec, err = line.Checked()
			games = append(games, rec)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", err)
	}
	return games, nil
}

// bound bounds what a worker said, and drops what only the host knows. The error is a move that
// cannot be shown.
func bound(rec *arena.Game) error {
	rec.Job, rec.Status, rec.Attempt, rec.Dispute, rec.By = arena.Job{}, arena.StatusCounted, 0, nil, nil
	if rec.Fault != nil {
		rec.Fault = &game.Fault{Kind: rec.Fault.Kind, Detail: cut(rec.Fault.Detail, mostText)}
	}
	rec.Outcome.Reason = cut(rec.Outcome.Reason, mostText)
	for i, move := range rec.Moves {
		if len(move) > mostText || strings.ContainsFunc(move, unicode.IsControl) {
			return fmt.Errorf("ply %d: a move that is no line of text, or is too long: %q", i+1, cut(move, 100))
		}
	}
	const longest = time.Duration(mostFigure) * time.Second
	for i := range rec.Plies {
		p := &rec.Plies[i]
		p.Wall, p.CPU = min(p.Wall, longest), min(p.CPU, longest)
		p.Depth, p.Nodes = min(p.Depth, mostFigure), min(p.Nodes, mostNodes)
		p.Score = min(max(p.Score, -mostFigure), mostFigure)
	}
	rec.Idle[0], rec.Idle[1] = min(rec.Idle[0], longest), min(rec.Idle[1], longest)
	rec.Passed = min(rec.Passed, mostFigure)
	return nil
}

// cut returns at most most bytes of text.
func cut(text string, most int) string {
	const mark = "…"
	if len(text) <= most {
		return text
	}
	end := most - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}

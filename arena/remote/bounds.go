package remote

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"thera/arena"
	"thera/engine/game"
)

// The most that is kept of what a worker says. What the arena of an honest worker makes
// itself is within these bounds, and games beyond them are refused. What engines print
// may be longer, and is cut, or left out. It is made fit to be shown where it is shown.
const (
	mostPlies   = 100_000
	mostMove    = 4 << 10   // bytes of a turn
	mostTime    = 1e7       // seconds of a game, and of anything in it
	mostPassed  = 1 << 32   // lines passed over in a game
	mostDepth   = 1_000_000 // of one move, as an engine says
	mostNodes   = 1e15      // likewise: a million games of such moves can be added up
	mostReason  = 4 << 10   // bytes of a fault
	mostSaid    = 4 << 20   // bytes of a pair of games beyond which what engines said is left out
	mostRemark  = 1000      // bytes of a remark about a worker, and of what its sandbox holds
	mostSpeed   = 1e9       // reference speed
	mostMembers = 1 << 17   // workers of one run, those that were expelled as well
)

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

// remark is a sentence with words of a worker.
func remark(format string, args ...any) string { return cut(fmt.Sprintf(format, args...), mostRemark) }

// beyond returns what a record has more of than a game can have.
func beyond(rec *arena.Game) error {
	if len(rec.Moves) > mostPlies || len(rec.Plies) > 2*mostPlies {
		return fmt.Errorf("%d turns and figures of %d moves, and %d turns are the most",
			len(rec.Moves), len(rec.Plies), mostPlies)
	}
	for i, move := range rec.Moves {
		if len(move) > mostMove || strings.ContainsFunc(move, unicode.IsControl) {
			return fmt.Errorf("ply %d: a move of %d bytes that is no line of text, or is too long: %q",
				i+1, len(move), cut(move, 100))
		}
	}
	const most = time.Duration(mostTime * float64(time.Second))
	for i := range rec.Plies {
		if p := &rec.Plies[i]; p.Wall > most || p.CPU > most {
			return fmt.Errorf("a move of %v, with %v of CPU time", p.Wall, p.CPU)
		}
	}
	if rec.Idle[0] > most || rec.Idle[1] > most || int64(rec.Passed) > mostPassed {
		return fmt.Errorf("%v of CPU time outside the own turns, and %d lines passed over", rec.Idle, rec.Passed)
	}
	return nil
}

// trim bounds what engines said of themselves, and drops what only the host knows.
func trim(rec *arena.Game) {
	rec.Job, rec.Status, rec.Attempt, rec.Dispute, rec.By = arena.Job{}, arena.StatusCounted, 0, nil, nil
	if rec.Fault != nil {
		rec.Fault = &game.Fault{Kind: rec.Fault.Kind, Detail: cut(rec.Fault.Detail, mostReason)}
	}
	rec.Outcome.Reason = cut(rec.Outcome.Reason, mostReason)
	for i := range rec.Plies {
		p := &rec.Plies[i]
		p.Depth, p.Nodes = min(p.Depth, mostDepth), min(p.Nodes, mostNodes)
		p.Score = min(max(p.Score, -math.MaxInt32), math.MaxInt32)
	}
}

// mute leaves out what engines said.
func mute(games []*arena.Game, why string) {
	for _, rec := range games {
		rec.Tail, rec.Stderr, rec.Detail = [2][]string{}, [2]string{}, ""
		rec.Warnings = []string{"what the engines said is left out: " + why}
		for i := range rec.Plies {
			rec.Plies[i].Said = nil
		}
	}
}

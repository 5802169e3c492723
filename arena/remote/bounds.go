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
// may be longer, and is cut.
const (
	mostPlies   = 100_000
	mostMove    = 4 << 10   // bytes of a turn
	mostTime    = 1e7       // seconds of a game, and of anything in it
	mostPassed  = 1 << 32   // lines passed over in a game
	mostDepth   = 1_000_000 // of one move, as an engine says
	mostNodes   = 1e15      // likewise: a million games of such moves can be added up
	mostLine    = 4 << 10   // bytes of a line: a warning, a line of a conversation, a text about a move
	mostDetail  = 64 << 10  // bytes of a fault's detail, and of the end of a stderr
	mostLines   = 300       // warnings of a game, lines kept of a conversation, texts about a move
	mostSaid    = 4 << 20   // bytes of all that engines said about their moves in a game
	mostRemark  = 1000      // bytes of a remark about a worker, and of what its sandbox holds
	mostSpeed   = 1e9       // reference speed
	mostSession = 64        // bytes
	mostMembers = 1 << 17   // workers of one run, those that were expelled as well
)

const (
	cutMark   = "…"
	clearMark = '\uFFFD' // in place of a character that cannot be shown
)

// plain returns at most most bytes of text, without characters that move a cursor, turn
// the direction of writing or cannot be seen. With lines, ends of lines stay.
func plain(text string, most int, lines bool) string {
	if len(text) <= most && ascii(text) {
		return text
	}
	if len(text) > most {
		end := most - len(cutMark)
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end] + cutMark
	}
	text = strings.ToValidUTF8(text, string(clearMark))
	mapped := strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) || lines && r == '\n' {
			return r
		}
		if r == '\t' || r == '\n' || r == '\r' {
			return ' '
		}
		return clearMark
	}, text)
	if len(mapped) > most { // marks are longer than what they replace
		return plain(mapped, most, lines)
	}
	return mapped
}

// ascii reports whether text has no other characters than the printable ones of ASCII.
func ascii(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// remark is a sentence with words of a worker.
func remark(format string, args ...any) string {
	return plain(fmt.Sprintf(format, args...), mostRemark, false)
}

// beyond returns what a record has more of than a game can have.
func beyond(rec *arena.Game) error {
	if len(rec.Moves) > mostPlies || len(rec.Plies) > 2*mostPlies {
		return fmt.Errorf("%d turns and figures of %d moves, and %d turns are the most",
			len(rec.Moves), len(rec.Plies), mostPlies)
	}
	for i, move := range rec.Moves {
		if len(move) > mostMove || plain(move, mostMove, false) != move {
			return fmt.Errorf("ply %d: a move of %d bytes that is no line of text, or is too long: %q",
				i+1, len(move), plain(move, 100, false))
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

// trim cuts what engines said, and drops what only the host knows.
func trim(rec *arena.Game) {
	rec.Job, rec.Status, rec.Attempt, rec.Dispute, rec.By = arena.Job{}, arena.StatusCounted, 0, nil, nil
	rec.Warnings = trimLines(rec.Warnings)
	rec.Detail = plain(rec.Detail, mostDetail, true)
	if rec.Fault != nil {
		rec.Fault = &game.Fault{Kind: rec.Fault.Kind, Detail: plain(rec.Fault.Detail, mostLine, false)}
	}
	rec.Outcome.Reason = plain(rec.Outcome.Reason, mostLine, false)
	for i := range rec.Tail {
		rec.Tail[i] = trimLines(rec.Tail[i])
		rec.Stderr[i] = plain(rec.Stderr[i], mostDetail, true)
	}
	left := mostSaid
	for i := range rec.Plies {
		p := &rec.Plies[i]
		p.Depth, p.Nodes = min(p.Depth, mostDepth), min(p.Nodes, mostNodes)
		p.Score = min(max(p.Score, -math.MaxInt32), math.MaxInt32)
		if p.Said != nil && left > 0 {
			trimSaid(p.Said, &left)
		}
		if left <= 0 {
			p.Said = nil
		}
	}
}

func trimLines(texts []string) []string {
	more := len(texts) - mostLines
	if more > 0 {
		texts = append(texts[:mostLines-1:mostLines-1], fmt.Sprintf("%s and %d more", cutMark, more+1))
	}
	for i := range texts {
		texts[i] = plain(texts[i], mostLine, false)
	}
	return texts
}

// trimSaid cuts what an engine said about a move, of which left bytes may be kept.
func trimSaid(s *game.Details, left *int) {
	for _, text := range []*string{&s.CurrMove, &s.CurrLine, &s.PV, &s.Target} {
		*text = plain(*text, mostLine, false)
		*left -= len(*text)
	}
	s.Texts = trimLines(s.Texts)
	for _, text := range s.Texts {
		*left -= len(text)
	}
}

package santorini

import (
	"fmt"
	"strconv"
	"strings"
)

// form is the way a position is written. Form v1 writes workers as indices and
// the winner as `god#:`, v2 writes squares and `#god:`. What a god keeps stands
// in brackets behind its name in both, its squares always as names.
type form uint8

const (
	formV1 form = iota
	formV2
)

// fitsV1 reports whether engines of dialect v1 can know p: two of the four
// first gods, each with both workers on the board.
func (p *state) fitsV1() bool {
	return p.god[0] <= hephaestus && p.god[1] <= hephaestus &&
		size(p.workers[0]) == 2 && size(p.workers[1]) == 2
}

// reversed reports whether the two sides place in the order second, first.
// The text then calls the side that places first "1" all the same.
func (p *state) reversed() bool {
	return p.up[0] == 0 && (p.workers[0] == 0 || p.workers[1] == 0) &&
		gods[p.god[1]].placesFirst && !gods[p.god[0]].placesFirst
}

// text writes p. Form v1 does not know sides that have yet to place or have lost
// workers to a god who cannot take any: such a position is written in v2.
func (p *state) text(f form) string { return string(p.appendTo(make([]byte, 0, 96), f)) }

// appendTo appends what text writes.
func (p *state) appendTo(out []byte, f form) []byte {
	for i := range 2 {
		if low, high := p.counts(i, formV1); p.workers[i] == 0 || size(p.workers[i]) < low || size(p.workers[i]) > high {
			f = formV2
		}
	}
	for s := range squares {
		out = append(out, '0'+byte(p.height(s)))
	}
	label := p.mover & 1
	if p.reversed() {
		label ^= 1
	}
	out = append(out, '/', '1'+label)
	for i := range 2 {
		won := int(p.winner) == i+1
		out = append(out, '/')
		if won && f == formV2 {
			out = append(out, '#')
		}
		out = append(out, p.god[i].String()...)
		if show := gods[p.god[i]].show; show != nil {
			out = append(out, show(p.power[i])...)
		}
		if won && f == formV1 {
			out = append(out, '#')
		}
		for w, sep := p.workers[i], byte(':'); w != 0; w, sep = w&(w-1), ',' {
			out = append(out, sep)
			if f == formV1 {
				out = strconv.AppendInt(out, int64(lowest(w)), 10)
			} else {
				at := lowest(w)
				out = append(out, 'A'+byte(at%side), '5'-byte(at/side))
			}
		}
	}
	return out
}

// parse reads either form, strictly: what it accepts is a position that play
// can reach as far as a single position can tell, and the error names the
// field that is wrong. The form is v1 where both sides have workers and all
// are indices.
func parse(text string) (state, form, error) {
	var p state
	fields, ok := fieldsOf(text)
	if !ok {
		return state{}, 0, fmt.Errorf("position %q: %d fields, want 4: heights/side to move/player 1/player 2", clip(text), strings.Count(text, "/")+1)
	}
	if err := p.parseHeights(fields[0]); err != nil {
		return state{}, 0, fmt.Errorf("position: heights: %w", err)
	}
	if fields[1] != "1" && fields[1] != "2" {
		return state{}, 0, fmt.Errorf("position: side to move: %q, want 1 or 2", clip(fields[1]))
	}
	p.mover = fields[1][0] - '1'
	f := formV1
	for i := range 2 {
		names, err := p.parseSide(i, fields[2+i])
		if err != nil {
			return state{}, 0, fmt.Errorf("position: player %d: %w", i+1, err)
		}
		if names || p.workers[i] == 0 {
			f = formV2
		}
	}
	if p.reversed() {
		p.mover ^= 1
	}
	if err := p.check(f); err != nil {
		return state{}, 0, fmt.Errorf("position: %w", err)
	}
	return p, f, nil
}

// fieldsOf cuts a text at its three slashes.
func fieldsOf(text string) (fields [4]string, ok bool) {
	for i := range 3 {
		if fields[i], text, ok = strings.Cut(text, "/"); !ok {
			return fields, false
		}
	}
	fields[3] = text
	return fields, strings.IndexByte(text, '/') < 0
}

func (p *state) parseHeights(text string) error {
	if len(text) != squares {
		return fmt.Errorf("%d digits, want %d: %q", len(text), squares, clip(text))
	}
	for s := range squares {
		h := int(text[s]) - '0'
		if h < 0 || h > 4 {
			return fmt.Errorf("%q at %s (index %d), want a digit from 0 to 4", text[s:s+1], squareName(s), s)
		}
		for k := range h {
			p.up[k] |= bit(s)
		}
	}
	return nil
}

// parseSide reads one player's section; names tells that it had square names.
func (p *state) parseSide(i int, text string) (names bool, err error) {
	if mark := strings.IndexByte(text, '#'); mark >= 0 {
		text = text[:mark] + text[mark+1:]
		switch {
		case strings.IndexByte(text, '#') >= 0:
			return false, fmt.Errorf("winner: marked twice")
		case p.winner != 0:
			return false, fmt.Errorf("winner: player 1 is marked already, both cannot have won")
		}
		p.winner = uint8(i + 1)
	}
	head, tail, placed := strings.Cut(text, ":")
	name, kept, bracket := strings.Cut(head, "[")
	god, ok := godNamed(name)
	if !ok {
		return false, fmt.Errorf("god: unknown god %q", clip(name))
	}
	p.god[i] = god
	if bracket {
		kept, ok = strings.CutSuffix(kept, "]")
		if !ok {
			return false, fmt.Errorf("state of %s: %q has no closing bracket at its end", god, clip(head))
		}
		if gods[god].read == nil {
			return false, fmt.Errorf("state of %s: [%s], but %s keeps none", god, clip(kept), god)
		}
		if p.power[i], err = gods[god].read(kept); err != nil {
			return false, fmt.Errorf("state of %s: %w", god, err)
		}
	} else {
		p.power[i] = gods[god].start
	}
	if !placed {
		return false, nil
	}
	for more := true; more; {
		var word string
		word, tail, more = strings.Cut(tail, ",")
		s := squareOf(word)
		if s != noSquare {
			names = true
		} else if s = indexOf(word); s == noSquare {
			return false, fmt.Errorf("workers: %q is not a square, want A5 to E1 or 0 to 24", clip(word))
		}
		if p.workers[i]&bit(s) != 0 {
			return false, fmt.Errorf("workers: two on %s (index %d)", squareName(s), s)
		}
		p.workers[i] |= bit(s)
	}
	return names, nil
}

// indexOf reads a square's index, 0 to 24 without leading zeros; noSquare for
// anything else.
func indexOf(text string) int {
	if len(text) == 0 || len(text) > 2 || len(text) == 2 && text[0] == '0' {
		return noSquare
	}
	n := 0
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return noSquare
		}
		n = n*10 + int(c-'0')
	}
	if n >= squares {
		return noSquare
	}
	return n
}

// clip shortens what an error quotes.
func clip(text string) string {
	if len(text) > 80 {
		return text[:80] + "…"
	}
	return text
}

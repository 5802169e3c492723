package rules

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"thera/engine/protocol"
)

// Form is one of the two ways to write a position:
//
//	0000000000000000000000000/1/mortal#:11,13/pan:7,17           V1
//	0000000000000000000000000/1/#mortal:B3,D3/clio[2|A5]:C4,C2   V2
//
// V1 has workers as indices and # after the winner's god, V2 squares by name and #
// before it. Both have the state of a god in brackets, with squares by name.
type Form uint8

// The forms, named after the protocols that use them.
const (
	V1 Form = iota
	V2
)

// FitsV1 reports whether an engine of protocol v1 can know p: both gods are basic
// and have both workers on the board.
func FitsV1(p *State) bool {
	return p.Gods[0].Basic() && p.Gods[1].Basic() &&
		bits.OnesCount32(p.Workers[0]) == 2 && bits.OnesCount32(p.Workers[1]) == 2
}

// Text writes p in form f. V1 has no way to write a side that is still to place its
// workers or has lost some to a god who removes none; Text then uses V2.
func Text(p *State, f Form) string { return string(AppendText(make([]byte, 0, 96), p, f)) }

// AppendText appends what Text returns.
func AppendText(out []byte, p *State, f Form) []byte {
	for i := range 2 {
		if low, high := p.WorkerRange(i); p.Workers[i] == 0 || bits.OnesCount32(p.Workers[i]) < low || bits.OnesCount32(p.Workers[i]) > high {
			f = V2
		}
	}
	for s := range Squares {
		out = append(out, '0'+byte(p.Height(s)))
	}
	label := p.Mover & 1
	if p.SecondPlacesFirst() {
		label ^= 1
	}
	out = append(out, '/', '1'+label)
	for i := range 2 {
		won := int(p.Winner) == i+1
		out = append(out, '/')
		if won && f == V2 {
			out = append(out, '#')
		}
		out = append(out, p.Gods[i].String()...)
		out = append(out, p.Gods[i].FormatState(p.GodState[i])...)
		if won && f == V1 {
			out = append(out, '#')
		}
		for w, sep := p.Workers[i], byte(':'); w != 0; w, sep = w&(w-1), ',' {
			out = append(out, sep)
			if f == V1 {
				out = strconv.AppendInt(out, int64(bits.TrailingZeros32(w)), 10)
			} else {
				at := bits.TrailingZeros32(w)
				out = append(out, 'A'+byte(at%Side), '5'-byte(at/Side))
			}
		}
	}
	return out
}

// Blocked is the state after a blocked mover has lost, as engines of protocol f
// write it. Those of v1 also change the side to move.
func Blocked(p *State, f Form) State {
	next := p.AfterBlocked()
	if f == V1 {
		next.Mover ^= 1
	}
	return next
}

// Parse reads a position in either form. It refuses a position that cannot occur,
// as far as that can be seen from one position; the error names the wrong field.
// The form is V1 if both sides have workers and all are written as indices.
func Parse(text string) (State, Form, error) {
	var p State
	fields, ok := fieldsOf(text)
	if !ok {
		return State{}, 0, fmt.Errorf("position %q: %d fields, want 4: heights/side to move/player 1/player 2", protocol.Clip(text), strings.Count(text, "/")+1)
	}
	if err := parseHeights(&p, fields[0]); err != nil {
		return State{}, 0, fmt.Errorf("position: heights: %w", err)
	}
	if fields[1] != "1" && fields[1] != "2" {
		return State{}, 0, fmt.Errorf("position: side to move: %q, want 1 or 2", protocol.Clip(fields[1]))
	}
	p.Mover = fields[1][0] - '1'
	f := V1
	for i := range 2 {
		names, err := parseSide(&p, i, fields[2+i])
		if err != nil {
			return State{}, 0, fmt.Errorf("position: player %d: %w", i+1, err)
		}
		if names || p.Workers[i] == 0 {
			f = V2
		}
	}
	if p.SecondPlacesFirst() {
		p.Mover ^= 1
	}
	if err := checkPosition(&p, f); err != nil {
		return State{}, 0, fmt.Errorf("position: %w", err)
	}
	return p, f, nil
}

// fieldsOf splits a text at its three slashes.
func fieldsOf(text string) (fields [4]string, ok bool) {
	for i := range 3 {
		if fields[i], text, ok = strings.Cut(text, "/"); !ok {
			return fields, false
		}
	}
	fields[3] = text
	return fields, strings.IndexByte(text, '/') < 0
}

func parseHeights(p *State, text string) error {
	if len(text) != Squares {
		return fmt.Errorf("%d digits, want %d: %q", len(text), Squares, protocol.Clip(text))
	}
	for s := range Squares {
		h := int(text[s]) - '0'
		if h < 0 || h > 4 {
			return fmt.Errorf("%q at %s (index %d), want a digit from 0 to 4", text[s:s+1], SquareName(s), s)
		}
		for k := range h {
			p.Above[k] |= Bit(s)
		}
	}
	return nil
}

// mostState is the number of bytes between brackets.
const mostState = 80

// parseSide reads the field of player i+1; names reports whether it has square
// names.
func parseSide(p *State, i int, text string) (names bool, err error) {
	if mark := strings.IndexByte(text, '#'); mark >= 0 {
		text = text[:mark] + text[mark+1:]
		switch {
		case strings.IndexByte(text, '#') >= 0:
			return false, fmt.Errorf("winner: marked twice")
		case p.Winner != 0:
			return false, fmt.Errorf("winner: player 1 is marked already, both cannot have won")
		}
		p.Winner = uint8(i + 1)
	}
	head, tail, placed := strings.Cut(text, ":")
	name, state, bracket := strings.Cut(head, "[")
	god, ok := ParseGod(name)
	if !ok {
		return false, fmt.Errorf("god: unknown god %q", protocol.Clip(name))
	}
	p.Gods[i] = god
	if bracket {
		state, ok = strings.CutSuffix(state, "]")
		if !ok {
			return false, fmt.Errorf("state of %s: %q has no closing bracket at its end", god, protocol.Clip(head))
		}
		if !god.HasState() {
			return false, fmt.Errorf("state of %s: [%s], but %s has none", god, protocol.Clip(state), god)
		}
		if len(state) > mostState {
			return false, fmt.Errorf("state of %s: [%s] is too long", god, protocol.Clip(state))
		}
		if p.GodState[i], err = god.ParseState(state); err != nil {
			return false, fmt.Errorf("state of %s: %w", god, err)
		}
	} else {
		p.GodState[i] = god.InitialState()
	}
	if !placed {
		return false, nil
	}
	for more := true; more; {
		var word string
		word, tail, more = strings.Cut(tail, ",")
		s := ParseSquare(word)
		if s != NoSquare {
			names = true
		} else if s = indexOf(word); s == NoSquare {
			return false, fmt.Errorf("workers: %q is not a square, want A5 to E1 or 0 to 24", protocol.Clip(word))
		}
		if p.Workers[i]&Bit(s) != 0 {
			return false, fmt.Errorf("workers: two on %s (index %d)", SquareName(s), s)
		}
		p.Workers[i] |= Bit(s)
	}
	return names, nil
}

// indexOf reads the index of a square, 0 to 24 without leading zeros. It returns
// NoSquare for anything else.
func indexOf(text string) int {
	if len(text) == 0 || len(text) > 2 || len(text) == 2 && text[0] == '0' {
		return NoSquare
	}
	n := 0
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return NoSquare
		}
		n = n*10 + int(c-'0')
	}
	if n >= Squares {
		return NoSquare
	}
	return n
}

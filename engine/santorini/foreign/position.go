// Package foreign reads positions of gods that this program does not know: their
// heights, the side to move, the workers and the winner. The names of gods, their
// state in brackets and any tokens are text that is kept as it is.
//
// It refuses to know rules: which states follow a position is what an engine lists.
package foreign

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"thera/engine/santorini/rules"
)

// Position is a position as far as it can be read. Its text is canonical: squares
// by name, workers in the order of the board, # before the winner's god.
type Position struct {
	Heights [rules.Squares]uint8
	Mover   uint8 // side to move, 0 or 1
	Winner  uint8 // 1 or 2; 0 for none
	Sides   [2]Side
}

// Side is the section of one player.
type Side struct {
	Name    string // of the god
	Workers uint32 // squares, as a set
	Head    string // name and state
	placed  bool   // it has a part after the colon
	words   []string
}

// The most that is read: a position of known gods has at most about 200 bytes.
const (
	mostText = 2000
	mostName = 40
)

// Parse reads a position in either form of the protocol. The error names what is
// wrong with the parts that are read.
func Parse(text string) (*Position, error) {
	if len(text) > mostText {
		return nil, fmt.Errorf("position: %d bytes, want at most %d", len(text), mostText)
	}
	for i := range len(text) {
		if text[i] <= ' ' || text[i] > '~' || text[i] == '"' || text[i] == '\\' {
			return nil, fmt.Errorf("position %q: %q at byte %d, want printable ASCII without blanks and quotes", clip(text), text[i], i)
		}
	}
	fields, err := split(text, '/')
	if err != nil {
		return nil, fmt.Errorf("position %q: %w", clip(text), err)
	}
	if len(fields) != 4 {
		return nil, fmt.Errorf("position %q: %d fields, want 4: heights/side to move/player 1/player 2", clip(text), len(fields))
	}
	p := &Position{}
	if len(fields[0]) != rules.Squares {
		return nil, fmt.Errorf("position: heights: %d digits, want %d", len(fields[0]), rules.Squares)
	}
	for i := range rules.Squares {
		h := fields[0][i] - '0'
		if h > 4 {
			return nil, fmt.Errorf("position: heights: %q at %s, want a digit from 0 to 4", fields[0][i], rules.SquareName(i))
		}
		p.Heights[i] = h
	}
	if fields[1] != "1" && fields[1] != "2" {
		return nil, fmt.Errorf("position: side to move: %q, want 1 or 2", clip(fields[1]))
	}
	p.Mover = fields[1][0] - '1'
	for i := range p.Sides {
		if err := p.side(i, fields[2+i]); err != nil {
			return nil, fmt.Errorf("position: player %d: %w", i+1, err)
		}
	}
	return p, nil
}

// side reads the section of player i+1. A word after the colon that is not a square
// is kept as it is; the workers are sorted if all words are squares.
func (p *Position) side(i int, text string) error {
	s := &p.Sides[i]
	parts, err := split(text, '#')
	switch {
	case err != nil:
		return err
	case len(parts) > 2:
		return fmt.Errorf("winner: marked twice")
	case len(parts) == 2 && p.Winner != 0:
		return fmt.Errorf("winner: player 1 is marked already, both cannot have won")
	case len(parts) == 2:
		p.Winner = uint8(i + 1)
	}
	parts, err = split(strings.Join(parts, ""), ':')
	if err != nil {
		return err
	}
	s.Head = parts[0]
	s.Name, _, _ = strings.Cut(s.Head, "[")
	if s.Name == "" || len(s.Name) > mostName {
		return fmt.Errorf("god: %q, want a name of 1 to %d letters", clip(s.Name), mostName)
	}
	if len(parts) == 1 {
		return nil
	}
	s.placed = true
	words, err := split(strings.Join(parts[1:], ":"), ',')
	if err != nil {
		return err
	}
	squares, all := make([]int, 0, len(words)), true
	for k, word := range words {
		at := squareOf(word)
		if at == rules.NoSquare {
			all = false
			continue
		}
		squares, words[k] = append(squares, at), rules.SquareName(at)
		s.Workers |= rules.Bit(at)
	}
	if s.words = words; all {
		slices.Sort(squares)
		for k, at := range squares {
			s.words[k] = rules.SquareName(at)
		}
	}
	return nil
}

// squareOf reads the name or the index of a square.
func squareOf(word string) int {
	if at := rules.ParseSquare(word); at != rules.NoSquare {
		return at
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 || n >= rules.Squares || strconv.Itoa(n) != word {
		return rules.NoSquare
	}
	return n
}

// split splits text at sep, but not within brackets.
func split(text string, sep byte) ([]string, error) {
	var parts []string
	depth, from := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '[':
			depth++
		case ']':
			depth--
		case sep:
			if depth == 0 {
				parts = append(parts, text[from:i])
				from = i + 1
			}
		}
		if depth < 0 {
			return nil, fmt.Errorf("a bracket is closed that is not open")
		}
	}
	if depth != 0 {
		return nil, fmt.Errorf("a bracket is not closed")
	}
	return append(parts, text[from:]), nil
}

// String is the canonical text.
func (p *Position) String() string { return string(p.append(make([]byte, 0, 96), false)) }

// Indices is the text with squares as numbers and # behind the winner's god, as
// engines of protocol v1 write it.
func (p *Position) Indices() string { return string(p.append(make([]byte, 0, 96), true)) }

func (p *Position) append(out []byte, indices bool) []byte {
	for _, h := range p.Heights {
		out = append(out, '0'+h)
	}
	out = append(out, '/', '1'+p.Mover)
	for i := range p.Sides {
		s := &p.Sides[i]
		out = append(out, '/')
		if int(p.Winner) == i+1 && !indices {
			out = append(out, '#')
		}
		out = append(out, s.Head...)
		if int(p.Winner) == i+1 && indices {
			out = append(out, '#')
		}
		for k, word := range s.words {
			if k == 0 {
				out = append(out, ':')
			} else {
				out = append(out, ',')
			}
			if at := rules.ParseSquare(word); indices && at != rules.NoSquare {
				out = strconv.AppendInt(out, int64(at), 10)
			} else {
				out = append(out, word...)
			}
		}
	}
	return out
}

// Placing reports whether the mover has yet to place workers: the board is empty
// and a side has no part for workers.
func (p *Position) Placing() bool {
	return p.Heights == [rules.Squares]uint8{} && (!p.Sides[0].placed || !p.Sides[1].placed)
}

// Blocked is the position after the mover of p had no turn: his opponent has won.
func (p *Position) Blocked() *Position {
	next := *p
	next.Winner = 2 - p.Mover
	return &next
}

// IsBlocked reports whether next says that the mover of p had no turn: the board
// and the workers are the same and the opponent has won. The side to move may have
// changed.
func (p *Position) IsBlocked(next *Position) bool {
	if next.Winner != 2-p.Mover || next.Heights != p.Heights {
		return false
	}
	for i := range p.Sides {
		if !slices.Equal(p.Sides[i].wordKeys(), next.Sides[i].wordKeys()) {
			return false
		}
	}
	return true
}

// Placed is p with the workers of both sides on these squares.
func (p *Position) Placed(squares [2][]int) *Position {
	next := *p
	for i, list := range squares {
		s := &next.Sides[i]
		s.placed, s.words, s.Workers = true, nil, 0
		slices.Sort(list)
		for _, at := range list {
			s.words = append(s.words, rules.SquareName(at))
			s.Workers |= rules.Bit(at)
		}
	}
	next.Mover = 0
	return &next
}

// Same reports whether two positions are equal in what is read of them.
func (p *Position) Same(q *Position) bool {
	if p.Heights != q.Heights || p.Mover != q.Mover || p.Winner != q.Winner {
		return false
	}
	for i := range p.Sides {
		a, b := &p.Sides[i], &q.Sides[i]
		if a.Name != b.Name || a.Workers != b.Workers {
			return false
		}
	}
	return true
}

// Distance is how much two positions differ: levels of height, and workers.
func (p *Position) Distance(q *Position) int {
	d := 0
	for i := range p.Heights {
		d += max(int(p.Heights[i]), int(q.Heights[i])) - min(int(p.Heights[i]), int(q.Heights[i]))
	}
	for i := range p.Sides {
		d += bits.OnesCount32(p.Sides[i].Workers ^ q.Sides[i].Workers)
		if p.Sides[i].Head != q.Sides[i].Head {
			d++
		}
	}
	return d
}

// clip shortens a text for an error.
func clip(text string) string {
	if len(text) > 80 {
		return text[:80] + "…"
	}
	return text
}

// Package foreign reads positions of gods that this program does not know: their
// heights, the side to move, the workers and the winner. The names of gods, their
// state in brackets and any tokens are text that is kept as it is.
//
// It refuses to know rules: which states follow a position is what an engine lists.
package foreign

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"thera/engine/protocol"
	"thera/engine/santorini/rules"
)

// Position is the game.Position of gods whose rules are not ours, as far as it can be read. It is
// immutable. Its text is canonical: squares by name, workers in the order of the board, # before the
// winner's god.
type Position struct {
	rules.State // the board: without gods and their states
	Sides       [2]Side

	before *rules.State // before the last turn, nil if the position was parsed
	lost   bool         // the mover of before had no turn
	ruled  bool         // moves is the list of the rules engine
	moves  []string
}

// Side is the section of one player.
type Side struct {
	Name   string // of the god
	Head   string // name and state
	placed bool   // it has a part after the colon
	words  []string
}

// mostText is the most that is read: a position of known gods has at most about 200 bytes.
const mostText = 2000

// form is compiled when it is needed: it is large, and every process of the program would pay for it.
var form = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-4]{25})/([12])/` + section + `/` + section + `$`)
})

// section is the name and the state of a god, and what is after its colon. The mark of the winner
// is before the name, behind the state, or behind the colon.
const section = `(#?)([^][/:#]{1,40})((?:\[[^][]*\])*)(#?)(?:(:)(#?)([^][/:#]*))?`

// Parse reads a position in either form of the protocol.
func Parse(text string) (*Position, error) {
	switch {
	case len(text) > mostText:
		return nil, fmt.Errorf("position: %d bytes, want at most %d", len(text), mostText)
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }):
		return nil, fmt.Errorf("position %q: want printable ASCII without blanks and quotes", protocol.Clip(text))
	}
	parts := form().FindStringSubmatch(text)
	if parts == nil {
		return nil, fmt.Errorf("position %q: want 25 heights/side to move/god[state]:workers/god[state]:workers", protocol.Clip(text))
	}
	p := &Position{}
	for s, h := range parts[1] {
		for k := range h - '0' {
			p.Above[k] |= rules.Bit(s)
		}
	}
	p.Mover = parts[2][0] - '1'
	for i := range p.Sides {
		if err := p.side(i, parts[3+7*i:]); err != nil {
			return nil, fmt.Errorf("position: player %d: %w", i+1, err)
		}
	}
	return p, nil
}

// side reads the section of player i+1. A word after the colon that is not a square
// is kept as it is; the workers are sorted if all words are squares.
func (p *Position) side(i int, parts []string) error {
	switch marks := parts[0] + parts[3] + parts[5]; {
	case len(marks) > 1:
		return fmt.Errorf("winner: marked twice")
	case marks != "" && p.Winner != 0:
		return fmt.Errorf("winner: player 1 is marked already, both cannot have won")
	case marks != "":
		p.Winner = uint8(i + 1)
	}
	s := &p.Sides[i]
	s.Name, s.Head = parts[1], parts[1]+parts[2]
	if s.placed = parts[4] != ""; !s.placed {
		return nil
	}
	s.words = strings.Split(parts[6], ",")
	var squares []string
	for at := range rules.Squares {
		for k, word := range s.words {
			if word == rules.SquareName(at) || word == strconv.Itoa(at) {
				s.words[k] = rules.SquareName(at)
				squares = append(squares, s.words[k])
				p.Workers[i] |= rules.Bit(at)
			}
		}
	}
	if len(squares) == len(s.words) {
		s.words = squares
	}
	return nil
}

// String is the canonical text.
func (p *Position) String() string {
	text := p.heights()
	for i, s := range p.Sides {
		text += "/" + map[bool]string{true: "#"}[int(p.Winner) == i+1] + s.Head + s.tail(s.words)
	}
	return text
}

// Indices is the text with squares as numbers and # behind the winner's god, as
// engines of protocol v1 write it.
func (p *Position) Indices() string {
	text := p.heights()
	for i, s := range p.Sides {
		words := slices.Clone(s.words)
		for k, word := range words {
			if at := rules.ParseSquare(word); at != rules.NoSquare {
				words[k] = strconv.Itoa(at)
			}
		}
		text += "/" + s.Head + map[bool]string{true: "#"}[int(p.Winner) == i+1] + s.tail(words)
	}
	return text
}

// heights is the text before the sections.
func (p *Position) heights() string {
	out := make([]byte, 0, 96)
	for s := range rules.Squares {
		out = append(out, '0'+byte(p.Height(s)))
	}
	return string(append(out, '/', '1'+p.Mover))
}

// tail is the colon with words.
func (s *Side) tail(words []string) string {
	if !s.placed {
		return ""
	}
	return ":" + strings.Join(words, ",")
}

// Placing reports whether the mover has yet to place workers: the board is empty
// and a side has no part for workers.
func (p *Position) Placing() bool {
	return p.Above[0] == 0 && (!p.Sides[0].placed || !p.Sides[1].placed)
}

// Blocked is the position after the mover of p had no turn: his opponent has won.
func (p *Position) Blocked() *Position {
	next := &Position{State: p.State, Sides: p.Sides}
	next.Winner = 2 - p.Mover
	return next
}

// IsBlocked reports whether next says that the mover of p had no turn: the board
// and the workers are the same and the opponent has won. The side to move may have
// changed.
func (p *Position) IsBlocked(next *Position) bool {
	return next.Winner == 2-p.Mover && next.Above == p.Above &&
		slices.Equal(p.Sides[0].words, next.Sides[0].words) && slices.Equal(p.Sides[1].words, next.Sides[1].words)
}

// Placed is p with two workers of each side on the first four of these squares.
func (p *Position) Placed(squares []int) *Position {
	next := &Position{State: p.State, Sides: p.Sides}
	for i := range next.Sides {
		s := &next.Sides[i]
		pair := slices.Sorted(slices.Values(squares[2*i : 2*i+2]))
		s.placed, s.words = true, []string{rules.SquareName(pair[0]), rules.SquareName(pair[1])}
		next.Workers[i] = rules.Bit(pair[0]) | rules.Bit(pair[1])
	}
	next.Mover = 0
	return next
}

// Same reports whether two positions are equal in what is read of them.
func (p *Position) Same(q *Position) bool {
	return p.State == q.State && p.Sides[0].Name == q.Sides[0].Name && p.Sides[1].Name == q.Sides[1].Name
}

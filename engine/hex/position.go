package hex

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"thera/engine/game"
	"thera/engine/protocol"
)

// swapWord is the second player's other first move.
const swapWord = "swap"

// swapMove stands for it among cells.
const swapMove = -1

const reasonConnected = "connected"

// position is a board with the way that led to it: Hex positions are written
// as their moves.
type position struct {
	rules   Rules
	stones  stones
	turn    colour // to move
	swapped bool   // the programs have exchanged colours
	winner  colour
	prev    *position
	move    int // that led here: a cell or swapMove
	ply     int
}

func (h *Hex) empty() *position {
	return &position{rules: h.rules, stones: newStones(h.rules.Size), turn: black}
}

// seatOf is the program that plays c: the first seat began as black.
func (p *position) seatOf(c colour) game.Seat {
	switch {
	case c == none:
		return game.None
	case (c == black) != p.swapped:
		return game.First
	}
	return game.Second
}

// put is the position after a stone on an empty cell.
func (p *position) put(cell int) *position {
	next := &position{
		rules: p.rules, stones: p.stones.clone(), turn: p.turn.other(), swapped: p.swapped,
		prev: p, move: cell, ply: p.ply + 1,
	}
	if next.stones.put(cell, p.turn) {
		next.winner = p.turn
	}
	return next
}

// swap is the position after the programs exchanged colours: the stones stay,
// and so does the colour to move, which the first program now has.
func (p *position) swap() *position {
	return &position{
		rules: p.rules, stones: p.stones, turn: p.turn, swapped: true,
		prev: p, move: swapMove, ply: p.ply + 1,
	}
}

// canSwap says whether the mover may swap.
func (p *position) canSwap() bool { return p.rules.Swap && p.ply == 1 }

// moves lists the moves that led here, in order.
func (p *position) moves() []int {
	list := make([]int, p.ply)
	for at := p; at.prev != nil; at = at.prev {
		list[at.ply-1] = at.move
	}
	return list
}

// String is the size and the moves.
func (p *position) String() string {
	text := strconv.AppendInt(nil, int64(p.rules.Size), 10)
	for _, move := range p.moves() {
		text = p.appendMove(append(text, ' '), move)
	}
	return string(text)
}

func (p *position) appendMove(text []byte, move int) []byte {
	if move == swapMove {
		return append(text, swapWord...)
	}
	return appendCell(text, move, p.rules.Size)
}

// Parse reads a size and moves; each must be legal where it stands.
func (h *Hex) Parse(text string) (game.Position, error) {
	words := strings.Split(text, " ")
	size, err := strconv.Atoi(words[0])
	if err != nil || strconv.Itoa(size) != words[0] {
		return nil, fmt.Errorf("position %q: want a size and moves", protocol.Clip(text))
	}
	if size < minSize || size > maxSize {
		return nil, fmt.Errorf("size %d: want %d to %d", size, minSize, maxSize)
	}
	rules := h.rules
	rules.Size = size
	p := (&Hex{rules: rules}).empty()
	for i, word := range words[1:] {
		next, why := p.step(word)
		if why != "" {
			return nil, fmt.Errorf("move %d %q: %s", i+1, protocol.Clip(word), why)
		}
		p = next
	}
	return p, nil
}

// step plays one move, or says why it is illegal.
func (p *position) step(word string) (next *position, why string) {
	if p.winner != none {
		return nil, "game over"
	}
	if word == swapWord {
		switch {
		case !p.rules.Swap:
			return nil, "swap is not allowed by the match's rules"
		case p.ply != 1:
			return nil, "swap is only allowed as the second move"
		}
		return p.swap(), ""
	}
	cell, err := parseCell(word, p.rules.Size)
	if err != nil {
		return nil, err.Error()
	}
	if c := p.stones.cells[cell]; c != none {
		return nil, fmt.Sprintf("%s is taken by %v", word, c)
	}
	return p.put(cell), ""
}

// ToMove is the program whose colour is to move, nobody after a win.
func (p *position) ToMove() game.Seats {
	if p.winner != none {
		return 0
	}
	return game.SeatsOf(p.mover())
}

// mover is the seat to move. The second ply is the second seat's, whatever
// follows.
func (p *position) mover() game.Seat { return p.seatOf(p.turn) }

// Moves lists the empty cells, and swap where it is allowed.
func (p *position) Moves(seat game.Seat) []string {
	if p.winner != none || seat != p.mover() {
		return nil
	}
	var list []string
	for cell, c := range p.stones.cells {
		if c == none {
			list = append(list, cellName(cell, p.rules.Size))
		}
	}
	if p.canSwap() {
		list = append(list, swapWord)
	}
	slices.Sort(list)
	return list
}

// Play makes the mover's move.
func (p *position) Play(turn game.Turn) (game.Position, error) {
	seat := p.mover()
	word := turn.Of(seat)
	next, why := p.step(word)
	if why != "" {
		return nil, &game.Illegal{Seat: seat, Move: word, Rule: why, Near: p.near(word)}
	}
	return next, nil
}

// near is a legal move that resembles an illegal one: the same coordinate,
// written properly.
func (p *position) near(word string) string {
	if p.winner != none {
		return ""
	}
	word = strings.ToLower(strings.TrimSpace(word))
	if len(word) < 2 {
		return ""
	}
	column := strings.TrimLeft(word[1:], "+0")
	cell, err := parseCell(word[:1]+column, p.rules.Size)
	if err != nil || p.stones.cells[cell] != none {
		return ""
	}
	return cellName(cell, p.rules.Size)
}

// Outcome is the winner once a chain joins its edges; there are no draws.
func (p *position) Outcome() (game.Outcome, bool) {
	if p.winner == none {
		return game.Outcome{}, false
	}
	return game.Outcome{Winner: p.seatOf(p.winner), Reason: reasonConnected}, true
}

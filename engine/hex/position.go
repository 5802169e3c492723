package hex

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"thera/engine/game"
	"thera/engine/hex/rules"
	"thera/engine/protocol"
)

// swapWord is the text of the swap.
const swapWord = "swap"

// swapMove is the swap among cells.
const swapMove = -1

const reasonConnected = "connected"

// position is a board and the moves that led to it. Its text is its moves.
type position struct {
	rules   Rules
	stones  rules.Stones
	turn    rules.Colour // to move
	swapped bool         // the programs have exchanged colours
	winner  rules.Colour
	prev    *position
	move    int // that led here: a cell or swapMove
	ply     int
}

func (h *Hex) empty() *position {
	return &position{rules: h.rules, stones: rules.NewStones(h.rules.Size), turn: rules.Black}
}

// seatOf is the seat that plays c: the first seat starts as black.
func (p *position) seatOf(c rules.Colour) game.Seat {
	switch {
	case c == rules.None:
		return game.None
	case (c == rules.Black) != p.swapped:
		return game.First
	}
	return game.Second
}

// put is the position after a stone on an empty cell.
func (p *position) put(cell int) *position {
	next := &position{
		rules: p.rules, stones: p.stones.Clone(), turn: p.turn.Other(), swapped: p.swapped,
		prev: p, move: cell, ply: p.ply + 1,
	}
	if next.stones.Put(cell, p.turn) {
		next.winner = p.turn
	}
	return next
}

// swap is the position after the programs exchanged colours. Stones and colour to
// move stay; the first program has that colour now.
func (p *position) swap() *position {
	return &position{
		rules: p.rules, stones: p.stones, turn: p.turn, swapped: true,
		prev: p, move: swapMove, ply: p.ply + 1,
	}
}

// canSwap reports whether the side to move may swap.
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
	return rules.AppendCell(text, move, p.rules.Size)
}

// Parse reads a size and moves, and plays them.
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
	if p.winner != rules.None {
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
	cell, err := rules.ParseCell(word, p.rules.Size)
	if err != nil {
		return nil, err.Error()
	}
	if c := p.stones.Cells[cell]; c != rules.None {
		return nil, fmt.Sprintf("%s is taken by %v", word, c)
	}
	return p.put(cell), ""
}

// ToMove is the program whose colour is to move, empty after a win.
func (p *position) ToMove() game.Seats {
	if p.winner != rules.None {
		return 0
	}
	return game.SeatsOf(p.mover())
}

// mover is the seat to move.
func (p *position) mover() game.Seat { return p.seatOf(p.turn) }

// Moves lists the empty cells, and swap where it is allowed.
func (p *position) Moves(seat game.Seat) []string {
	if p.winner != rules.None || seat != p.mover() {
		return nil
	}
	var list []string
	for cell, c := range p.stones.Cells {
		if c == rules.None {
			list = append(list, rules.CellName(cell, p.rules.Size))
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

// near is the legal move with the coordinate that an illegal one misspells, or "".
func (p *position) near(word string) string {
	if p.winner != rules.None {
		return ""
	}
	word = strings.ToLower(strings.TrimSpace(word))
	if len(word) < 2 {
		return ""
	}
	column := strings.TrimLeft(word[1:], "+0")
	cell, err := rules.ParseCell(word[:1]+column, p.rules.Size)
	if err != nil || p.stones.Cells[cell] != rules.None {
		return ""
	}
	return rules.CellName(cell, p.rules.Size)
}

// Outcome is the winner once a chain joins its edges; there are no draws.
func (p *position) Outcome() (game.Outcome, bool) {
	if p.winner == rules.None {
		return game.Outcome{}, false
	}
	return game.Outcome{Winner: p.seatOf(p.winner), Reason: reasonConnected}, true
}

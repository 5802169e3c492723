package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"thera/engine/game"
	"thera/engine/protocol"
)

// The sizes that can be played.
const (
	MinSize = 2
	MaxSize = 26
)

// Settings are what a match file's `rules` may change.
type Settings struct {
	Size int  `yaml:"size" doc:"cells a side, 2 to 26"`
	Swap bool `yaml:"swap" doc:"the second player may answer the first stone with swap: the programs exchange colours"`
}

// Default is a board of 11 x 11 without swap.
func Default() Settings { return Settings{Size: 11} }

// SwapWord is the text of the swap.
const SwapWord = "swap"

// SwapMove is the swap among cells.
const SwapMove = -1

const reasonConnected = "connected"

// Position is a board and the moves that led to it. Its text is its moves.
type Position struct {
	rules   Settings
	stones  Stones
	turn    Colour // to move
	swapped bool   // the programs have exchanged colours
	winner  Colour
	prev    *Position
	move    int // that led here: a cell or SwapMove
	ply     int
}

// Empty is the empty board.
func (s Settings) Empty() *Position {
	return &Position{rules: s, stones: NewStones(s.Size), turn: Black}
}

// SeatOf is the seat that plays c: the first seat starts as black.
func (p *Position) SeatOf(c Colour) game.Seat {
	switch {
	case c == None:
		return game.None
	case (c == Black) != p.swapped:
		return game.First
	}
	return game.Second
}

// Put is the position after a stone on an empty cell.
func (p *Position) Put(cell int) *Position {
	next := &Position{
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
func (p *Position) swap() *Position {
	return &Position{
		rules: p.rules, stones: p.stones, turn: p.turn, swapped: true,
		prev: p, move: SwapMove, ply: p.ply + 1,
	}
}

// canSwap reports whether the side to move may swap.
func (p *Position) canSwap() bool { return p.rules.Swap && p.ply == 1 }

// History lists the moves that led here, in order.
func (p *Position) History() []int {
	list := make([]int, p.ply)
	for at := p; at.prev != nil; at = at.prev {
		list[at.ply-1] = at.move
	}
	return list
}

// String is the size and the moves.
func (p *Position) String() string {
	text := strconv.AppendInt(nil, int64(p.rules.Size), 10)
	for _, move := range p.History() {
		text = p.appendMove(append(text, ' '), move)
	}
	return string(text)
}

func (p *Position) appendMove(text []byte, move int) []byte {
	if move == SwapMove {
		return append(text, SwapWord...)
	}
	return AppendCell(text, move, p.rules.Size)
}

// Parse reads a size and moves, and plays them.
func (s Settings) Parse(text string) (*Position, error) {
	words := strings.Split(text, " ")
	size, err := strconv.Atoi(words[0])
	if err != nil || strconv.Itoa(size) != words[0] {
		return nil, fmt.Errorf("position %q: want a size and moves", protocol.Clip(text))
	}
	if size < MinSize || size > MaxSize {
		return nil, fmt.Errorf("size %d: want %d to %d", size, MinSize, MaxSize)
	}
	s.Size = size
	p := s.Empty()
	for i, word := range words[1:] {
		next, why := p.Step(word)
		if why != "" {
			return nil, fmt.Errorf("move %d %q: %s", i+1, protocol.Clip(word), why)
		}
		p = next
	}
	return p, nil
}

// Step plays one move, or says why it is illegal.
func (p *Position) Step(word string) (next *Position, why string) {
	if p.winner != None {
		return nil, "game over"
	}
	if word == SwapWord {
		switch {
		case !p.rules.Swap:
			return nil, "swap is not allowed by the match's rules"
		case p.ply != 1:
			return nil, "swap is only allowed as the second move"
		}
		return p.swap(), ""
	}
	cell, err := ParseCell(word, p.rules.Size)
	if err != nil {
		return nil, err.Error()
	}
	if c := p.stones.Cells[cell]; c != None {
		return nil, fmt.Sprintf("%s is taken by %v", word, c)
	}
	return p.Put(cell), ""
}

// Of is pos as a position of Hex.
func Of(pos game.Position) (*Position, error) {
	p, ok := pos.(*Position)
	if !ok {
		return nil, fmt.Errorf("position %s is not one of hex", pos)
	}
	return p, nil
}

// Swap is whether the rules allow a swap.
func (p *Position) Swap() bool { return p.rules.Swap }

// Size is the number of cells a side.
func (p *Position) Size() int { return p.rules.Size }

// Cells are the stones; read only.
func (p *Position) Cells() []Colour { return p.stones.Cells }

// Turn is the colour to move.
func (p *Position) Turn() Colour { return p.turn }

// Winner is the colour that has won, or None.
func (p *Position) Winner() Colour { return p.winner }

// Prev is the position before, nil at the start; Move, of a cell or SwapMove, led from
// there to here, as the Ply-th.
func (p *Position) Prev() *Position { return p.prev }

// Move is the move that led here.
func (p *Position) Move() int { return p.move }

// Ply is the number of moves so far.
func (p *Position) Ply() int { return p.ply }

// ToMove is the program whose colour is to move, empty after a win.
func (p *Position) ToMove() game.Seats {
	if p.winner != None {
		return 0
	}
	return game.SeatsOf(p.Mover())
}

// Mover is the seat to move.
func (p *Position) Mover() game.Seat { return p.SeatOf(p.turn) }

// Moves lists the empty cells, and swap where it is allowed.
func (p *Position) Moves(seat game.Seat) []string {
	if p.winner != None || seat != p.Mover() {
		return nil
	}
	var list []string
	for cell, c := range p.stones.Cells {
		if c == None {
			list = append(list, CellName(cell, p.rules.Size))
		}
	}
	if p.canSwap() {
		list = append(list, SwapWord)
	}
	slices.Sort(list)
	return list
}

// Play makes the mover's move.
func (p *Position) Play(turn game.Turn) (game.Position, error) {
	seat := p.Mover()
	word := turn.Of(seat)
	next, why := p.Step(word)
	if why != "" {
		return nil, &game.Illegal{Seat: seat, Move: word, Rule: why, Near: p.near(word)}
	}
	return next, nil
}

// near is the legal move with the coordinate that an illegal one misspells, or "".
func (p *Position) near(word string) string {
	if p.winner != None {
		return ""
	}
	word = strings.ToLower(strings.TrimSpace(word))
	if len(word) < 2 {
		return ""
	}
	column := strings.TrimLeft(word[1:], "+0")
	cell, err := ParseCell(word[:1]+column, p.rules.Size)
	if err != nil || p.stones.Cells[cell] != None {
		return ""
	}
	return CellName(cell, p.rules.Size)
}

// Outcome is the winner once a chain joins its edges; there are no draws.
func (p *Position) Outcome() (game.Outcome, bool) {
	if p.winner == None {
		return game.Outcome{}, false
	}
	return game.Outcome{Winner: p.SeatOf(p.winner), Reason: reasonConnected}, true
}

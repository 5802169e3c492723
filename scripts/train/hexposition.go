package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"thera/engine/hex/rules"
)

// hexPosition is a searched position of a game of self-play.
type hexPosition struct {
	game   int
	board  []rules.Colour // by cell
	turn   rules.Colour
	last   [2]int          // the cells of the last moves, the other side's first, -1 for none
	shares map[int]float64 // of the visits, by cell
	value  float64         // what the side to move expected
	won    bool            // by the side to move
}

var headerForm = regexp.MustCompile(`^hex: .*, size (\d+), `)

// sizeOf is the size of the boards of a file of games with that header.
func sizeOf(header string) (size int, err error) {
	m := headerForm.FindStringSubmatch(header)
	if m == nil {
		return 0, fmt.Errorf("%.60q: want the header of games of hex, with their size", header)
	}
	if size, err = strconv.Atoi(m[1]); err != nil || size < 2 || size > 26 {
		return 0, fmt.Errorf("size %s: want 2 to 26", m[1])
	}
	return size, nil
}

// parsePosition reads a line that play wrote.
func parsePosition(text string, size int) (p hexPosition, err error) {
	words := strings.Split(text, " ")
	if len(words) != 5 {
		return p, fmt.Errorf("%d words, want a game, moves, visits, a value and a winner", len(words))
	}
	if p.game, err = strconv.Atoi(words[0]); err != nil {
		return p, err
	}
	p.board, p.turn, p.last = make([]rules.Colour, size*size), rules.Black, [2]int{-1, -1}
	for name := range strings.SplitSeq(words[1], ",") {
		cell, err := rules.ParseCell(name, size)
		if err != nil {
			return p, err
		}
		p.board[cell], p.last = p.turn, [2]int{cell, p.last[0]}
		p.turn = p.turn.Other()
	}
	total := 0.0
	p.shares = map[int]float64{}
	for text := range strings.SplitSeq(words[2], ",") {
		name, count, _ := strings.Cut(text, ":")
		cell, err := rules.ParseCell(name, size)
		if err != nil {
			return p, err
		}
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 {
			return p, fmt.Errorf("visits %q", text)
		}
		p.shares[cell], total = float64(n), total+float64(n)
	}
	for cell := range p.shares {
		p.shares[cell] /= total
	}
	if p.value, err = strconv.ParseFloat(words[3], 64); err != nil || p.value < 0 || p.value > 1 {
		return p, fmt.Errorf("value %q: want 0 to 1", words[3])
	}
	won, err := strconv.Atoi(words[4])
	if err != nil || won != int(rules.Black) && won != int(rules.White) {
		return p, fmt.Errorf("winner %q: want 1 or 2", words[4])
	}
	p.won = won == int(p.turn)
	return p, nil
}

package rules

import "fmt"

// States of gods as text in brackets. A god's file uses the functions that suit
// it, or its own.

func flag(set bool) uint32 {
	if set {
		return 1
	}
	return 0
}

// memory is what a god remembers between turns.
type memory struct {
	text, sample string // in words, and a sample of the text in brackets
	initial      uint32 // the value at the start
	parse        func(text string) (uint32, error)
	format       func(value uint32) string // with the brackets, "" for the default
	tokens       func(value uint32) uint32 // squares to mark on a board, may be nil
}

// flagged is the state of a god that is either mark or absent.
func flagged(mark, text string) memory {
	return memory{
		text: "[" + mark + "]: " + text, sample: mark,
		parse: func(text string) (uint32, error) {
			if text != mark {
				return 0, fmt.Errorf("[%s], want [%s] or no brackets", text, mark)
			}
			return 1, nil
		},
		format: func(value uint32) string {
			if value == 0 {
				return ""
			}
			return "[" + mark + "]"
		},
	}
}

// usedOnce is the state of a god whose power can be used once. Its power shows where it is not used yet.
func usedOnce() memory {
	m := flagged("x", "the power is used")
	m.sample = ""
	return m
}

// squareState is the state of a god that remembers a square.
func squareState(sample, text string) memory {
	return memory{text: "[" + sample + "]: " + text, sample: sample, parse: parseSquareState, format: formatSquareState}
}

// A square is stored plus one; 0 is no square.

func parseSquareState(text string) (uint32, error) {
	s := ParseSquare(text)
	if s == NoSquare {
		return 0, fmt.Errorf("[%s], want a square from A5 to E1 or no brackets", text)
	}
	return uint32(s + 1), nil
}

func formatSquareState(value uint32) string {
	if value == 0 {
		return ""
	}
	return "[" + SquareName(int(value-1)) + "]"
}

// storedSquare is the set of the stored square, empty for none.
func storedSquare(value uint32) uint32 {
	if value == 0 {
		return 0
	}
	return Bit(int(value - 1))
}

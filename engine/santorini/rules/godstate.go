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

// parseFlag reads a state that is either mark or absent.
func parseFlag(mark string) func(string) (uint32, error) {
	return func(text string) (uint32, error) {
		if text != mark {
			return 0, fmt.Errorf("[%s], want [%s] or no brackets", text, mark)
		}
		return 1, nil
	}
}

// formatFlag writes such a state.
func formatFlag(text string) func(uint32) string {
	return func(value uint32) string {
		if value == 0 {
			return ""
		}
		return text
	}
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

package santorini

import (
	"fmt"
)

// What a god keeps between turns, as text in brackets. A god's file picks the
// reader and writer that suit it.

func flag(set bool) uint32 {
	if set {
		return 1
	}
	return 0
}

// readFlag reads a mark that stands or does not.
func readFlag(mark string) func(string) (uint32, error) {
	return func(text string) (uint32, error) {
		if text != mark {
			return 0, fmt.Errorf("[%s], want [%s] or no brackets", clip(text), mark)
		}
		return 1, nil
	}
}

func showFlag(shown string) func(uint32) string {
	return func(kept uint32) string {
		if kept == 0 {
			return ""
		}
		return shown
	}
}

// A square that is kept is stored plus one; 0 is none.

func readSquare(text string) (uint32, error) {
	s := squareOf(text)
	if s == noSquare {
		return 0, fmt.Errorf("[%s], want a square from A5 to E1 or no brackets", clip(text))
	}
	return uint32(s + 1), nil
}

func showSquare(kept uint32) string {
	if kept == 0 {
		return ""
	}
	return "[" + squareName(int(kept-1)) + "]"
}

// keptSquare is the set of the square that is kept, empty for none.
func keptSquare(kept uint32) uint32 {
	if kept == 0 {
		return 0
	}
	return bit(int(kept - 1))
}

package game

import (
	"cmp"
	"fmt"
	"strings"
)

// Unknown is the error of a word that is none of the known ones: "unknown rule \"sizee\" (did you
// mean size?)".
func Unknown(what, word string, known []string) error {
	if near := Nearest(word, known); near != "" {
		return fmt.Errorf("unknown %s %q (did you mean %s?)", what, word, near)
	}
	return fmt.Errorf("unknown %s %q (known: %s)", what, word, cmp.Or(strings.Join(known, ", "), "none"))
}

// Nearest returns the word of list with the fewest edits to text, in any case of letters, or ""
// if none is similar. Messages ask whether it was meant.
func Nearest(text string, list []string) string {
	best, least := "", min(max(3, len(text)/2), len(text))
	for _, word := range list {
		if d := Distance(strings.ToLower(text), strings.ToLower(word)); d < least {
			best, least = word, d
		}
	}
	return best
}

// Distance is the Levenshtein distance of two texts, in bytes.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

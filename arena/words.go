package arena

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Short returns the beginning of the identity of a game, of a commit or of a hash,
// enough to name it.
func Short(id string) string { return id[:min(len(id), 12)] }

// Cut returns text, or the beginning of a long one, in at most most bytes.
func Cut(text string, most int) string {
	const mark = "…"
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:max(most-len(mark), 0)], "") + mark
}

// JSON writes plain data, which always can be written.
func JSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("%T cannot be written: %v", v, err))
	}
	return text
}

// Map returns what of makes of each element.
func Map[T, U any](list []T, of func(T) U) []U {
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = of(x)
	}
	return out
}

// Plural is a number with its noun: "1 game", "2 games".
func Plural[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Unknown is the error of a word that is none of the known ones: "unknown rule
// \"sizee\" (did you mean size?)".
func Unknown(what, word string, known []string) error {
	if near := Nearest(word, known); near != "" {
		return fmt.Errorf("unknown %s %q (did you mean %s?)", what, word, near)
	}
	return fmt.Errorf("unknown %s %q (known: %s)", what, word, strings.Join(known, ", "))
}

// Nearest returns the known word closest to word, "" if none is close.
func Nearest(word string, known []string) string {
	best, at := "", 1+max(1, len(word)/3)
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < at {
			best, at = k, d
		}
	}
	return best
}

// distance returns the number of letters to insert, delete, change or swap.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

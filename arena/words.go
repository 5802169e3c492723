package arena

import "fmt"

// Short returns the beginning of the identity of a game, of a commit or of a hash,
// enough to name it.
func Short(id string) string { return id[:min(len(id), 12)] }

// Plural is a number with its noun: "1 game", "2 games".
func Plural[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

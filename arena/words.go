package arena

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
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

// Pattern returns a regular expression that is compiled when it is first needed: each start of
// an engine starts this program too, which would compile all of them.
func Pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
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

package source

import (
	"regexp"
	"slices"
	"strings"
)

// labelled is a signature with its name, as engines print it: "signature 123",
// "Nodes searched: 123", "Bench: 123", "123 nodes 456 nps".
var (
	labelled = regexp.MustCompile(`(?i)(?:signature|bench|nodes searched|total nodes)\s*[:=]?\s*([0-9]+)|\b([0-9]+) nodes\b`)
	number   = regexp.MustCompile(`^\s*([0-9]+)\s*$`)
)

// signature returns the signature in the output of a bench: the last labelled
// number, or else a last line that is a number. "" if there is none.
func signature(lines []string) string {
	for _, line := range slices.Backward(lines) {
		if all := labelled.FindAllStringSubmatch(line, -1); len(all) > 0 {
			return strings.Join(all[len(all)-1][1:], "")
		}
	}
	if len(lines) > 0 {
		if m := number.FindStringSubmatch(lines[len(lines)-1]); m != nil {
			return m[1]
		}
	}
	return ""
}

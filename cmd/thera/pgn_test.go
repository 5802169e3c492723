package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// What programs that rate players read of a PGN file, from their documentation: ordo
// takes the text between the first two quotes of lines that begin with [White, [Black or
// [Result; bayeselo reads the tokens of the PGN standard (section 18 of "Portable Game
// Notation Specification and Implementation Guide", 1994): the seven tags of the roster in
// their order and others, an empty line, and numbered moves with comments up to the result.
// A line that begins with % is skipped, so none may; lines have at most 255 characters.
var (
	pgnHead = regexp.MustCompile(strings.ReplaceAll(`^\[Event "S"\]\n\[Site "S"\]\n\[Date "S"\]\n\[Round "S"\]\n`+
		`\[White "[^"\\]*"\]\n\[Black "[^"\\]*"\]\n\[Result "([^"\\]*)"\](?:\n\[[A-Za-z0-9][A-Za-z0-9_+#=:-]* "S"\])*$`, "S", `(?:[^"\\]|\\["\\])*`))
	pgnComment = regexp.MustCompile(`\{[^{}]*\}`)
	pgnMoves   = regexp.MustCompile(strings.ReplaceAll(`^(?:\d+\. M M )*(?:\d+\. M )?(1-0|0-1|1/2-1/2|\*)$`, "M", `[A-Za-z0-9][A-Za-z0-9_+#=:-]*`))
	pgnNumber  = regexp.MustCompile(`(\d+)\. `)
)

// readPGN reads an exported file strictly: readpgn FILE GAMES.
func readPGN(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: readpgn FILE GAMES")
	}
	text := strings.TrimSpace(ts.ReadFile(args[0]))
	for line := range strings.SplitSeq(text, "\n") {
		if len([]rune(line)) > 255 || strings.HasPrefix(line, "%") {
			ts.Fatalf("too long, or skipped: %.40q", line)
		}
	}
	parts := strings.Split(text, "\n\n")
	if fmt.Sprint(float64(len(parts))/2) != args[1] {
		ts.Fatalf("%s: %d parts", args[0], len(parts))
	}
	for i := 0; i < len(parts); i += 2 {
		head := pgnHead.FindStringSubmatch(parts[i])
		text := strings.Join(strings.Fields(pgnComment.ReplaceAllString(parts[i+1], "")), " ")
		moves := pgnMoves.FindStringSubmatch(text)
		if head == nil || moves == nil || head[1] != moves[1] {
			ts.Fatalf("game %d: %q %q", i/2, parts[i], text)
		}
		for n, number := range pgnNumber.FindAllStringSubmatch(text, -1) {
			if number[1] != fmt.Sprint(n+1) {
				ts.Fatalf("game %d: move %s is the %d-th", i/2, number[1], n+1)
			}
		}
	}
}

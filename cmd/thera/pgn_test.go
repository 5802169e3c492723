package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// What programs that rate players read of a PGN file, from their documentation: ordo
// looks at lines that begin with [White, [Black or [Result and takes the text between
// the first two quotes; bayeselo reads the tokens of the PGN standard. Its grammar
// (section 18 of "Portable Game Notation Specification and Implementation Guide",
// 1994), without variations, which nobody writes here:
//
//	file     = { tag { tag } move-text }
//	tag      = "[" symbol string "]"
//	move-text = { number | "." | symbol | comment } result
//	result   = "1-0" | "0-1" | "1/2-1/2" | "*"
//	symbol   = letter or digit { letter | digit | "_" | "+" | "#" | "=" | ":" | "-" }
//	string   = `"` up to 255 printing characters, `\"` and `\\` among them, `"`
//	comment  = "{" anything but "}" "}"
//
// A line that begins with % is skipped, so none may; lines have at most 255 characters.
// The seven tags of the roster come first, in their order.

type pgnGame struct{ white, black, result string }

var (
	pgnTag    = regexp.MustCompile(`^\[([A-Za-z0-9][A-Za-z0-9_+#=:-]*) "((?:[^"\\]|\\["\\])*)"\]$`)
	pgnSymbol = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_+#=:-]*`)
	pgnRoster = []string{"Event", "Site", "Date", "Round", "White", "Black", "Result"}
	pgnResult = []string{"1-0", "0-1", "1/2-1/2", "*"}
)

// strictPGN reads a file by the grammar above.
func strictPGN(text string) (games []pgnGame, err error) {
	for at, line := range strings.Split(text, "\n") {
		if len([]rune(line)) > 255 || strings.HasPrefix(line, "%") {
			return nil, fmt.Errorf("line %d: too long, or skipped: %.40q", at+1, line)
		}
	}
	for text = strings.TrimLeft(text, "\n"); text != ""; text = strings.TrimLeft(text, "\n") {
		head, rest, found := strings.Cut(text, "\n\n")
		if !found {
			return nil, fmt.Errorf("game %d: no moves", len(games)+1)
		}
		var names []string
		tags := map[string]string{}
		for line := range strings.SplitSeq(head, "\n") {
			m := pgnTag.FindStringSubmatch(line)
			if m == nil || len([]rune(m[2])) > 255 || tags[m[1]] != "" {
				return nil, fmt.Errorf("game %d: not a tag, or one that is there already: %q", len(games)+1, line)
			}
			names = append(names, m[1])
			tags[m[1]] = m[2]
		}
		if len(names) < len(pgnRoster) || !slices.Equal(names[:len(pgnRoster)], pgnRoster) {
			return nil, fmt.Errorf("game %d: tags %q do not begin with the roster", len(games)+1, names)
		}
		result, after, err := pgnMoves(rest)
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", len(games)+1, err)
		}
		if result != tags["Result"] {
			return nil, fmt.Errorf("game %d: result %s, but the tag has %s", len(games)+1, result, tags["Result"])
		}
		games = append(games, pgnGame{tags["White"], tags["Black"], result})
		text = after
	}
	return games, nil
}

// pgnMoves reads the moves of a game up to its result.
func pgnMoves(text string) (result, rest string, err error) {
	number, seen := 0, 0 // of the last move number, and moves since
	for {
		text = strings.TrimLeft(text, " \n")
		for _, word := range pgnResult {
			if after, found := strings.CutPrefix(text, word); found && strings.HasPrefix(after, "\n") {
				return word, after, nil
			}
		}
		switch {
		case text == "":
			return "", "", errors.New("no result")
		case text[0] == '{':
			comment, after, found := strings.Cut(text[1:], "}")
			if !found || strings.Contains(comment, "\n[") {
				return "", "", fmt.Errorf("a comment without an end, or with what looks like a tag: %.40q", text)
			}
			text = after
		case text[0] == '.':
			text = text[1:]
		default:
			word := pgnSymbol.FindString(text)
			if word == "" {
				return "", "", fmt.Errorf("no token: %.40q", text)
			}
			text = text[len(word):]
			if n, err := strconv.Atoi(word); err == nil {
				if n != number+1 || number > 0 && seen != 2 {
					return "", "", fmt.Errorf("move number %d after %d and %d moves", n, number, seen)
				}
				number, seen = n, 0
			} else if seen++; number == 0 || seen > 2 {
				return "", "", fmt.Errorf("move %s has no number", word)
			}
		}
	}
}

// linesOfPGN reads a file by its lines alone.
func linesOfPGN(text string) (games []pgnGame) {
	var g pgnGame
	for line := range strings.Lines(text) {
		for name, into := range map[string]*string{"White": &g.white, "Black": &g.black, "Result": &g.result} {
			if rest, found := strings.CutPrefix(line, "["+name+` "`); found {
				*into, _, _ = strings.Cut(rest, `"`)
			}
		}
		if g.white != "" && g.black != "" && g.result != "" {
			games, g = append(games, g), pgnGame{}
		}
	}
	return games
}

// bothPGN reads a file in both ways, which must agree.
func bothPGN(text string) ([]pgnGame, error) {
	games, err := strictPGN(text)
	if err != nil {
		return nil, err
	}
	if lines := linesOfPGN(text); !slices.Equal(games, lines) {
		return nil, fmt.Errorf("by its lines it has other games: %q, want %q", lines, games)
	}
	return games, nil
}

// readPGN reads an exported file strictly: readpgn FILE GAMES.
func readPGN(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: readpgn FILE GAMES")
	}
	games, err := bothPGN(ts.ReadFile(args[0]))
	ts.Check(err)
	if fmt.Sprint(len(games)) != args[1] {
		ts.Fatalf("%s: %d games", args[0], len(games))
	}
}

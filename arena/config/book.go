package config

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"thera/arena"
	"thera/arena/files"
	"thera/arena/match"
	"thera/arena/tournament"
)

// openings checks that the sources of openings fit together, reads the file of openings,
// and records the judge of balanced ones.
func (r *reader) openings(p *arena.Plan) {
	o := &p.Openings
	r.fits("openings", valueOf(o))
	if o.File != "" && r.ownOpenings != nil {
		for s := range arena.Fields(valueOf(r.ownOpenings)) {
			if path := join("openings", s.Key); r.given(path) {
				r.bad(path, "%s with file, expected one of them", s.Key)
			}
		}
	}
	if o.Balanced > 0 && !r.given("openings.random_plies") {
		o.RandomPlies = 4
	}
	if o.File != "" && r.game != nil && r.clean("openings") {
		r.book(o)
	}
	if o.Balanced > 0 && len(r.problems) == 0 {
		if o.Judge = p.Player.Version().Judge; o.Judge == "" {
			r.bad("openings.balanced", "%s has no judge of positions, expected random_plies alone", p.Game.Name())
		}
	}
}

// maxBook is the largest size of an opening file in bytes.
const maxBook = 64 << 20

// maxBadLines is the number of bad lines in an opening file that are reported.
const maxBadLines = 10

// book reads a file with one opening a line. Blank lines and lines that start with # are
// skipped.
func (r *reader) book(o *arena.Openings) {
	text, err := files.Read(r.find(o.File), maxBook)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.bad("openings.file", "no file %s, expected one next to the match file or in the working directory", o.File)
		return
	case err != nil:
		r.bad("openings.file", "%v, expected a file of positions", err)
		return
	}
	sum := sha256.Sum256(text)
	o.Hash = hex.EncodeToString(sum[:])
	n, bad := 0, 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		position, err := r.position(line)
		if err == nil {
			o.Positions = append(o.Positions, position)
		} else if bad++; bad <= maxBadLines {
			r.add(Error{
				File: o.File, Line: n, Col: 1, Path: "openings.file",
				Text: fmt.Sprintf("%v, expected a position of %s, or moves from one", err, r.game.Name()),
			})
		}
	}
	switch {
	case bad > maxBadLines:
		r.bad("openings.file", "%s has %d bad lines in all", o.File, bad)
	case bad == 0 && len(o.Positions) == 0:
		r.bad("openings.file", "%s has no positions, expected one a line", o.File)
	case bad == 0:
		r.part(o)
	}
	o.Count = len(o.Positions)
}

// part takes the openings from first on, and as many as count says.
func (r *reader) part(o *arena.Openings) {
	first := max(o.First, 1)
	switch left := len(o.Positions) - first + 1; {
	case left < 1:
		r.bad("openings.first", "%d, but %s has only %d openings", first, o.File, len(o.Positions))
	case o.Most > left:
		r.bad("openings.count", "%d, but from opening %d on %s has only %d", o.Most, first, o.File, left)
	default:
		o.Positions = o.Positions[first-1:][:cmp.Or(o.Most, left)]
	}
}

// movesWord is between the position of a line and the moves from there.
const movesWord = "moves"

// position reads one opening: a position, or the one that moves lead to.
func (r *reader) position(line string) (string, error) {
	start, moves := &line, []string(nil)
	words := strings.Fields(line)
	if n := slices.Index(words, movesWord); n >= 0 {
		from := strings.Join(words[:n], " ")
		if start, moves = &from, words[n+1:]; n == 0 {
			start = nil
		}
	}
	if start == nil && !tournament.Fixed(r.game, 0) {
		return "", fmt.Errorf("moves without a position, and %s draws its start", r.game.Name())
	}
	played, illegal, err := match.Moves(r.game, start, moves)
	if err == nil && illegal != nil {
		err = illegal
	}
	if err != nil {
		return "", err
	}
	if _, over := played.Position.Outcome(); over {
		return "", errors.New("the game is over in this position")
	}
	return played.Position.String(), nil
}

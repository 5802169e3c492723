package config

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"thera/arena"
	"thera/arena/files"
	"thera/arena/opening"
	"thera/arena/replay"
	"thera/engine/game"
)

// openings checks that the sources of openings fit together, reads the file of openings,
// and records the judge of balanced ones.
func (r *reader) openings(p *arena.Plan) {
	o := &p.Openings
	if o.Balanced > 0 && r.game != nil {
		if _, ok := r.game.(game.Judge); !ok {
			r.bad("openings.balanced", "%s has no judge of positions, expected random_plies alone", r.game.Name())
		}
	}
	r.fits("openings", valueOf(o))
	if o.File != "" && r.rest != nil {
		for key := range entries(r.rest) {
			r.bad(join("openings", key), "%s with file, expected one of them", key)
		}
	}
	if o.Balanced > 0 && !r.given("openings.random_plies") {
		o.RandomPlies = 4
	}
	if o.File != "" && r.game != nil {
		r.book(o)
	}
	if o.Balanced > 0 && len(r.problems) == 0 {
		var err error
		if o.Judge, err = opening.JudgeSignature(context.Background(), p.Game); err != nil {
			r.bad("openings.balanced", "%v", err)
		}
	}
}

// maxBook is the largest size of an opening file in bytes.
const maxBook = 64 << 20

// maxBadLines is the number of bad lines in an opening file that are reported.
const maxBadLines = 10

// book reads a file with one opening a line. In a .jsonl file that is a JSON string or
// an object with "position", or with "moves" and perhaps "start"; in others it is plain
// text, and blank lines and lines that start with # are skipped.
func (r *reader) book(o *arena.Openings) {
	name := o.File
	const want = "expected a position of %s, or moves from one"
	text, err := files.Read(r.nextTo(name), maxBook)
	if errors.Is(err, os.ErrNotExist) && !filepath.IsAbs(name) {
		text, err = files.Read(filepath.Join(r.host.Dir, name), maxBook)
	}
	switch {
	case errors.Is(err, os.ErrNotExist):
		r.bad("openings.file", "no file %s, expected one next to the match file or in the working directory", name)
		return
	case err != nil:
		r.bad("openings.file", "%v, expected a file of positions", err)
		return
	}
	sum := sha256.Sum256(text)
	o.Hash = hex.EncodeToString(sum[:])
	scan := bufio.NewScanner(strings.NewReader(string(text)))
	scan.Buffer(nil, 1<<20)
	asJSON := strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".save") // a save of `thera central`
	bad := 0
	for n := 1; scan.Scan(); n++ {
		line := strings.TrimSpace(scan.Text())
		if line == "" || !asJSON && (line[0] == '#') {
			continue
		}
		position, err := r.position(line, asJSON)
		if err == nil {
			o.Positions = append(o.Positions, position)
			continue
		}
		if bad++; bad <= maxBadLines {
			r.add(Error{File: name, Line: n, Col: 1, Path: "openings.file", Text: err.Error() + ", " + fmt.Sprintf(want, r.game.Name())})
		}
	}
	if bad > maxBadLines {
		r.bad("openings.file", "%s has %d bad lines in all", name, bad)
	}
	r.part(o, bad == 0)
	o.Count = len(o.Positions)
	if err := scan.Err(); err != nil {
		r.bad("openings.file", "%s: %v, expected positions line by line", name, err)
	} else if len(o.Positions) == 0 && bad == 0 {
		r.bad("openings.file", "%s has no positions, expected one a line", name)
	}
}

// part takes the openings from first on, and as many as count says.
func (r *reader) part(o *arena.Openings, whole bool) {
	first, all := max(o.First, 1), len(o.Positions)
	switch most := all - first + 1; {
	case !whole || all == 0:
	case most < 1:
		r.bad("openings.first", "%d, but %s has only %d openings", first, o.File, all)
	case o.Most > most:
		r.bad("openings.count", "%d, but from opening %d on %s has only %d", o.Most, first, o.File, most)
	default:
		if o.Most > 0 {
			most = o.Most
		}
		o.Positions = o.Positions[first-1 : first-1+most]
	}
}

// movesWord is between the position of a line and the moves from there.
const movesWord = "moves"

// position reads one opening: a position, or the one that moves lead to.
func (r *reader) position(line string, asJSON bool) (string, error) {
	var moves []string
	words := strings.Fields(line)
	if at := slices.Index(words, movesWord); at >= 0 && !asJSON {
		line, moves = strings.Join(words[:at], " "), words[at+1:]
	}
	if asJSON {
		var object struct {
			arena.SavedHead
			Position string   `json:"position"`
			Start    string   `json:"start"`
			Moves    []string `json:"moves"`
		}
		if err := json.Unmarshal([]byte(line), &line); err != nil {
			err := json.Unmarshal([]byte(line), &object)
			if err == nil {
				if err := object.Check(r.game.Name()); err != nil {
					return "", err
				}
			}
			if err != nil || object.Position == "" && object.Moves == nil {
				return "", fmt.Errorf("%.60q is neither a JSON string nor an object with position or moves", line)
			}
			if line = object.Position; line == "" {
				line, moves = object.Start, object.Moves
			}
		}
	}
	start := &line
	if line == "" {
		if start = nil; !opening.Fixed(r.game, 0) {
			return "", fmt.Errorf("moves without a position, and %s draws its start", r.game.Name())
		}
	}
	at, illegal, err := replay.Moves(r.game, start, moves)
	if err == nil && illegal != nil {
		err = illegal
	}
	if err != nil {
		return "", err
	}
	if _, over := at.Position.Outcome(); over {
		return "", errors.New("the game is over in this position")
	}
	if at.Ply == 0 && start != nil {
		return line, nil
	}
	return at.Position.String(), nil
}

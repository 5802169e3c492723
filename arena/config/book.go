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
	"thera/arena/opening"
	"thera/engine/game"
)

// openings checks that the sources of openings fit together, and records the
// judge of balanced openings.
func (r *resolver) openings(p *arena.Plan) {
	o := &p.Openings
	if o.RandomPlies < 0 || o.RandomPlies > 1000 {
		r.bad("openings.random_plies", "%d is out of range, expected 0 to 1000", o.RandomPlies)
	}
	if o.JudgeNodes < 1 {
		r.bad("openings.judge_nodes", "%d is out of range, expected 1 or more", o.JudgeNodes)
	}
	if o.Balanced > 0.5 {
		r.bad("openings.balanced", "%v is out of range, expected at most 0.5", o.Balanced)
	}
	if o.Balanced > 0 && !r.given("openings", "random_plies") {
		o.RandomPlies = 4
	}
	if o.Balanced > 0 && r.game != nil {
		if _, ok := r.game.(game.Judge); !ok {
			r.bad("openings.balanced", "%s has no judge of positions, expected random_plies alone", r.game.Name())
		}
	}
	if o.File != "" {
		for _, other := range []string{"random_plies", "balanced"} {
			if r.given("openings", other) {
				r.bad("openings."+other, "%s with file, expected one source of openings", other)
			}
		}
		if r.rest != nil {
			key := r.rest.Content[0]
			if r.clean(join("openings", key.Value)) {
				r.fault(key, join("openings", key.Value), key.Value+" with file, expected one source of openings")
			}
		}
	}
	for _, k := range []struct {
		key   string
		value int
	}{{"first", o.First}, {"count", o.Most}} {
		if path := "openings." + k.key; r.given("openings", k.key) && r.clean(path) {
			switch {
			case o.File == "":
				r.bad(path, "%s without file, expected openings.file", k.key)
			case k.value < 1:
				r.bad(path, "%d is out of range, expected 1 or more", k.value)
			}
		}
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
func (r *resolver) book(o *arena.Openings) {
	name := o.File
	const want = "expected a position of %s, or moves from one"
	text, err := ReadFile(r.nextTo(name), maxBook)
	if errors.Is(err, os.ErrNotExist) && !filepath.IsAbs(name) {
		text, err = ReadFile(filepath.Join(r.host.Dir, name), maxBook)
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
func (r *resolver) part(o *arena.Openings, whole bool) {
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
func (r *resolver) position(line string, asJSON bool) (string, error) {
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
	position, err := r.base(line)
	if err != nil {
		return "", err
	}
	for i, move := range moves {
		if position, err = position.Play(game.ParseTurn(position.ToMove(), move)); err != nil {
			return "", fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	if _, over := position.Outcome(); over {
		return "", errors.New("the game is over in this position")
	}
	if len(moves) > 0 || line == "" {
		return position.String(), nil
	}
	return line, nil
}

// base is the position of that text, or without one the standard start.
func (r *resolver) base(text string) (game.Position, error) {
	if text != "" {
		return r.game.Parse(text)
	}
	if !startsAlike(r.game) {
		return nil, fmt.Errorf("moves without a position, and %s draws its start", r.game.Name())
	}
	return r.game.Start(0, 1)
}

package central

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"thera/arena"
	"thera/arena/files"
	"thera/arena/match"
	"thera/engine/game"
)

// saved is a save file: one line of JSON. `thera judge` reads it as it is, and
// `thera run` takes its position as an opening.
type saved struct {
	arena.SavedHead
	Rules    []string `json:"rules,omitempty"`
	Start    string   `json:"start"`
	Moves    []string `json:"moves"`
	Position string   `json:"position"` // after the moves, for readers
}

// save writes the game to path, or to the first free GAME-N.save, and prints
// the file's name. It never overwrites a file.
func (c *Central) save(path string) error {
	history := c.match.History()
	s := saved{
		SavedHead: arena.SavedHead{Version: arena.SavedVersion, Game: c.Game.Name()}, Rules: c.Rules,
		Start: history.Start().Position.String(), Moves: []string{}, Position: history.Position.String(),
	}
	for _, turn := range history.Turns() {
		s.Moves = append(s.Moves, turn.String())
	}
	for n := 1; ; n++ {
		name := cmp.Or(path, fmt.Sprintf("%s-%d.save", c.Game.Name(), n))
		err := files.Create(name, append(arena.JSON(s), '\n'), 0o644)
		if path == "" && errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			fmt.Fprintln(c.Out, name)
		}
		return err
	}
}

// maxSave is the maximal size of a saved game in bytes.
const maxSave = 16 << 20

// load reads a saved game and plays its moves by the rules.
func (c *Central) load(path string) (*game.History, error) {
	text, err := files.Read(path, maxSave)
	if err != nil {
		return nil, err
	}
	var s saved
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("%s is not a saved game: %w", path, err)
	}
	switch err := s.Check(c.Game.Name()); {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case s.Version == 0:
		return nil, fmt.Errorf("%s is not a saved game: it has no version", path)
	case !slices.Equal(s.Rules, c.Rules):
		return nil, fmt.Errorf("%s: played under the rules %q, here they are %q (set them with --rule)",
			path, s.Rules, c.Rules)
	}
	history, illegal, err := match.Moves(c.Game, &s.Start, s.Moves)
	if err == nil && illegal != nil {
		err = illegal
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return history, err
}

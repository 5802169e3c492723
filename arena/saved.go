package arena

import "fmt"

// SavedVersion is the version of saved games (`thera central`'s save). It is
// raised when a save can no longer be read by older programs.
const SavedVersion = 1

// SavedHead is the head of a saved game: all but its start, moves and position. Other JSON objects have no version, which is 0.
type SavedHead struct {
	Version int    `json:"version"`
	Game    string `json:"game"`
}

// Check refuses a save of another version or of another game; anything that is
// no save passes.
func (h SavedHead) Check(game string) error {
	switch {
	case h.Version == 0 || h.Game == "":
		return nil
	case h.Version != SavedVersion:
		return fmt.Errorf("version %d of saved games, this program reads %d", h.Version, SavedVersion)
	case h.Game != game:
		return fmt.Errorf("a saved game of %s, not of %s", h.Game, game)
	}
	return nil
}

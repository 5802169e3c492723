package arena

import (
	"encoding/json"
	"fmt"
)

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

// UnmarshalJSON reads openings as they are stored. Older runs have the game's
// own settings within a text of all settings.
func (o *Openings) UnmarshalJSON(text []byte) error {
	type plain Openings
	var older struct {
		Text string
	}
	if err := json.Unmarshal(text, (*plain)(o)); err != nil {
		return err
	}
	if o.Own != "" || json.Unmarshal(text, &older) != nil || older.Text == "" {
		return nil
	}
	var all struct {
		Own json.RawMessage `json:"own"`
	}
	if err := json.Unmarshal([]byte(older.Text), &all); err != nil {
		return fmt.Errorf("openings of an older run: %w", err)
	}
	o.Own = string(all.Own)
	return nil
}

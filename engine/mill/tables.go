package mill

import "errors"

// Tables are solved endgames.
type Tables struct{}

func (t *Tables) score(s *state, quiet int) (int, bool) { return 0, false }

// from reports whether the tables were read from path for that rule.
func (t *Tables) from(path string, flying bool) bool { return t != nil }

// LoadTables reads the tables in a folder.
func LoadTables(path string, flying bool) (*Tables, error) { return nil, errors.New("not built yet") }

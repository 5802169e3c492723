package game

// Almanac is a Game whose seats play roles with powers of their own (gods), and
// that can tell about them.
type Almanac interface {
	Almanac() []Role
}

// Role is what there is to know about one role. Texts are one line each.
type Role struct {
	Name    string
	Power   string
	State   string // what it keeps in the position text, "" for nothing
	Bans    []Ban
	Example Position // a position in which the power shows
	After   Position // a turn that only this role has there, nil for none
	Note    string   // what the example shows
}

// Ban is a role that this one does not meet.
type Ban struct {
	With, Reason string
}

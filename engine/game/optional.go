package game

import (
	"context"
	"time"
)

// The optional interfaces of games, found by type assertion. All games but Hex implement
// Counter. Each of the others is implemented by the one game that has such a thing: endgame
// tables (Prover, Nine Men's Morris), gods (RoleCatalog and, for gods that only engines
// know, Foreign, Santorini), and files of its own (Archiver, PyRat).

// Prover is a Game that knows the outcome of some positions for certain.
// Adjudication by tables needs it; Nine Men's Morris has endgame tables.
type Prover interface {
	Proven(pos Position) (Outcome, bool)
}

// RoleCatalog is a Game in which each seat plays a role with special powers.
// Santorini has gods: tables of results are by role, and `thera gods`
// prints the catalog. Positions with a role that is not in it are Foreign.
type RoleCatalog interface {
	// Roles lists all roles.
	Roles() []Role

	// RolesIn are the names of the roles in pos, by seat.
	RolesIn(pos Position) [2]string

	// RulesEngine names what decides which moves of Foreign positions are legal: an engine
	// of the match, the command of a program, or BothEngines.
	RulesEngine() string
	// Warning is what a record says of the turn that led to pos, where Play allows it and
	// Moves does not list it: by the printed rules of some gods there are turns that engines
	// of today do not list. It is "" for all others. What stands before its colon is the
	// same for all such turns.
	Warning(pos Position) string
	// WinsAtOnce is whether the mover can win with one turn. Some gods have so many turns
	// that to play each takes minutes. pos is not Foreign.
	WinsAtOnce(pos Position) bool
}

// BothEngines is the RulesEngine of a game in which the lists of both engines decide.
const BothEngines = "both"

// RolesOf are the names of the roles in pos, by seat; "" where the game has none.
func RolesOf(g Game, pos Position) (names [2]string) {
	if catalog, ok := g.(RoleCatalog); ok {
		names = catalog.RolesIn(pos)
	}
	return names
}

// Role is an entry of a RoleCatalog. Texts are one line each.
type Role struct {
	Name    string
	Power   string
	State   string // what it keeps in the position text, "" for nothing
	Bans    []Ban
	Example Position // a position in which the power shows
	After   Position // a turn that only this role has there, nil for none
	Note    string   // what the example shows
}

// Ban is a role that another one never meets.
type Ban struct {
	With, Reason string
}

// Archiver is a Game with files of its own: a format for finished games, which `thera
// export` and `thera import` offer under its name, and one that says how the engine in its
// folder starts. PyRat has both.
type Archiver interface {
	Formats() []string
	Write(format string, history *History, head Heading) ([]byte, error)
	Read(format string, text []byte) (*History, error)

	Manifest() string // the name of the file in an engine's folder
	ReadManifest(text []byte) (Package, error)

	// Adapter is what follows `thera engine GAME` to start an engine of a protocol that is not
	// spoken in lines, before the engine's command, and to speak for it in one game; nil for
	// other protocols.
	Adapter(protocol string) []string
}

// Heading is what a file format may hold in addition to the moves. What is not
// known is zero.
type Heading struct {
	Event   string
	Round   int
	Players [2]string // by seat
	Date    time.Time
	Ended   bool // by the moves or, with Outcome, by a fault or an adjudication
	Outcome Outcome
}

// Counter is a Position that counts the sequences of exactly depth turns below
// it faster than by Play.
type Counter interface {
	Count(ctx context.Context, depth int) (uint64, error)
}

// Foreign is a Position whose rules the game does not know. The legal moves are
// those that Session.List lists. Without a list, Play accepts any move that can be
// read, and Moves is nil.
type Foreign interface {
	Position

	// Under is the position with its list. An empty list means that the mover has
	// no legal move: Moves then holds the one move that ends the game.
	Under(list []string) Position

	// ByLot is the position with what the players would choose before their first
	// move (the squares of their workers) drawn from seed. It is nil where nothing
	// is left to choose.
	ByLot(seed uint64) Foreign

	// Nearest is the move of list that is most like the given one, which is not in
	// it; "" if the list is empty.
	Nearest(list []string, move string) string
}

// ForeignStart is the first start of g that is Foreign, nil if there is none.
func ForeignStart(g Game) Position {
	for i := range g.Starts() {
		pos, err := g.Start(i, 0)
		if _, foreign := pos.(Foreign); err == nil && foreign {
			return pos
		}
	}
	return nil
}

// Package is an engine in a folder, in which it starts.
type Package struct {
	Name     string   // "" for none
	Command  []string // a path in it is relative to the folder
	Protocol string
}

package rules

import "fmt"

// God is a god's index in the table of gods.
type God uint8

// power is everything about one god. Each god's file has a function that returns
// it; gods.go lists them.
type power struct {
	name    string
	text    string // the power in one line
	workers int    // the number that it places, 0 for two

	// least and most, if most is not 0, limit the number it may have later.
	least, most int

	// turns generates the god's turns by the full rules, nil for commonTurns.
	turns func(g *generator)

	// wide marks a god that may have thousands of turns. Its turns function lists
	// only a few of them while plainOnly is set.
	wide bool

	// endless marks a wide god with so many turns that a search sees only the few.
	endless bool

	// fast generates the same turns quickly, where that is possible.
	fast *Fast

	hints hints // what helps a search

	// plainWins is derived: the god wins by one step from level 2 to a free
	// neighbour of level 3, by every such step, and in no other way.
	plainWins bool

	// limitSelf limits the god's turns, limitOpponent those of its opponent.
	// Either may be nil. side is the god's side.
	limitSelf, limitOpponent func(g *generator, side uint8)
	limitsByState            bool // limitOpponent limits nothing while the state is 0

	// wins is a way to win by a step other than the common one.
	wins func(g *generator, before, after State, from, to int) bool
	// ending changes the state at the end of a turn that has not won, and may win.
	ending    func(g *generator, q State) (end State, won bool)
	buildWins bool // a dome may win

	coins       bool // its first blocks carry coins
	female      bool // its state is the square of its female worker
	removes     bool // it may remove the opponent's workers
	drags       bool // aphrodite does not hold a step that wins
	returns     bool // it may have turns without a worker
	placesFirst bool
	basic       bool               // protocol v1 knows it
	byText      bool               // its rules are those of the printed text alone: no engine of today plays it
	sharesTop   bool               // it may win on the square of an opponent's worker
	onDomes     bool               // one of its workers may stand on a dome while its state is not the one at the start
	place       func(g *generator) // how it places, nil for the common way

	state memory
	check func(p *State, me int) error // of its state, what parse alone cannot see

	bans    []ban          // the gods that it does not meet
	printed []*printedRule // turns that it has by the printed rules alone
	example string         // a position that shows the power, "" if any board does
}

// String is the god's name in position strings.
func (g God) String() string { return gods[g].name }

// ParseGod finds a god by its name in position strings.
func ParseGod(name string) (God, bool) {
	for g := range gods {
		if gods[g].name == name {
			return God(g), true
		}
	}
	return 0, false
}

// ParseGods finds gods by their names. The error names the first that is unknown.
func ParseGods(names []string) ([]God, error) {
	list := make([]God, len(names))
	for i, name := range names {
		god, ok := ParseGod(name)
		if !ok {
			return nil, fmt.Errorf("unknown god %q", name)
		}
		list[i] = god
	}
	return list, nil
}

// Basic reports whether g is one of the four gods that protocol v1 knows.
func (g God) Basic() bool { return gods[g].basic }

// Played lists the gods that engines of today play. The others are drawn only by name.
func Played() []God {
	var list []God
	for g := range gods {
		if !gods[g].byText {
			list = append(list, God(g))
		}
	}
	return list
}

// ByText reports whether the rules of g are from the printed text alone: no engine of
// today plays it.
func (g God) ByText() bool { return gods[g].byText }

// Power is what g does, in one line.
func (g God) Power() string { return gods[g].text }

// LimitsOpponent reports whether g forbids its opponent anything.
func (g God) LimitsOpponent() bool { return gods[g].limitOpponent != nil }

// HasState reports whether g remembers something between turns.
func (g God) HasState() bool { return gods[g].state.parse != nil }

// StateText describes the state of g and how it is written, and gives a sample
// without brackets. Both are empty for a god without a state.
func (g God) StateText() (text, sample string) { return gods[g].state.text, gods[g].state.sample }

// InitialState is the state of g at the start of a game.
func (g God) InitialState() uint32 { return gods[g].state.initial }

// ParseState reads the state of g from the text between brackets. It must not be
// called for a god without a state.
func (g God) ParseState(text string) (uint32, error) { return gods[g].state.parse(text) }

// FormatState writes a state of g with its brackets, "" for the default.
func (g God) FormatState(state uint32) string {
	if format := gods[g].state.format; format != nil {
		return format(state)
	}
	return ""
}

// Marks is what a state of g puts on the board: the square of its female worker
// and those of its coins or token. Both sets are empty for most gods.
func (g God) Marks(state uint32) (female, tokens uint32) {
	if gods[g].female {
		female = storedSquare(state)
	}
	if marks := gods[g].state.tokens; marks != nil {
		tokens = marks(state)
	}
	return female, tokens
}

// Example is a position in text form that shows the power of g, "" if any board
// does.
func (g God) Example() string { return gods[g].example }

// Workers is the number of workers that g places.
func (g God) Workers() int { return gods[g].workers }

// PlacesFirst reports whether g places its workers first whatever its seat.
func (g God) PlacesFirst() bool { return gods[g].placesFirst }

// Bonus is the term of the evaluation that g adds for its side, in hundredths of a
// clear advantage, nil if there is none.
func (g God) Bonus() func(p *State, side int) int { return gods[g].hints.value }

package santorini

// God is a god's place in the table.
type God uint8

// power is one god: everything the rules ask about it. A god's file holds a
// function that returns it; gods.go lists them.
type power struct {
	name    string
	text    string // the power in one line
	workers int    // how many it places

	// least and most, if set, are how many workers it may have later.
	least, most int

	// turns generates the god's turns under the full rules.
	turns func(t *turns)

	// wide says that turns leaves out the bulk of them where it is asked for
	// plain turns only: there can be thousands of the others.
	wide bool

	// fast is set where a turn is one worker's move and one build beside it:
	// such turns fit in a move word and are counted in bulk.
	fast *fastTurns

	player sense // what the player must know beyond the rules

	// rules sets what the god's own turns are held to, limit what its
	// opponent's are. Either may be nil; both are told the god's side.
	rules, limit func(t *turns, side uint8)

	// wins is a way to win by a step besides the common one.
	wins func(t *turns, before, after state, from, to int) bool
	// ending sets what a turn that has not won leaves in q, and says whether it wins.
	ending    func(t *turns, q state) (end state, won bool)
	buildWins bool // a turn can win by a dome

	coins       bool // its first blocks carry coins
	female      bool // keeps the square of its female worker
	removes     bool // it may remove the opponent's workers
	placesFirst bool
	starts      func(t *turns) // its own way to place, nil for the common one

	// What it keeps between turns, in words, with an example of the text in
	// brackets; its value at the start; and its text, "" for the default.
	keeps, sample string
	example       string // a position that shows the power, "" for one of exampleBoards
	start         uint32
	read          func(text string) (uint32, error)
	show          func(kept uint32) string
	check         func(p *state, me int) error // beyond what read can see
	token         func(kept uint32) uint32     // squares to mark on a board
}

// fastTurns describes a god of the fast path.
type fastTurns struct {
	// reach gives the squares where the worker on from ends by winning and
	// those where it ends and builds. No square is in both.
	reach func(p *state, from int) (wins, ends uint32)
	// twice allows a second block on the same square, never a dome.
	twice bool
}

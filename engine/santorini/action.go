package santorini

// Action is one step of a player's turn, as a program that shows a board would
// ask a person for it. Squares are 0-24, noSquare where the kind has none.
type Action struct {
	Kind   ActionKind
	At     int  // the square selected, moved to, built on, placed on, marked
	To     int  // where a pushed or forced worker, that stands on At's other end, goes
	Female bool // MoveWorker: the worker is the god's female one
}

// ActionKind is what an action does; its String is the protocol's word.
type ActionKind uint8

// The kinds of actions. v1 knows SelectWorker, MoveWorker, Build and NoMoves.
const (
	SelectWorker  ActionKind = iota // At: a worker of the mover
	MoveWorker                      // At: where it goes
	MoveWithSwap                    // At: where it goes; the worker there takes its place
	MoveWithPush                    // At: where it goes; the worker there goes to To
	Build                           // At: one level there
	Dome                            // At: a dome, whatever the height
	PlaceWorker                     // At: in the placement phase, or jason's
	NoMoves                         // the mover is blocked
	ForceOpponent                   // At, To: an opponent's worker is moved
	ForceOwn                        // At, To: another own worker is moved
	RemoveWorker                    // At: a worker leaves the board
	RemoveBlock                     // At: one level less
	SetFemale                       // At: which of the placed workers is the female one
	SetToken                        // At: europa's token
	SetWind                         // At: aeolus' direction, 0 n, 1 ne … 7 nw; noSquare for none
)

var actionWords = [...]string{
	SelectWorker: "select_worker", MoveWorker: "move_worker", MoveWithSwap: "move_worker_with_swap",
	MoveWithPush: "move_worker_with_push", Build: "build", Dome: "dome", PlaceWorker: "place_worker",
	NoMoves: "no_moves", ForceOpponent: "force_opponent_worker",
	ForceOwn: "force_own_worker", RemoveWorker: "remove_worker",
	RemoveBlock: "remove_block", SetFemale: "set_female_worker", SetToken: "set_talus_position",
	SetWind: "set_wind_direction",
}

func (k ActionKind) String() string { return actionWords[k] }

// act is an action about one square.
func act(k ActionKind, at int) Action { return Action{Kind: k, At: at, To: noSquare} }

// turnFound is one distinct next state with one of its shortest chains.
type turnFound struct {
	next  state
	chain []Action
}

// allTurns lists every distinct next state with a shortest chain, in the
// order of generation. A blocked mover has none.
func allTurns(p *state) []turnFound {
	if p.winner != 0 {
		return nil
	}
	if fastFor(p) != nil {
		return fastTurnsOf(p)
	}
	f := newFrame()
	t := &turns{f: f, record: true}
	t.generate(p)
	found := make([]turnFound, len(f.kids))
	for i := range f.kids {
		found[i] = turnFound{f.kids[i], t.chains[i]}
	}
	return found
}

// explain is a shortest chain from p to q, false where q is no next state.
// The pseudo-turn of a blocked mover is explained by NoMoves.
func explain(p, q *state) ([]Action, bool) {
	f := newFrame()
	if p.winner != 0 {
		return nil, false
	}
	if fastFor(p) != nil {
		if m, ok := f.find(p, q); ok {
			return appendFastChain(nil, p, m), true
		}
	} else {
		t := &turns{f: f, record: true, want: q}
		t.generate(p)
		if t.known {
			return t.way, true
		}
	}
	if f.generate(p); len(f.moves) == 0 && isPseudo(p, q) {
		return []Action{act(NoMoves, noSquare)}, true
	}
	return nil, false
}

// blocked is the pseudo-turn of a blocked mover: the board stays, the opponent
// has won. Dialect v1 also changes the side to move.
func blocked(p *state, f form) state {
	next := *p
	next.winner = 2 - p.mover&1
	if f == formV1 {
		next.mover ^= 1
	}
	return next
}

// isPseudo reports whether q is p's pseudo-turn in either form.
func isPseudo(p, q *state) bool {
	return p.winner == 0 && (*q == blocked(p, formV1) || *q == blocked(p, formV2))
}

// find looks for the turn that leads from p to q.
func (f *frame) find(p, q *state) (move, bool) {
	f.generate(p)
	for _, m := range f.moves {
		if f.child(p, m) == *q {
			return m, true
		}
	}
	return 0, false
}

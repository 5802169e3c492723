package rules

// Action is one step of a turn, as a graphical board would ask a person for it.
// Squares are 0 to 24, or NoSquare if the kind has none.
type Action struct {
	Kind   ActionKind
	At     int  // the square that is selected, moved to, built on or marked
	To     int  // the square that a pushed or forced worker moves to
	Female bool // for MoveWorker: the worker is the god's female one
}

// ActionKind is what an action does. Its String is the word of the protocol.
type ActionKind uint8

// The kinds of actions. Protocol v1 knows SelectWorker, MoveWorker, Build and
// NoMoves.
const (
	SelectWorker  ActionKind = iota // At: a worker of the mover
	MoveWorker                      // At: its new square
	MoveWithSwap                    // At: its new square; the worker there takes the old one
	MoveWithPush                    // At: its new square; the worker there moves to To
	Build                           // At: one level more
	Dome                            // At: a dome on any height
	PlaceWorker                     // At: a new worker
	NoMoves                         // the mover is blocked
	ForceOpponent                   // At, To: a worker of the opponent is moved
	ForceOwn                        // At, To: another worker of the mover is moved
	RemoveWorker                    // At: the worker is removed
	RemoveBlock                     // At: one level less
	SetFemale                       // At: this placed worker is the female one
	SetToken                        // At: the new square of europa's token
	SetWind                         // At: aeolus' direction, 0 for n, 1 for ne … 7 for nw, or NoSquare
)

var actionWords = [...]string{
	SelectWorker: "select_worker", MoveWorker: "move_worker", MoveWithSwap: "move_worker_with_swap",
	MoveWithPush: "move_worker_with_push", Build: "build", Dome: "dome", PlaceWorker: "place_worker",
	NoMoves: "no_moves", ForceOpponent: "force_opponent_worker",
	ForceOwn: "force_own_worker", RemoveWorker: "remove_worker",
	RemoveBlock: "remove_block", SetFemale: "set_female_worker", SetToken: "set_talus_position",
	SetWind: "set_wind_direction",
}

// String is the word of the protocol, for example "move_worker".
func (k ActionKind) String() string { return actionWords[k] }

// act is an action about one square.
func act(k ActionKind, at int) Action { return Action{Kind: k, At: at, To: NoSquare} }

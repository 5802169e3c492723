package search

// Scores are in the game's unit, for the side to move, and stay within
// ±Heuristic unless the outcome is proven. A proven win in n plies is Win-n, a
// proven loss in n plies is n-Win.
const (
	Win       = 32000
	Heuristic = 30000 // the largest score that is not a proof
	Infinity  = 32500

	// MaxPly is the greatest distance from the root.
	MaxPly = 128
)

// WinIn is the score of a win in n plies for the side to move.
func WinIn(n int) int { return Win - n }

// LossIn is the score of a loss in n plies for the side to move.
func LossIn(n int) int { return n - Win }

// Proven returns sign 1 for a proven win of the side to move, -1 for a proven
// loss and 0 for any other score. plies is the distance of a proven one.
func Proven(score int) (sign, plies int) {
	switch {
	case score > Heuristic:
		return 1, Win - score
	case score < -Heuristic:
		return -1, Win + score
	}
	return 0, 0
}

// Item is a generated move with what the search needs to order it.
type Item[M any] struct {
	Move M

	// Tag identifies the move among the moves of its position; 0 is no move.
	// The table and the killers store it. Two moves that share a tag are ordered
	// worse; the result stays correct.
	Tag uint32

	// Order is the game's guess, higher first. Guesses within ±10000 are
	// added to the history score (±8192); higher ones come before all moves but
	// the hash move.
	Order int32

	// Slot is the move's index in the history table. Moves that tend to be good
	// together share one; moves of different sides should not.
	Slot uint16

	// Loud moves (wins, captures, climbs, forced replies) are never reduced,
	// pruned or counted in the history.
	Loud bool
}

// List holds generated moves. Its memory is reused, so a list stops allocating
// once it has held the widest position.
type List[M any] struct{ Items []Item[M] }

// Add appends a quiet move.
func (l *List[M]) Add(move M, tag uint32, slot uint16, order int32) {
	l.Items = append(l.Items, Item[M]{Move: move, Tag: tag, Slot: slot, Order: order})
}

// AddLoud appends a move that must never be reduced or pruned.
func (l *List[M]) AddLoud(move M, tag uint32, slot uint16, order int32) {
	l.Items = append(l.Items, Item[M]{Move: move, Tag: tag, Slot: slot, Loud: true, Order: order})
}

// Board is a mutable position on which the search makes and unmakes moves. Each
// thread has one. M is the game's move, any small value.
//
// A Board keeps an undo stack, allocated once; the search never goes deeper
// than MaxPly moves below the root. A move from Generate or NoisyMoves is made
// only at the ply where it was generated, before the next generation at that
// ply: it may refer to memory of that ply. Moves in a Result may not.
type Board[M any] interface {
	// Known returns the value of the position for the side to move if it needs
	// no search: the game is over, a repetition, a win on the board, a tablebase
	// entry. Scores count plies from here: WinIn(1) is a win with the next move,
	// LossIn(0) a lost game. It is called first at every node but the root.
	Known() (score int, ok bool)

	// Generate appends moves. The search calls it with stage 0, 1, … while it
	// returns true and no move causes a cutoff; a game with one stage returns
	// false. Generate may omit moves that lose at once if at least one legal
	// move is left.
	Generate(stage int, list *List[M]) (more bool)

	// Stuck is the value for a side to move that has no move.
	Stuck() int

	// Make plays a move. again reports that the same side is to move: then the
	// score is not negated and the move costs no depth.
	Make(move M) (again bool)

	// Unmake takes back the last move.
	Unmake()

	// Key is the hash of the position and the side to move.
	Key() uint64

	// Evaluate is the static evaluation for the side to move, within ±Heuristic.
	Evaluate() int
}

// Quiescer is a Board with a quiescence search. NoisyMoves appends the moves to
// search at a leaf. forced reports that the side to move has no other choice:
// then it may not stand pat on Evaluate. Sequences of noisy moves must end by
// themselves.
type Quiescer[M any] interface {
	NoisyMoves(list *List[M]) (forced bool)
}

// NullMover is a Board for a game in which a null move is rarely the best one.
// NullMove gives the turn to the other side and returns true, or changes nothing
// and returns false where it would mislead, as in zugzwang. Unmake takes it back.
type NullMover interface {
	NullMove() bool
}

// HashMover is a Board that can check without generation whether the move with a
// tag is legal. The tag comes from the table entry of the position. HashMove may
// always return false. The search tries the move before it generates; Generate
// appends it nevertheless.
type HashMover[M any] interface {
	HashMove(tag uint32) (item Item[M], ok bool)
}

// BoundHinter is a Board with so many moves that generating them costs more than
// searching one. HintBound is called before the generation at a node with the
// value, for the side to move, that causes a cutoff, and with the depth left; at
// depth 1 the next position is evaluated. value is Infinity where no cutoff is
// possible and where the table has a hash move. Stage 0 of Generate may then
// append only moves that are likely to reach the value, and leave the others to
// the next stage, which must not repeat them.
type BoundHinter interface {
	HintBound(value, depth int)
}

// Interruptible is a Board whose Generate can take long. Generate should call
// stop from time to time with the number of moves made since the last call. When
// stop returns true the search is over: Generate may return at once, and the
// list is ignored.
type Interruptible interface {
	SetInterrupt(stop func(work int) bool)
}

package search

// Scores are in the game's own unit, seen by the side to move, and stay
// within ±Heuristic unless the outcome is proven. A proven win n plies away
// is Win-n, a proven loss n plies away is n-Win.
const (
	Win       = 32000
	Heuristic = 30000 // the largest size of a score that proves nothing
	Infinity  = 32500

	// MaxPly is the deepest line below the root.
	MaxPly = 128
)

// WinIn is the score of a position that the mover wins in n plies.
func WinIn(n int) int { return Win - n }

// LossIn is the score of a position that the mover loses in n plies.
func LossIn(n int) int { return n - Win }

// Proven says for certain who wins and in how many plies: plies is meaningful
// only when sign is 1 (the mover wins) or -1 (the mover loses).
func Proven(score int) (sign, plies int) {
	switch {
	case score > Heuristic:
		return 1, Win - score
	case score < -Heuristic:
		return -1, Win + score
	}
	return 0, 0
}

// Item is one generated move with what the search needs to order it.
type Item[M any] struct {
	Move M

	// Tag tells moves of one position apart; 0 is no move. It is what the
	// table and the killers remember: two moves that share a tag cost a little
	// order, never correctness.
	Tag uint32

	// Order is the game's own guess, higher first. Guesses between ±10000 are
	// weighed against the history (±8192); those above come before all but the
	// table's move.
	Order int32

	// Slot is the move's place in the history table. Moves that tend to be
	// good together share it; it should tell the sides apart.
	Slot uint16

	// Loud moves (wins, captures, climbs, forced replies) are never reduced,
	// pruned or counted in the history.
	Loud bool
}

// List receives the moves of a position. Append keeps its memory, so a list
// stops allocating once it has seen the widest position.
type List[M any] struct{ Items []Item[M] }

// Add appends a quiet move.
func (l *List[M]) Add(move M, tag uint32, slot uint16, order int32) {
	l.Items = append(l.Items, Item[M]{Move: move, Tag: tag, Slot: slot, Order: order})
}

// AddLoud appends a move that must never be reduced or pruned.
func (l *List[M]) AddLoud(move M, tag uint32, slot uint16, order int32) {
	l.Items = append(l.Items, Item[M]{Move: move, Tag: tag, Slot: slot, Loud: true, Order: order})
}

// Board is one mutable position that the search walks up and down. Each
// thread has its own. M is the game's move, any small value.
//
// A Board keeps its own undo stack, allocated once; more than MaxPly moves
// below the position that the caller set up are never made. A move from
// Generate or NoisyMoves is made only at the ply where it was generated, before
// anything else is generated at that ply: it may refer to memory of that ply.
// Moves in a Result may not.
type Board[M any] interface {
	// Known is the value of the position for the side to move where it can be
	// told at a glance: the game is over, a repetition, a win on the board, a
	// table entry. Scores count plies from here: WinIn(1) is a win with the
	// next move, LossIn(0) a game that the mover has lost already. It is asked
	// first at every node but the root.
	Known() (score int, ok bool)

	// Generate appends moves. The search calls it with stage 0, 1, … as long
	// as it answers true and no cutoff came; a game that has one stage answers
	// false at once. A game may leave out moves that lose on the spot as long
	// as it leaves one move if there is any.
	Generate(stage int, list *List[M]) (more bool)

	// Stuck is the value for a mover without any move.
	Stuck() int

	// Make plays a move. again says that the same side is still to move: then
	// the score is not negated and no depth is used up.
	Make(move M) (again bool)

	// Unmake takes back the last move made.
	Unmake()

	// Key tells positions apart, the side to move included.
	Key() uint64

	// Evaluate is the heuristic value for the side to move, within ±Heuristic.
	Evaluate() int
}

// Quiescer is a Board on which a quiet leaf should be sought first. NoisyMoves
// appends the moves that must be tried before Evaluate may be believed. forced
// says that they are all that the mover can do: it has no right to stand on
// Evaluate instead. The moves must run out by themselves.
type Quiescer[M any] interface {
	NoisyMoves(list *List[M]) (forced bool)
}

// NullMover is a Board in which passing, were it allowed, would hardly ever be
// better than the best move. NullMove gives the turn to the other side and says
// true, or says false where the null move would be misleading and changes
// nothing. Unmake takes it back.
type NullMover interface {
	NullMove() bool
}

// HashMover is a Board that can tell, without generating anything, whether the
// move of a tag (the table's, of the very same position) is legal. It may
// always say no. The search then tries that move before it generates; Generate
// lists it nevertheless.
type HashMover[M any] interface {
	HashMove(tag uint32) (item Item[M], ok bool)
}

// BoundHinter is a Board with so many moves that listing them costs more than
// searching one. Before the search generates at a node, HintBound tells it the value,
// seen by the mover, that ends the node with a cutoff, and how many plies are
// left: with one, Evaluate after a move decides. The value is Infinity where no
// move can be enough, or where the table knows a good one. Stage 0 may then list
// only moves that are likely to reach the value, and leave the others to the
// next stage, which must not list the same again.
type BoundHinter interface {
	HintBound(value, depth int)
}

// Interruptible is a Board whose Generate can take long. It should ask hurry once in
// a while, telling how many moves it made since, and may break off where the
// answer is true: the search is over, and what was listed is not looked at.
type Interruptible interface {
	SetInterrupt(hurry func(work int) bool)
}

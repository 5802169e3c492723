// Package search is what the built-in players share: iterative deepening
// with principal variation search, alpha-beta or MTD(f), Monte Carlo tree
// search, a transposition table, move ordering, limits and reports.
//
// It knows no game, prints nothing, reads no clock but its own deadline and
// draws no random number but from its seed. With one thread, a depth or node
// limit and an equal table, the same call gives the same answer on every
// machine.
//
// # How a game plugs in
//
// A game implements [Board], nine small methods on a mutable position with its
// own undo stack, and calls
//
//	engine := search.New(func() search.Board[move] { return newBoard() }) // one board a thread
//	engine.Options.Table = 64 << 20                                       // bytes; allocated by the first search
//	result := engine.Search(ctx, set, search.Limits{Depth: 8}, report)
//
// where set puts the position to be searched on a board (it is called once a
// thread and search, with a Board that newBoard made) and report sees each
// better or deeper result; it may be nil. ctx stops the search at once. New
// games call [Engine.Clear].
//
// The walk calls Known first at each node: that is where a game puts wins that
// can be seen at a glance, repetition and other draws, and tables of its own.
// A repetition that depends on the way a position was reached should be told
// by Known and not by Key. Generate comes next, in stages, so that a cutoff by
// an early stage saves the later ones. Moves may leave the same side to move
// (Make says so).
//
// [Quiescer] and [NullMover] are optional: what a leaf must look at before it is
// judged, and passing for the null move. So are [HashMover], and for games with
// thousands of moves [BoundHinter], which lets most nodes do with listing one of
// them, and [Interruptible], which has the clock heard while they are listed.
//
// Every heuristic is a [Feature] that can be switched off, so that an arena
// can measure what it is worth; a search with [Exact] features only equals
// plain minimax, score and first best move.
//
// Calls go through an interface: with Go's shared generic code a type
// parameter would cost the same indirect call (BenchmarkWalk measures the
// search's own cost a node). What matters is that nothing allocates.
package search

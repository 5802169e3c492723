// Package search is the search of the built-in players: iterative deepening
// with principal variation search, alpha-beta or MTD(f), Monte Carlo tree
// search, a transposition table, move ordering, limits and reports.
//
// It knows no game and prints nothing. Its only clock is the deadline, its only
// randomness the seed. With one thread, a depth or node limit and an equal
// table, the same call returns the same result on every machine.
//
// # How a game plugs in
//
// A game implements [Board] on a mutable position with an undo stack, and
// calls
//
//	engine := search.New(func() search.Board[move] { return newBoard() }) // one board a thread
//	engine.Options.Table = 64 << 20                                       // bytes; allocated by the first search
//	result := engine.Search(ctx, set, search.Limits{Depth: 8}, report)
//
// set puts the root position on a board; it is called once for each thread of
// a search, with a Board that newBoard made. report is called with each better
// or deeper result; it may be nil. Cancelling ctx stops the search at once. Call
// [Engine.Clear] before a new game.
//
// At each node the search calls Known first: there a game returns wins that it
// sees without search, draws by repetition, and values from tablebases. A
// repetition that depends on the path to the position belongs in Known and not
// in Key. Then it calls Generate, in stages, so that a cutoff in an early stage
// saves the later ones. After a move the same side may be to move again; Make
// says so.
//
// A Board may have more abilities: [Quiescer] for a quiescence search,
// [NullMover] for null move pruning, [HashMover] to try the hash move before
// generation, and for games with thousands of moves [BoundHinter], which saves
// most of the generation, and [Interruptible], which stops it.
//
// Every heuristic is a [Feature] that can be switched off, so that an arena can
// measure its worth. A search with [Exact] features only equals plain minimax in
// its score and its first best move.
//
// The search calls the board through an interface: with Go's shared generic
// code a type parameter would cost the same indirect call. Nothing allocates
// inside the tree. BenchmarkWalk measures the cost of the search itself.
package search

package search

import (
	"fmt"
	"math"
	"slices"
)

// Feature is a set of the search's heuristics.
type Feature uint32

// The heuristics. Those that only save work come first; Extensions and what
// follows may change the result. Without any Selective feature the table
// answers only for equal depths, so that the score stays plain minimax's.
const (
	NullWindow  Feature = 1 << iota // later moves are first tried with an empty window
	Aspiration                      // iterations start with a narrow window
	Ordering                        // the game's own guesses order the moves
	Killers                         // moves that cut off beside this node come early
	History                         // moves that cut off anywhere come earlier
	Table                           // the transposition table
	Extensions                      // a node with a single move costs no depth
	Reductions                      // late quiet moves are searched less deep
	Futility                        // hopeless quiet moves near the leaves are skipped
	LatePruning                     // very late quiet moves near the leaves, and at a wide root, are skipped
	Standing                        // nodes far above the window near the leaves are cut
	NullMove                        // a NullMover that may pass and is still above the window is cut
	Quiescence                      // leaves of a Quiescer are made quiet first

	featureEnd
	All = featureEnd - 1

	// Selective are the heuristics that may overlook something.
	Selective = Reductions | Futility | LatePruning | Standing | NullMove

	// Exact keeps only what gives plain minimax's score and first best move.
	Exact = NullWindow | Aspiration
)

var featureNames = [...]string{
	"nullwindow", "aspiration", "ordering", "killers", "history", "table",
	"extensions", "reductions", "futility", "latepruning", "standing", "nullmove", "quiescence",
}

// FeatureNames lists the features' names as options, in their own order.
func FeatureNames() []string { return slices.Clone(featureNames[:]) }

// FeatureOf is the feature of that name.
func FeatureOf(name string) (Feature, error) {
	for i, n := range featureNames {
		if n == name {
			return 1 << i, nil
		}
	}
	return 0, fmt.Errorf("search: unknown feature %q", name)
}

// Has says whether all of f are on.
func (set Feature) Has(f Feature) bool { return set&f == f }

// With is the set with f switched on or off.
func (set Feature) With(f Feature, on bool) Feature {
	if on {
		return set | f
	}
	return set &^ f
}

// Driver is the algorithm that calls the tree search once an iteration.
type Driver uint8

// The drivers.
const (
	PVS       Driver = iota // principal variation search
	AlphaBeta               // full windows, no second search
	MTDF                    // Plaat's MTD(f): empty windows only; wants the table
	MCTS                    // Monte Carlo tree search; moves must not refer to memory of a ply
	Random                  // any move, drawn from Seed
)

// Options are the settings of an Engine. They may change between searches.
type Options struct {
	Threads  int     // at least 1; more give up determinism
	Table    int64   // bytes of the transposition table
	Features Feature // what is on
	Driver   Driver

	// Noise adds to every leaf a fixed error of up to ±Noise drawn from the
	// position's key and Seed: a weaker player, and a varied one by seed.
	Noise int
	Seed  uint64

	Tuning Tuning
}

// Tuning are the numbers behind the heuristics, in the game's unit.
type Tuning struct {
	Aspiration    int        // half the first window's width
	Margin        int        // what a quiet move can change, a ply
	Late          [4]int     // quiet moves tried with so much depth left (index 1-3)
	TableDepth    int        // nodes with less depth left do without the table
	LateMore      int        // more of them for each further ply
	LateRoot      int        // the root's moves looked at from the third iteration on, 0 for all
	NullDepth     int        // depth from which passing is tried
	NullReduce    int        // depth saved by it, and one more every 4 plies
	ReduceFrom    int        // moves searched in full before any is reduced
	ReduceBase    float64    // reduction = base + ln(depth)·ln(move)·scale
	ReduceScale   float64    //
	reductionsFor [2]float64 // what reductions holds
	reductions    [64][64]int8
}

// Defaults are one thread, 16 MiB and all features, tuned for a unit in which
// a clear advantage is about 100.
func Defaults() Options {
	return Options{
		Threads:  1,
		Table:    16 << 20,
		Features: All,
		Tuning: Tuning{
			Aspiration: 30, Margin: 60, Late: [4]int{0, 12, 20, 32}, LateMore: 40,
			NullDepth: 3, NullReduce: 2, ReduceFrom: 3, ReduceBase: 0.4, ReduceScale: 0.5,
		},
	}
}

func (t *Tuning) prepare() {
	if now := [2]float64{t.ReduceBase, t.ReduceScale}; t.reductionsFor != now {
		t.reductionsFor = now
		for d := 1; d < 64; d++ {
			for i := 1; i < 64; i++ {
				r := t.ReduceBase + math.Log(float64(d))*math.Log(float64(i))*t.ReduceScale
				t.reductions[d][i] = int8(max(0, min(r, 60)))
			}
		}
	}
}

func (t *Tuning) reduction(depth, index int) int {
	return int(t.reductions[min(depth, 63)][min(index, 63)])
}

// late is how many quiet moves are tried with so much depth left.
func (t *Tuning) late(depth int) int {
	if depth < len(t.Late) {
		return t.Late[depth]
	}
	return t.Late[len(t.Late)-1] + (depth-len(t.Late)+1)*t.LateMore
}

package search

import (
	"fmt"
	"math"
)

// Feature is a set of search heuristics.
type Feature uint32

// The heuristics. The ones before Extensions only save work; Extensions and
// those after it may change the result. Without Selective features, the table
// answers only for equal depths, so that the score equals plain minimax's.
const (
	NullWindow      Feature = 1 << iota // moves after the first are tried with a null window
	Aspiration                          // iterations start with an aspiration window
	Ordering                            // the game's guesses order the moves
	Killers                             // the killer heuristic
	History                             // the history heuristic
	Table                               // the transposition table
	Extensions                          // single move extensions
	Reductions                          // late move reductions
	Futility                            // futility pruning
	LatePruning                         // late move pruning near the leaves and at a wide root
	ReverseFutility                     // reverse futility pruning, the option "standing"
	NullMove                            // null move pruning of a NullMover
	Quiescence                          // the quiescence search of a Quiescer

	featureEnd
	All = featureEnd - 1

	// Selective are the heuristics that can overlook a better move.
	Selective = Reductions | Futility | LatePruning | ReverseFutility | NullMove

	// Exact are the heuristics that keep plain minimax's score and first best move.
	Exact = NullWindow | Aspiration
)

var featureNames = [...]string{
	"nullwindow", "aspiration", "ordering", "killers", "history", "table",
	"extensions", "reductions", "futility", "latepruning", "standing", "nullmove", "quiescence",
}

// Names lists the option names of the features of the set, in the order of their bits.
func (set Feature) Names() []string {
	var names []string
	for i, name := range featureNames {
		if set.Has(1 << i) {
			names = append(names, name)
		}
	}
	return names
}

// FeatureOf returns the feature with that name.
func FeatureOf(name string) (Feature, error) {
	for i, n := range featureNames {
		if n == name {
			return 1 << i, nil
		}
	}
	return 0, fmt.Errorf("search: unknown feature %q", name)
}

// Has reports whether all of f are on.
func (set Feature) Has(f Feature) bool { return set&f == f }

// With is the set with f switched on or off.
func (set Feature) With(f Feature, on bool) Feature {
	if on {
		return set | f
	}
	return set &^ f
}

// Driver is the algorithm that searches one iteration.
type Driver uint8

// The drivers.
const (
	PVS       Driver = iota // principal variation search
	AlphaBeta               // plain alpha-beta with full windows
	MTDF                    // Plaat's MTD(f), null windows only; needs the table
)

// Options are the settings of an Engine. They may change between searches.
type Options struct {
	Threads  int     // at least 1; with more, results are not reproducible
	Table    int64   // bytes of the transposition table
	Features Feature // what is on
	Driver   Driver

	// Noise adds an error of up to ±Noise, a hash of the position and Seed, to
	// every evaluation: a weaker player that varies with the seed.
	Noise int
	Seed  uint64

	// Random plays any move instead of searching: a hash of the position and Seed chooses it.
	Random bool

	Tuning Tuning
}

// Tuning are the parameters of the heuristics, scores in the game's unit.
type Tuning struct {
	Aspiration    int        // half the width of the first aspiration window
	Margin        int        // futility margin a ply
	MarginDepth   int        // most depth left for futility pruning, in both directions
	Late          [4]int     // quiet moves tried by depth left, 1 to 3
	TableDepth    int        // least depth left at which the table is used
	LateMore      int        // further quiet moves tried for each further ply
	LateRoot      int        // root moves searched from the third iteration on, 0 for all
	NullDepth     int        // least depth left for a null move
	NullReduce    int        // its depth reduction, plus one for every 4 plies
	ReduceFrom    int        // moves searched before the first reduction
	ReduceBase    float64    // reduction = base + ln(depth)·ln(move)·scale
	ReduceScale   float64    //
	reductionsFor [2]float64 // the base and scale of reductions
	reductions    [64][64]int8
}

// Defaults returns one thread, a table of 16 MiB and all features, tuned for a
// unit in which a clear advantage is about 100.
func Defaults() Options {
	return Options{
		Threads:  1,
		Table:    16 << 20,
		Features: All,
		Tuning: Tuning{
			Aspiration: 30, Margin: 60, MarginDepth: 3, Late: [4]int{0, 12, 20, 32}, LateMore: 40,
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

// late is the number of quiet moves tried with that depth left.
func (t *Tuning) late(depth int) int {
	if depth < len(t.Late) {
		return t.Late[depth]
	}
	return t.Late[len(t.Late)-1] + (depth-len(t.Late)+1)*t.LateMore
}

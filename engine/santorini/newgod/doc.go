// Package newgod is a small engine of protocol v2 with a god that the rest of this
// program does not know, as the engine of somebody who tries out a new god has it.
// It shows and tests `rules: {law: …}`.
//
// The god is hopper: instead of a step, a worker may jump over an adjacent own worker
// to the next square in line, at most one level higher than where it started. She has
// three jumps in a game. Her state in brackets is how many are left and the square of
// the last one, as in hopper[2|C3]; without brackets all are left. Her opponent may be
// mortal or hopper.
//
// It shares no code with the rules of this program, and plays weakly.
package newgod

// Faults that the engine can be given.
const (
	FaultNone     = ""
	FaultClimb    = "climb"    // a jump may climb two levels: a bug of the rules
	FaultDies     = "dies"     // it exits when it is to list the moves of a board with 8 blocks
	FaultUnplaced = "unplaced" // it cannot place workers, like engines of protocol v1
	FaultIndices  = "indices"  // it writes positions in the other form, and workers in the other order
)

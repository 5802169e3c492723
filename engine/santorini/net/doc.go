// Package net is a small neural network that evaluates positions of Santorini.
//
// It refuses to know search, files and training: it reads weights, lists the features
// of a position and adds up integers. The result is the same on every platform.
//
// # The network
//
// Each worker looks at the whole board from its own square. Its view is a sum of rows
// of Lanes numbers, one row for each feature: the square and height of the worker, each
// block, each other worker, its god and the opposing one with their states and tokens.
// There are two sets of rows, for workers of the side to move and of the other side.
// Negative numbers of the sum count as 0; the first half of the lanes is added to the
// score and the second half subtracted:
//
//	score = Σ over workers (Σ max(0, view[i]), i < Lanes/2 − Σ max(0, view[i]), i ≥ Lanes/2) / Unit
//
// Squares are turned and mirrored so that the worker stands in one of six of them: the
// symmetries of the board share their rows.
//
// # Arithmetic
//
// A row is Words words of four 16-bit lanes each, added up as package lanes says. The sum
// is exact as long as each lane fits in 16 bits, which Encode checks for the worst case.
package net

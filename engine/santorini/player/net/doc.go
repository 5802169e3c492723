// Package net is a small neural network that evaluates positions of Santorini.
//
// It reads weights, lists the features of a position and evaluates it with integers, so
// that the result is the same on every platform. Search and training are elsewhere.
//
// # The network
//
// The first layer is computed for each worker. Its input is a set of features: the
// square and height of the worker, each block, each other worker, the gods of both sides
// with their states and tokens. Each feature selects a row of Width weights, and the sum
// of the rows is the view of the worker. The workers of the side to move and those of the
// other side have separate rows. The board is rotated and reflected so that the worker
// stands on one of six squares; positions that are symmetric share their rows.
//
// The activation clamps each number of a view to 0 … Top. The activations of a side's
// workers are summed. The sums of the side to move, then those of the other side, are the
// inputs x of a second layer of Neurons:
//
//	z[j]  = (256·bias[j] + Σ second[i][j]·x[i]) >> 10
//	score = (Σ last[j]·max(0, z[j])) · 150 >> 18, where z[0] is not clamped
//
// A family of networks shares most weights: see Family.
//
// # Arithmetic
//
// Weights are 16-bit fixed-point numbers: 1.0 is 256 in the first layer and 1024 in the
// others. Views are 16-bit sums, z are 32-bit sums, and Encode checks that no position can
// overflow them. Processors with AVX2 use assembly (evaluate_amd64.s), all others portable
// code. Both return the same values.
package net

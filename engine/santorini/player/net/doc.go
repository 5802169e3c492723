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
// Squares are turned and mirrored so that the worker stands in one of six of them: the
// symmetries of the board share their rows.
//
// The activations of a view are its numbers limited to 0 … Top. Those of the workers of a
// side are added up, which makes two times Lanes inputs x, those of the side to move
// first. A second layer of Neurons follows:
//
//	z[j]  = (256·bias[j] + Σ second[i][j]·x[i]) >> 10
//	score = (Σ last[j]·max(0, z[j])) · 150 >> 18, where z[0] is not limited
//
// # Arithmetic
//
// Weights are 16-bit numbers: 256 of the first layer and 1024 of the others are 1. Views are
// 16-bit sums and z 32-bit sums, and Encode checks that no position can overflow
// them. Processors with AVX2 add many numbers at once (evaluate_amd64.s), all others use the
// portable code; both give the same results.
package net

// Package net is a small neural network that evaluates positions of Gyges.
//
// It refuses to know search, files of games and training: it reads weights, lists the
// features of a position and adds up integers. The result is the same on every
// platform.
//
// # The network
//
// The board is turned so that the side to move has its home in row 0. The view is a sum
// of rows of Width numbers, one row for each feature: each piece by value and square,
// each square and each piece where a move of the side to move, or of the other side if
// it were to move, may end, and the pair of active rows. Negative numbers of the sum
// count as 0; the first half of the sums is added to the score and the second half
// subtracted:
//
//	score = (Σ max(0, view[i]), i < Width/2 − Σ max(0, view[i]), i ≥ Width/2) / Unit
//
// No side owns a piece, so that the reach of both sides says more than the board alone.
package net

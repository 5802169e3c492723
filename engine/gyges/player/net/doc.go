// Package net is a small neural network that evaluates positions of Gyges.
//
// It reads weights, lists the features of a position and evaluates it with integers, so
// that the result is the same on every platform. Search and training are elsewhere.
//
// # The network
//
// The board is turned so that the side to move has its home in row 0. Each feature selects
// a row of Width weights, and the view is the sum of the rows. The features are each piece
// by value and square, each square and each piece where a move of either side may end if it
// is that side's turn, and the pair of active rows. Negative numbers of the view count as 0.
// The first half is added to the score and the second half is subtracted:
//
//	score = (Σ max(0, view[i]), i < Width/2 − Σ max(0, view[i]), i ≥ Width/2) / Unit
//
// No side owns a piece, so the reach of both sides says more than the board alone.
package net

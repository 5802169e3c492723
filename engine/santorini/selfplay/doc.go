// Package selfplay makes and reads the positions that a net for Santorini learns
// from: games of the built-in player against itself, with the score of each quiet
// position and the result.
//
// It refuses to know files and flags: a Writer appends games to a stream and a Reader
// reads them. The same options give the same bytes, with any number of threads.
//
// # Format
//
// A stream is one line of JSON, the Header, and then one block for each game:
//
//	4 bytes   length n of the payload, little-endian
//	4 bytes   CRC-32C of the header line, the number of the game (8 bytes) and the payload
//	n bytes   payload
//
// A payload is made of uvarints and records: the gods of both seats as indices of
// Header.Gods, the winner (1, 2, 0 if the game was ended undecided), the number of
// plies, the number of records, then the records:
//
//	8 bytes   the heights of squares 0 to 20, 3 bits each from the lowest bit
//	8 bytes   the heights of squares 21 to 24 (12 bits), the workers of both sides as
//	          sets of squares (25 bits each), the side to move (1 bit), whether the
//	          position is aside of the game (1 bit): then its result says nothing
//	2 bytes   score for the side to move, little-endian; beyond ±30000 it is proven
//	uvarints  the states of both gods
//
// Since the number of a game is part of its checksum, a block that is damaged, missing
// or in another place is an error. Only an incomplete last block is not: that is what
// a killed writer leaves.
package selfplay

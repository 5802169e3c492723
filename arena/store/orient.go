package store

import "thera/arena"

// A game's identity does not depend on the order of the engines in the match
// file, so a run can be resumed with a file that lists them in another order. The
// database stores every pairing sorted by name and returns it in the plan's order.

// canonical returns the record with its pairing sorted by name.
func canonical(rec *arena.Record) *arena.Record {
	if rec.Pairing[0] <= rec.Pairing[1] {
		return rec
	}
	return turned(rec)
}

// turned returns the same game with its pairing in the other order.
func turned(rec *arena.Record) *arena.Record {
	other := *rec
	other.Pairing = [2]string{rec.Pairing[1], rec.Pairing[0]}
	other.Leg = 1 - rec.Leg
	return &other
}

// otherPlace returns the place i in a pairing, or -1, after the pairing was turned.
func otherPlace(i int) int {
	if i < 0 {
		return i
	}
	return 1 - i
}

type placed struct {
	name  string
	place int
}

package game

import "math/bits"

// Seat is a program's place in a game, 1 or 2. It never changes during a game
// and is never a colour: in Hex the two programs may swap colours, in Santorini
// bia places first in either seat, and each keeps its seat.
type Seat uint8

// The two seats. The zero Seat, None, is the Winner of a draw.
const (
	None   Seat = 0
	First  Seat = 1
	Second Seat = 2
)

// Other is the opponent's seat; None has no opponent and stays None.
func (s Seat) Other() Seat {
	if s == None {
		return None
	}
	return 3 - s
}

// Index is the seat's place in an array of two: 0 or 1. It panics for None.
func (s Seat) Index() int {
	if s != First && s != Second {
		panic("game: seat out of range")
	}
	return int(s) - 1
}

// Seats is a set of seats: those to move in a position.
type Seats uint8

// SeatsOf is the set of the given seats.
func SeatsOf(seats ...Seat) Seats {
	var set Seats
	for _, s := range seats {
		set |= 1 << s.Index()
	}
	return set
}

// Both is the set of both seats: PyRat's side to move.
const Both Seats = 3

// Has reports whether s is in the set.
func (set Seats) Has(s Seat) bool {
	return s != None && set&(1<<s.Index()) != 0
}

// Len is the number of seats in the set.
func (set Seats) Len() int { return bits.OnesCount8(uint8(set)) }

// Only is the one seat of a set of one, else None.
func (set Seats) Only() Seat {
	switch set {
	case 1:
		return First
	case 2:
		return Second
	}
	return None
}

// Turn is what was played at one ply, by seat: Turn[0] is the first seat's
// move. It is "" for a seat that was not asked.
type Turn [2]string

// By is the turn in which seat alone played move.
func By(seat Seat, move string) Turn {
	var t Turn
	t[seat.Index()] = move
	return t
}

// Of is what seat played, "" when it was not asked.
func (t Turn) Of(seat Seat) string { return t[seat.Index()] }

// String is the turn as records and scripts print it: the move of the seat
// that moved, or "a/b" where both did.
func (t Turn) String() string {
	switch {
	case t[0] == "":
		return t[1]
	case t[1] == "":
		return t[0]
	}
	return t[0] + "/" + t[1]
}

// ParseTurn reads what String wrote, for a position in which toMove is to
// move. Only a turn of two seats is split, so moves may hold slashes.
func ParseTurn(toMove Seats, text string) Turn {
	if toMove != Both {
		if s := toMove.Only(); s != None {
			return By(s, text)
		}
		return Turn{}
	}
	for i := range len(text) {
		if text[i] == '/' {
			return Turn{text[:i], text[i+1:]}
		}
	}
	return Turn{text, ""}
}

package rules

// Move is one turn in a word. Turns without a fast path have a child in the
// MoveList instead of a full description.
//
//	bits 0-4 from · 5-9 to · 10-14 built · 15 wins · 16 second block ·
//	17 climbs · 18 has a child · 19-31 hash of the child · 32-63 index of the child
//
// Without a child: 19 the block is a dome · 20 builds on a second square · 26 both workers
// glide · 21-25 that square, or where the other worker glides.
type Move uint64

const (
	moveWins Move = 1 << (15 + iota)
	moveTwice
	MoveClimbs // set if the worker ends higher than it began
	moveChild
	moveDome
	moveSecond
)

const (
	secondShift = 21

	moveGlide Move = 1 << 26
)

const noBuild = NoSquare << 10

// ID is the low 32 bits. A turn has the same ID whenever its position is visited.
func (m Move) ID() uint32 { return uint32(m) }

// From is the square where the worker began, NoSquare if no worker moved.
func (m Move) From() int { return int(m & 31) }

// To is the square where the worker ended, NoSquare if no worker moved.
func (m Move) To() int { return int(m >> 5 & 31) }

// Built is the last square that was built on, NoSquare if there is none.
func (m Move) Built() int { return int(m >> 10 & 31) }

// Touches is the squares where workers ended and built, and NoSquare.
func (m Move) Touches() uint32 {
	return Bit(m.To()) | Bit(m.Built()) | Bit(m.Second()) | Bit(m.Mate())
}

// Step is the part of m that says where workers began and ended.
func (m Move) Step() Move {
	if m&(moveChild|moveGlide) == moveGlide {
		return m & (moveGlide | 31<<secondShift | 1<<10 - 1)
	}
	return m & (1<<10 - 1)
}

// Mate returns where the other worker ended if both may glide, NoSquare if there is none or the
// turn has a child.
func (m Move) Mate() int {
	if m&(moveChild|moveGlide) != moveGlide {
		return NoSquare
	}
	return int(m >> secondShift & 31)
}

// Second returns the other square that the turn builds on, NoSquare if there is none or the turn
// has a child.
func (m Move) Second() int {
	if m&(moveChild|moveSecond) != moveSecond {
		return NoSquare
	}
	return int(m >> secondShift & 31)
}

// Wins reports whether the turn wins.
func (m Move) Wins() bool { return m&moveWins != 0 }

// Climbs reports whether the worker ends higher than it began.
func (m Move) Climbs() bool { return m&MoveClimbs != 0 }

// Special reports whether a turn without a child does more than one step and one block next to it.
func (m Move) Special() bool {
	return m&(moveTwice|moveDome|moveSecond|moveGlide) != 0 || m.Built() == m.To()
}

// Twice reports whether a second block is built on Built.
func (m Move) Twice() bool { return m&moveTwice != 0 }

// HasChild reports whether the state after the turn is in MoveList.Children.
func (m Move) HasChild() bool { return m&moveChild != 0 }

// Child is the index of that state.
func (m Move) Child() int { return int(m >> 32) }

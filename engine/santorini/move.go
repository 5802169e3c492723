package santorini

// move is one turn in a word. The low 32 bits are its id: the same turn has
// the same id whenever its position is visited. Turns of gods outside the fast
// path also carry the index of their child in the frame.
//
//	bits 0-4 from · 5-9 to · 10-14 built · 15 wins · 16 second block ·
//	17 climbs · 18 has a child in the frame · 19-31 tag · 32-63 child
type move uint64

const (
	moveWins move = 1 << (15 + iota)
	moveTwice
	moveClimbs
	moveKid
)

const noBuild = noSquare << 10

func (m move) id() uint32   { return uint32(m) }
func (m move) from() int    { return int(m & 31) }
func (m move) to() int      { return int(m >> 5 & 31) }
func (m move) built() int   { return int(m >> 10 & 31) }
func (m move) wins() bool   { return m&moveWins != 0 }
func (m move) climbs() bool { return m&moveClimbs != 0 }
func (m move) twice() bool  { return m&moveTwice != 0 }

package mill

import "math/bits"

// Position keys: one random number a man and point, a hand, the side and the
// act, made once from a fixed seed so that every machine has the same.
type keyTable struct {
	man    [2][points]uint64
	hand   [2][10]uint64
	black  uint64
	remove uint64
}

var keys = func() *keyTable {
	var t keyTable
	state := uint64(0x6d696c6c)
	draw := func() uint64 { // splitmix64
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	for c := range t.man {
		for p := range t.man[c] {
			t.man[c][p] = draw()
		}
		for n := 1; n < len(t.hand[c]); n++ {
			t.hand[c][n] = draw()
		}
	}
	t.black, t.remove = draw(), draw()
	return &t
}()

// key is the state's, from scratch.
func (s *state) key() uint64 {
	k := keys.hand[white][s.hand[white]] ^ keys.hand[black][s.hand[black]]
	for c := range s.men {
		for set := s.men[c]; set != 0; set &= set - 1 {
			k ^= keys.man[c][lowest(set)]
		}
	}
	if s.turn == black {
		k ^= keys.black
	}
	if s.act == actRemove {
		k ^= keys.remove
	}
	return k
}

// symmetries are the board's sixteen: four turns, mirrored or not, inner and
// outer ring exchanged or not.
const symmetries = 16

// images moves a set under every symmetry: one table of 256 sets for each
// byte, a ring.
type imageTable [symmetries][3][256]uint32

var images = func() *imageTable {
	var t imageTable
	for s := range t {
		for ring := range t[s] {
			for bit := range 8 {
				image := moved(s, point(8*ring+bit)).bit()
				for set := range 1 << bit { // those without it are there
					t[s][ring][1<<bit|set] = t[s][ring][set] | image
				}
			}
		}
	}
	return &t
}()

// moved is a point's image under symmetry s.
func moved(s int, p point) point {
	ring, at := p/8, p%8
	if s&1 != 0 { // mirror left and right
		at = (8 - at) % 8
	}
	at = (at + 2*point(s>>1&3)) % 8
	if s&8 != 0 {
		ring = 2 - ring
	}
	return 8*ring + at
}

func image(s int, set uint32) uint32 {
	t := &images[s]
	return t[0][set&0xFF] | t[1][set>>8&0xFF] | t[2][set>>16&0xFF]
}

// fewMen is up to how many men on the board a position shares its key with its
// images: with more the images are hardly ever met in one search.
const fewMen = 6

// sharedKey is the same for all images of a position with few men.
func (s *state) sharedKey(k uint64) uint64 {
	if bits.OnesCount32(s.men[white]|s.men[black]) > fewMen {
		return k
	}
	best := s.men
	for i := 1; i < symmetries; i++ {
		if w := image(i, s.men[white]); w <= best[white] {
			if b := image(i, s.men[black]); w < best[white] || b < best[black] {
				best = [2]uint32{w, b}
			}
		}
	}
	if best == s.men {
		return k
	}
	canonical := *s
	canonical.men = best
	return canonical.key()
}

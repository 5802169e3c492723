package rules

import "sync"

// Symmetries is the number of symmetries of the board: four turns, mirrored or
// not, inner and outer ring exchanged or not. Symmetry 0 is the identity.
const Symmetries = 16

// images holds the image of every set of points of one ring.
var images = sync.OnceValue(func() *[Symmetries][3][256]Set {
	var t [Symmetries][3][256]Set
	for s := range t {
		for ring := range t[s] {
			for bit := range 8 {
				image := imageOf(s, Point(8*ring+bit)).Set()
				for set := range 1 << bit {
					t[s][ring][1<<bit|set] = t[s][ring][set] | image
				}
			}
		}
	}
	return &t
})

// imageOf returns the image of p under a symmetry.
func imageOf(symmetry int, p Point) Point {
	ring, at := p/8, p%8
	if symmetry&1 != 0 {
		at = (8 - at) % 8
	}
	at = (at + 2*Point(symmetry>>1&3)) % 8
	if symmetry&8 != 0 {
		ring = 2 - ring
	}
	return 8*ring + at
}

// Image returns the image of s under a symmetry from 0 to Symmetries-1.
func (s Set) Image(symmetry int) Set { return s.image(&images()[symmetry]) }

func (s Set) image(t *[3][256]Set) Set {
	return t[0][s&0xFF] | t[1][s>>8&0xFF] | t[2][s>>16&0xFF]
}

// fewMen is the largest number of men on the board with which images of a
// position share a key. With more men, one search hardly ever meets two images.
const fewMen = 6

// SharedKey returns a key that all images of a position with few men have in
// common. key is the position's own, which SharedKey returns for other
// positions.
func (s *State) SharedKey(key uint64) uint64 {
	if (s.Men[White] | s.Men[Black]).Len() > fewMen {
		return key
	}
	best, all := s.Men, images()
	for i := 1; i < Symmetries; i++ {
		if w := s.Men[White].image(&all[i]); w <= best[White] {
			if b := s.Men[Black].image(&all[i]); w < best[White] || b < best[Black] {
				best = [2]Set{w, b}
			}
		}
	}
	if best == s.Men {
		return key
	}
	canonical := *s
	canonical.Men = best
	return canonical.Key()
}

package rules

// keys holds a random number for each part of a state. They come from a fixed
// seed: keys are the same on every machine.
var keys = func() (t struct {
	man    [2][Points]uint64
	hand   [2][10]uint64
	black  uint64
	remove uint64
},
) {
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
	return t
}()

// Key returns a Zobrist key of the state, computed from scratch.
func (s *State) Key() uint64 {
	k := keys.hand[White][s.Hand[White]] ^ keys.hand[Black][s.Hand[Black]]
	for c := range s.Men {
		for set := s.Men[c]; set != 0; set &= set - 1 {
			k ^= keys.man[c][set.First()]
		}
	}
	if s.Turn == Black {
		k ^= keys.black
	}
	if s.Action == RemoveMan {
		k ^= keys.remove
	}
	return k
}

// PlayKey plays a legal move and returns the key after it, given the key before
// it. The key of a won state is that of the loser to move.
func (s *State) PlayKey(m Move, key uint64) uint64 {
	me, to := s.Turn, m.To()
	switch m.Kind() {
	case Placing:
		h := s.Hand[me]
		key ^= keys.hand[me][h] ^ keys.hand[me][h-1] ^ keys.man[me][to]
	case Sliding:
		key ^= keys.man[me][m.From()] ^ keys.man[me][to]
	default:
		key ^= keys.man[me^1][to] ^ keys.remove
	}
	s.Play(m)
	if s.Action == RemoveMan {
		return key ^ keys.remove
	}
	return key ^ keys.black
}

package search

// toy is a board for the tests: four piles from which one or two are taken. A
// hash of the piles decides values, ends, draws and whether the same side moves
// again, so neighbouring positions have unrelated values. Different orders of
// the same moves transpose.
type toy struct {
	stack   [MaxPly + 2]toyState
	at      int
	again   bool // some moves let the same side move on
	forcing bool // and forces it
	deepest int
}

type toyState struct {
	piles [4]int8
	side  int8
	again bool
	seed  uint32
}

func newToy(seed uint32, again bool) *toy {
	t := &toy{again: again}
	t.stack[0] = toyState{seed: seed}
	for i := range t.stack[0].piles {
		t.stack[0].piles[i] = int8(3 + splitMix(uint64(seed)*31+uint64(i))%4)
	}
	return t
}

func (s *toyState) hash() uint64 {
	h := uint64(s.seed)*4 + uint64(s.side)
	if s.again {
		h += 2
	}
	for _, p := range s.piles {
		h = h*16 + uint64(p)
	}
	return splitMix(h)
}

func (t *toy) now() *toyState { return &t.stack[t.at] }

func (t *toy) Known() (int, bool) {
	switch h := t.now().hash() >> 20; {
	case h%29 == 0:
		return LossIn(0), true
	case h%31 == 0:
		return WinIn(1), true
	case h%37 == 0:
		return 0, true
	}
	return 0, false
}

func (t *toy) Generate(stage int, list *List[int8]) bool {
	s := t.now()
	for pile, n := range s.piles {
		for take := int8(1); take <= min(n, 2); take++ {
			if (take == 2) != (stage == 0) {
				continue
			}
			move := int8(pile)*2 + take - 1
			slot := uint16(s.side)<<8 | uint16(move)
			order := int32(splitMix(s.hash()+uint64(move)) % 64)
			if order == 0 {
				list.AddLoud(move, uint32(move)+1, slot, 20000)
			} else {
				list.Add(move, uint32(move)+1, slot, order)
			}
		}
	}
	return stage == 0
}

func (t *toy) Stuck() int { return LossIn(0) }

func (t *toy) Make(move int8) bool {
	t.stack[t.at+1] = *t.now()
	t.at++
	t.deepest = max(t.deepest, t.at)
	s := t.now()
	s.piles[move/2] -= move%2 + 1
	if s.again = t.again && !s.again && s.hash()>>8%8 == 0; s.again {
		return true
	}
	s.side ^= 1
	return false
}

func (t *toy) Unmake()     { t.at-- }
func (t *toy) Key() uint64 { return t.now().hash() }

func (t *toy) Evaluate() int { return int(t.now().hash()>>30%401) - 200 }

// restless is a toy with a quiescence and a null move.
type restless struct{ toy }

func (r *restless) NoisyMoves(list *List[int8]) bool {
	s := r.now()
	if s.hash()>>12%3 != 0 {
		return false
	}
	for pile, n := range s.piles {
		if n == 2 {
			list.Add(int8(pile)*2+1, uint32(pile*2+2), 0, 0)
		}
	}
	return r.forcing && s.hash()>>16%2 == 0
}

func (r *restless) NullMove() bool {
	r.stack[r.at+1] = *r.now()
	r.at++
	r.now().side ^= 1
	return true
}

// minimax is the plain search that all others must equal. It returns the value
// of t and the first best move.
func minimax(b Board[int8], depth, ply int) (int, int8) {
	if score, ok := b.Known(); ok && ply > 0 {
		return fromRoot(score, ply), -1
	}
	if depth == 0 {
		if r, ok := b.(*restless); ok {
			return quiet(r, ply), -1
		}
		return b.Evaluate(), -1
	}
	var list List[int8]
	for stage := 0; b.Generate(stage, &list); stage++ {
	}
	if len(list.Items) == 0 {
		return fromRoot(b.Stuck(), ply), -1
	}
	best, bestMove := -Infinity, int8(-1)
	for _, item := range list.Items {
		var score int
		if b.Make(item.Move) {
			score, _ = minimax(b, depth, ply+1)
		} else {
			score, _ = minimax(b, depth-1, ply+1)
			score = -score
		}
		b.Unmake()
		if score > best {
			best, bestMove = score, item.Move
		}
	}
	return best, bestMove
}

func quiet(r *restless, ply int) int {
	var list List[int8]
	forced := r.NoisyMoves(&list)
	if len(list.Items) == 0 {
		return r.Evaluate()
	}
	best := -Infinity
	if !forced {
		best = r.Evaluate()
	}
	for _, item := range list.Items {
		sign := -1
		if r.Make(item.Move) {
			sign = 1
		}
		score, ok := r.Known()
		if ok {
			score = fromRoot(score, ply+1)
		} else {
			score = quiet(r, ply+1)
		}
		r.Unmake()
		best = max(best, sign*score)
	}
	return best
}

func engineOf(kind string, seed uint32, again bool) *Engine[int8] {
	e := New(func() Board[int8] {
		if kind == "restless" {
			return &restless{toy: *newToy(seed, again)}
		}
		return newToy(seed, again)
	})
	e.Options.Table = 1 << 20
	return e
}

func setToy(seed uint32, again, forcing bool) func(Board[int8]) {
	return func(b Board[int8]) {
		switch b := b.(type) {
		case *toy:
			*b = *newToy(seed, again)
		case *restless:
			b.toy = *newToy(seed, again)
			b.forcing = forcing
		}
	}
}

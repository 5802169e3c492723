package santorini

// generate lists all turns: the wins of both workers first.
func (t *fastTurns) generate(p *state, f *frame) {
	moves := f.moves
	var reached [2]uint32
	n := 0
	for w := p.workers[p.mover&1]; w != 0 && n < 2; w &= w - 1 {
		from := lowest(w)
		var wins uint32
		wins, reached[n] = t.reach(p, from)
		n++
		for ; wins != 0; wins &= wins - 1 {
			moves = append(moves, moveWins|noBuild|move(lowest(wins))<<5|move(from))
		}
	}
	closed := p.occupied() | p.up[3]
	low := ^p.up[1]
	n = 0
	for w := p.workers[p.mover&1]; w != 0 && n < 2; w &= w - 1 {
		from := lowest(w)
		free := board &^ (closed ^ w&-w)
		h := p.height(from)
		var higher uint32
		if h < 4 {
			higher = p.up[h]
		}
		for ends := reached[n]; ends != 0; ends &= ends - 1 {
			to := lowest(ends)
			m := move(to)<<5 | move(from)
			if higher&(ends&-ends) != 0 {
				m |= moveClimbs
			}
			builds := near[to&31] & free
			for b := builds; b != 0; b &= b - 1 {
				moves = append(moves, m|move(lowest(b))<<10)
			}
			if t.twice {
				for b := builds & low; b != 0; b &= b - 1 {
					moves = append(moves, m|moveTwice|move(lowest(b))<<10)
				}
			}
		}
		n++
	}
	f.moves = moves
}

func (t *fastTurns) winning(p *state, f *frame) {
	for w := p.workers[p.mover&1]; w != 0; w &= w - 1 {
		from := lowest(w)
		wins, _ := t.reach(p, from)
		for ; wins != 0; wins &= wins - 1 {
			f.moves = append(f.moves, moveWins|noBuild|move(lowest(wins))<<5|move(from))
		}
	}
}

// count is how many turns generate would list.
func (t *fastTurns) count(p *state) int {
	n := 0
	closed := p.occupied() | p.up[3]
	low := ^p.up[1]
	for w := p.workers[p.mover&1]; w != 0; w &= w - 1 {
		wins, ends := t.reach(p, lowest(w))
		n += size(wins)
		free := board &^ (closed ^ w&-w)
		for ; ends != 0; ends &= ends - 1 {
			builds := near[lowest(ends)&31] & free
			n += size(builds)
			if t.twice {
				n += size(builds & low)
			}
		}
	}
	return n
}

// playFast is the state after a turn that fits in its word.
func playFast(p *state, m move) state {
	next := *p
	me := p.mover & 1
	next.workers[me] ^= 1<<(m&31) | 1<<(m>>5&31)
	next.mover = me ^ 1
	if m&moveWins != 0 {
		next.winner = me + 1
		return next
	}
	built := uint32(1) << (m >> 10 & 31)
	next.raise(built)
	if m&moveTwice != 0 {
		next.raise(built)
	}
	return next
}

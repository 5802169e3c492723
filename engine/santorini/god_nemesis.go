package santorini

func nemesisPower() power {
	return power{
		name:    "nemesis",
		text:    "if no opponent is beside her workers at the end, may swap as many workers as possible",
		workers: 2,
		turns:   nemesisTurns,
	}
}

func nemesisTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		t.buildOn(q, t.sites(q, at), hint, func(q *state, _ int, hint move) {
			mine, theirs := q.workers[t.me], q.workers[t.them]
			for w := mine; w != 0; w &= w - 1 {
				if near[lowest(w)&31]&theirs != 0 {
					return
				}
			}
			n := min(size(mine), size(theirs))
			for a := mine; ; a = (a - 1) & mine {
				for b := theirs; size(a) == n; b = (b - 1) & theirs {
					if size(b) == n {
						next := *q
						next.workers[t.me] = mine ^ a | b
						next.workers[t.them] = theirs ^ b | a
						t.nemesisSwap(&next, a, b, hint)
					}
					if b == 0 {
						break
					}
				}
				if a == 0 {
					break
				}
			}
		})
	})
}

// nemesisSwap: one action a worker of the opponent, with where it goes.
func (t *turns) nemesisSwap(next *state, a, b uint32, hint move) {
	n := 0
	for ; a != 0; a, b = a&(a-1), b&(b-1) {
		t.do(Action{Kind: ForceOpponent, At: lowest(b), To: lowest(a)})
		n++
	}
	t.emit(next, false, hint)
	t.undo(n)
}

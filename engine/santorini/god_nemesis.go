package santorini

func nemesisPower() power {
	return power{
		name:    "nemesis",
		text:    "if no opponent is beside her workers at the end, may swap as many workers as possible",
		workers: 2,
		example: "0100000000000000000000010/1/nemesis:A5,B5/mortal:D1,E2",
		turns:   nemesisTurns,
		player:  sense{common: true},
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
						next.workers[t.me] = mine ^ a
						t.nemesisSwap(next, a, b, hint)
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

// nemesisSwap sends the workers of the opponent on b to a, in all ways: which
// goes where shows only if one of them is a female worker.
func (t *turns) nemesisSwap(q state, a, b uint32, hint move) {
	if b == 0 {
		t.emit(&q, false, hint)
		return
	}
	s := lowest(b)
	for ends := a; ends != 0; ends &= ends - 1 {
		to := lowest(ends)
		next := q
		t.force(&next, s, to)
		next.workers[t.me] |= bit(s)
		t.do(Action{Kind: ForceOpponent, At: s, To: to})
		t.nemesisSwap(next, a&^bit(to), b&(b-1), hint)
		t.undo(1)
	}
}

package rules

func nemesisPower() power {
	return power{
		name:    "nemesis",
		text:    "if no opponent is next to her workers at the end, may swap as many workers as possible",
		example: "0100000000000000000000010/1/nemesis:A5,B5/mortal:D1,E2",
		turns:   nemesisTurns,
		bans:    []ban{{"aphrodite", swapsLimit}, {"bia", swapsLimit}, {"clio", swapsLimit}, {"graeae", swapsLimit}, {"medusa", swapsLimit}},
	}
}

func nemesisTurns(g *generator) {
	g.afterBuild(func(q *State, _, _ int, hint Move) {
		mine, theirs := q.Workers[g.me], q.Workers[g.them]
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
					next.Workers[g.me] = mine ^ a
					g.nemesisSwap(next, a, b, hint)
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
}

// nemesisSwap moves the opponent's workers on b to a, in all orders. The order
// matters only if one of them is a female worker.
func (g *generator) nemesisSwap(q State, a, b uint32, hint Move) {
	if b == 0 {
		g.emit(&q, false, hint)
		return
	}
	s := lowest(b)
	for ends := a; ends != 0; ends &= ends - 1 {
		to := lowest(ends)
		next := q
		g.force(&next, s, to)
		next.Workers[g.me] |= Bit(s)
		g.do(Action{Kind: ForceOpponent, At: s, To: to})
		g.nemesisSwap(next, a&^Bit(to), b&(b-1), hint)
		g.undo(1)
	}
}

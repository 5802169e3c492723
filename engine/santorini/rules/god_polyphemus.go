package rules

func polyphemusPower() power {
	return power{
		name:  "polyphemus",
		text:  "once, at the end of a turn, puts up to two domes on any free squares",
		state: usedOnce(),
		turns: polyphemusTurns,
		wide:  true,
		hints: hints{value: unusedPower},
	}
}

func polyphemusTurns(g *generator) {
	g.afterBuild(func(q *State, _, _ int, hint Move) {
		if q.GodState[g.me] != 0 || g.plainOnly {
			return
		}
		next := *q
		next.GodState[g.me] = 1
		free := g.domeable(q)
		g.domeOn(&next, free, hint)
		for ; free != 0 && !g.stopped; free &= free - 1 {
			s := lowest(free)
			one := next
			one.Dome(Bit(s))
			g.do(act(Dome, s))
			g.domeOn(&one, free&(free-1), hint)
			g.undo(1)
		}
	})
}

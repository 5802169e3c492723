package rules

func theseusPower() power {
	return power{
		name:    "theseus",
		text:    "once, at the end of a turn, the worker that moved removes a neighbour two or more levels higher",
		state:   usedOnce(),
		turns:   theseusTurns,
		hints:   hints{value: unusedPower},
		removes: true,
	}
}

func theseusTurns(g *generator) {
	g.afterBuild(func(q *State, at, _ int, hint Move) {
		if q.GodState[g.me] != 0 {
			return
		}
		high := g.movable(q)
		prey := near[at&31] & high &^ q.atMost(q.Height(at)+1)
		for rest := q.Workers[g.me] &^ Bit(at) &^ q.Above[0]; rest != 0; rest &= rest - 1 {
			prey |= near[lowest(rest)&31] & high & q.Level(3)
		}
		for ; prey != 0; prey &= prey - 1 {
			next := *q
			g.remove(&next, prey&-prey)
			next.GodState[g.me] = 1
			g.end(act(RemoveWorker, lowest(prey)), &next, hint)
		}
	})
}

package rules

func aresPower() power {
	return power{
		name:  "ares",
		text:  "at the end may remove a block next to the unmoved worker",
		turns: aresTurns,
		bans:  []ban{{"ares", doubleTake}},
	}
}

func aresTurns(g *generator) {
	g.afterBuild(func(q *State, at, _ int, hint Move) {
		var set uint32
		for rest := q.Workers[g.me] &^ Bit(at); rest != 0; rest &= rest - 1 {
			set |= near[lowest(rest)&31]
		}
		for set &= q.Above[0] &^ g.notFree(q); set != 0; set &= set - 1 {
			next := *q
			next.Lower(set & -set)
			g.end(act(RemoveBlock, lowest(set)), &next, hint)
		}
	})
}

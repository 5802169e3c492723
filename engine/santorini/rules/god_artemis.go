package rules

func artemisPower() power {
	return power{
		name:  "artemis",
		text:  "may move twice, but not back to where she started",
		basic: true,
		turns: artemisTurns,
		fast:  &Fast{Reach: artemisReach},
		hints: hints{startsLower: 1},
	}
}

// artemisReach: if artemis can win by entering a square, she cannot enter it
// without winning.
func artemisReach(p *State, from int) (wins, ends uint32) {
	open := ^(p.Workers[0] | p.Workers[1])
	h := p.Height(from)
	first := near[from&31] & open & p.Climbable(h)
	if h == 2 {
		wins = first & p.Above[2]
	}
	ends = first
	for mids := first &^ wins; mids != 0; mids &= mids - 1 {
		mid := lowest(mids)
		h := p.Height(mid)
		second := near[mid&31] & open & p.Climbable(h)
		if h == 2 {
			wins |= second & p.Above[2]
		}
		ends |= second
	}
	return wins, ends &^ wins
}

func artemisTurns(g *generator) {
	g.levelWins = g.slides // as engines of today play against harpies
	g.eachWorker(func(from int) {
		first := g.steps(g.p, from)
		won := g.stepWins(g.p, from, first)
		for ends := first &^ won; ends != 0; ends &= ends - 1 {
			mid, at := g.step(g.p, from, lowest(ends))
			won |= g.stepWins(&mid, at, g.steps(&mid, at)&^Bit(from))
		}
		end := func(q *State, at int, hint Move) { // a slide may end where she started
			if won&Bit(at) == 0 {
				g.build(q, at, hint)
			}
		}
		g.stepTo(g.p, from, from, first, func(q *State, at int, hint Move) {
			end(q, at, hint)
			g.stepTo(q, from, at, g.steps(q, at)&^Bit(from), end)
		})
	})
}

// stepWins is the part of ends where a step from from wins.
func (g *generator) stepWins(q *State, from int, ends uint32) (won uint32) {
	for ; ends != 0; ends &= ends - 1 {
		to := lowest(ends)
		after, at := g.step(q, from, to)
		if at == to && g.wins(q, &after, from, to) {
			won |= Bit(at)
		}
	}
	return won
}

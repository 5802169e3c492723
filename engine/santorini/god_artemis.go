package santorini

func artemisPower() power {
	return power{
		name:    "artemis",
		text:    "may move twice, not back to where she started",
		workers: 2,
		turns:   artemisTurns,
		fast:    &fastTurns{reach: artemisReach},
		player:  sense{low: 1},
	}
}

// artemisReach: a square that she can enter winning is only ever entered so,
// whichever way leads there.
func artemisReach(p *state, from int) (wins, ends uint32) {
	open := ^(p.workers[0] | p.workers[1])
	h := p.height(from)
	first := near[from&31] & open & p.climbable(h)
	if h == 2 {
		wins = first & p.up[2]
	}
	ends = first
	for mids := first &^ wins; mids != 0; mids &= mids - 1 {
		mid := lowest(mids)
		h := p.height(mid)
		second := near[mid&31] & open & p.climbable(h)
		if h == 2 {
			wins |= second & p.up[2]
		}
		ends |= second
	}
	return wins, ends &^ wins
}

func artemisTurns(t *turns) {
	t.each(func(from int) {
		first := t.steps(t.p, from)
		won := t.stepWins(t.p, from, first)
		for ends := first &^ won; ends != 0; ends &= ends - 1 {
			mid, at := t.step(t.p, from, lowest(ends))
			won |= t.stepWins(&mid, at, t.steps(&mid, at)&^bit(from))
		}
		end := func(q *state, at int, hint move) {
			if won&bit(at) == 0 && at != from {
				t.build(q, at, hint)
			}
		}
		t.go1(t.p, from, from, first, func(q *state, at int, hint move) {
			end(q, at, hint)
			t.go1(q, from, at, t.steps(q, at)&^bit(from), end)
		})
	})
}

// stepWins is the part of ends that wins when entered from from.
func (t *turns) stepWins(q *state, from int, ends uint32) (won uint32) {
	for ; ends != 0; ends &= ends - 1 {
		to := lowest(ends)
		after, at := t.step(q, from, to)
		if at == to && t.wins(q, &after, from, to) {
			won |= bit(at)
		}
	}
	return won
}

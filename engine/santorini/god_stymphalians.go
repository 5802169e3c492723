package santorini

func stymphaliansPower() power {
	return power{
		name:    "stymphalians",
		text:    "three workers; up to three steps, but may not end beside the start",
		workers: 3,
		turns:   stymphaliansTurns,
		player:  sense{low: 2},
	}
}

func stymphaliansTurns(t *turns) {
	t.each(func(from int) {
		t.stymphaliansFly(*t.p, from, from, 1)
	})
}

// stymphaliansFly takes step number n. Beside the start nothing can end, not
// even by winning.
func (t *turns) stymphaliansFly(q state, home, from, n int) {
	near := near[home&31] | bit(home)
	for ends := t.steps(&q, from); ends != 0; ends &= ends - 1 {
		to := lowest(ends)
		after, at := t.step(&q, from, to)
		t.do(act(MoveWorker, to))
		if near&bit(at) == 0 {
			t.arrive(&q, &after, home, from, to, at, t.build)
		}
		if n < 3 && !(near&bit(at) == 0 && at == to && t.wins(&q, &after, from, to)) {
			t.stymphaliansFly(after, home, at, n+1)
		}
		t.undo(1)
	}
}

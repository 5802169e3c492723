package santorini

func hermesPower() power {
	return power{
		name:    "hermes",
		text:    "may move both workers any number of squares on their levels, then builds with either",
		workers: 2,
		turns:   hermesTurns,
		player:  sense{common: true},
	}
}

func hermesTurns(t *turns) {
	t.each(func(from int) {
		h := t.p.height(from)
		t.go1(t.p, from, from, t.steps(t.p, from)&^t.p.level(h), t.build)
	})
	if !t.winsOnly {
		t.hermesGlides()
	}
}

// hermesGlides goes through all pairs of squares that level moves of the two
// workers reach, one step of one worker at a time.
func (t *turns) hermesGlides() {
	mine := t.p.workers[t.me]
	home := [2]int{lowest(mine), noSquare}
	if rest := mine & (mine - 1); rest != 0 {
		home[1] = lowest(rest)
	}
	var seen [32]uint32 // by the first worker's square: the second's
	var todo [squares * squares][2]int
	seen[home[0]&31] = bit(home[1])
	todo[0] = home
	for i, n := 0, 1; i < n && !t.over; i++ {
		at := todo[i]
		q := *t.p
		q.workers[t.me] = (bit(at[0]) | bit(at[1])) & board
		t.hermesBuilds(&q, home, at)
		for k := range 2 {
			if home[k] == noSquare || t.frozen&bit(home[k]) != 0 {
				continue
			}
			level := q.level(q.height(at[k]))
			for ends := t.steps(&q, at[k]) & level; ends != 0; ends &= ends - 1 {
				to := at
				to[k] = lowest(ends)
				if seen[to[0]&31]&bit(to[1]) == 0 {
					seen[to[0]&31] |= bit(to[1])
					todo[n] = to
					n++
				}
			}
		}
	}
}

// hermesBuilds ends the turn with a block beside either worker.
func (t *turns) hermesBuilds(q *state, home, at [2]int) {
	if t.clings && !(t.hermesClings(q, home[0], at[0]) && t.hermesClings(q, home[1], at[1])) {
		return
	}
	sites := t.sites(q, at[0])
	if at[1] != noSquare {
		sites |= t.sites(q, at[1])
	}
	hint := noSquare<<5 | move(noSquare)
	moved := 0
	for i := range 2 {
		// The first to go is the one whose end is not the other's start.
		k := i
		if at[0] == home[1] {
			k = 1 - i
		}
		if at[k] != home[k] {
			t.do(act(SelectWorker, home[k]))
			t.do(act(MoveWorker, at[k]))
			moved += 2
			hint = move(home[k]) | move(at[k])<<5
		}
	}
	t.buildOn(q, sites, hint, nil)
	t.undo(moved)
}

func (t *turns) hermesClings(q *state, home, at int) bool {
	return home == noSquare || home == at || !t.clingsTo(t.p, home) || t.clingsTo(q, at)
}

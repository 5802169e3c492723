package santorini

func artemisPower() power {
	return power{
		name:    "artemis",
		text:    "may move twice, not back to where she started",
		workers: 2,
		turns:   artemisTurns,
		fast:    &fastTurns{reach: artemisReach},
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
	for w := t.p.workers[t.me]; w != 0; w &= w - 1 {
		from := lowest(w)
		t.do(act(SelectWorker, from))
		// A square that she can enter winning is only ever entered so: all
		// wins are known before the first build.
		var wins uint32
		for pass := range 2 {
			for ends := t.steps(t.p, from); ends != 0; ends &= ends - 1 {
				artemisStep(t, t.p, from, from, lowest(ends), pass == 0, true, &wins)
			}
		}
		t.undo(1)
	}
}

// artemisStep takes one step, and from its end the second one.
func artemisStep(t *turns, q *state, home, from, to int, winning, again bool, wins *uint32) {
	next := t.walk(q, from, to)
	won := rises(q, from, to)
	t.do(act(MoveWorker, to))
	defer t.undo(1)
	switch {
	case won && winning:
		*wins |= bit(to)
		t.emit(&next, true, noBuild|move(to)<<5|move(home))
	case !winning && *wins&bit(to) == 0:
		t.build(&next, home, to, nil)
	}
	if won || !again {
		return
	}
	for ends := t.steps(&next, to) &^ bit(home); ends != 0; ends &= ends - 1 {
		artemisStep(t, &next, home, to, lowest(ends), winning, false, wins)
	}
}

package santorini

func limusPower() power {
	return power{
		name:    "limus",
		text:    "the opponent may not build beside Limus, except a dome on level 3",
		workers: 2,
		turns:   commonTurns,
		player:  sense{common: true},
		limit:   func(t *turns, _ uint8) { t.guards = true },
	}
}

// guarded is beside Limus where he stands now, pushed or not: only the fourth
// level may be built there.
func (t *turns) guarded(q *state) (set uint32) {
	if t.guards {
		for w := q.workers[t.them]; w != 0; w &= w - 1 {
			set |= near[lowest(w)&31]
		}
	}
	return set &^ q.up[2]
}

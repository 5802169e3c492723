package santorini

func nikePower() power {
	return power{
		name:    "nike",
		text:    "after she steps down, the opponent may not climb",
		workers: 2,
		keeps:   "[^]: she stepped down, the opponent may not climb",
		sample:  "^",
		turns:   commonTurns,
		player:  sense{common: true},
		limit: func(t *turns, side uint8) {
			t.noUp = t.noUp || t.p.power[side] == 1
		},
		ending: func(t *turns, q state) (state, bool) {
			q.power[t.me] = flag(q.mover&wentDown != 0)
			return q, false
		},
		read: readFlag("^"),
		show: showFlag("[^]"),
	}
}

package santorini

func athenaPower() power {
	return power{
		name:    "athena",
		text:    "after she climbs, the opponent may not climb",
		workers: 2,
		keeps:   "[^]: she climbed, the opponent may not",
		sample:  "^",
		turns:   commonTurns,
		player:  sense{common: true},
		limit: func(t *turns, side uint8) {
			t.noUp = t.noUp || t.p.power[side] == 1
		},
		ending: func(t *turns, q state) (state, bool) {
			q.power[t.me] = flag(q.mover&wentUp != 0)
			return q, false
		},
		read: readFlag("^"),
		show: showFlag("[^]"),
	}
}

package santorini

func hypnusPower() power {
	return power{
		name:    "hypnus",
		text:    "the opponent's worker that stands higher than all its others may not move",
		workers: 2,
		turns:   commonTurns,
		player:  sense{common: true},
		limit:   hypnusLimit,
	}
}

func hypnusLimit(t *turns, side uint8) {
	theirs := t.p.workers[side^1]
	if size(theirs) < 2 {
		return
	}
	for h := 3; h >= 0; h-- {
		if top := theirs & t.p.level(h); top != 0 {
			if top&(top-1) == 0 {
				t.frozen = top
			}
			return
		}
	}
}

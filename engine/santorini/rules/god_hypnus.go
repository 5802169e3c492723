package rules

func hypnusPower() power {
	return power{
		name:          "hypnus",
		text:          "the opponent's worker that stands higher than all its others may not move",
		limitOpponent: hypnusLimit,
	}
}

func hypnusLimit(g *generator, side uint8) {
	g.asleep = true
	theirs := g.p.Workers[side^1]
	for h := 3; h >= 0; h-- {
		if top := theirs & g.p.Level(h); top != 0 {
			if top&(top-1) == 0 {
				g.frozen = top
			}
			return
		}
	}
}

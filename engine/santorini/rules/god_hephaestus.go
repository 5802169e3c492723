package rules

func hephaestusPower() power {
	return power{
		name:  "hephaestus",
		text:  "may add a second block, but not a dome, on the same square",
		basic: true,
		turns: hephaestusTurns,
		fast:  &Fast{Reach: mortalReach, Twice: true},
	}
}

func hephaestusTurns(g *generator) {
	g.afterBuild(func(q *State, _, s int, hint Move) {
		if q.Height(s) <= 2 {
			g.buildOn(q, g.buildable(q, Bit(s)), hint|moveTwice, nil)
		}
	})
}

package rules

func demeterPower() power {
	return power{
		name:  "demeter",
		text:  "may build a second time, on a different square",
		turns: demeterTurns,
		fast:  &Fast{Reach: mortalReach, Second: true},
	}
}

func demeterTurns(g *generator) {
	g.stepAndBuild(func(q *State, at int, hint Move) {
		sites := g.sites(q, at)
		g.buildOn(q, sites, hint, func(q *State, s int, hint Move) {
			g.buildOn(q, sites&^Bit(s), hint, nil)
		})
	})
}

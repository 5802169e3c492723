package rules

func zeusPower() power {
	return power{
		name:  "zeus",
		text:  "may build a block, but not a dome, under the worker that moved",
		turns: zeusTurns,
		fast:  &Fast{Reach: mortalReach, Under: true},
	}
}

func zeusTurns(g *generator) {
	g.stepAndBuild(func(q *State, at int, hint Move) {
		under := Bit(at) &^ q.Above[2] &^ g.guarded(q)
		g.buildOn(q, g.sites(q, at)|under, hint, nil)
	})
}

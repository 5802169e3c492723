package rules

func atlasPower() power {
	return power{
		name:  "atlas",
		text:  "may build a dome at any level",
		turns: atlasTurns,
		fast:  &Fast{Reach: mortalReach, Domes: true},
	}
}

func atlasTurns(g *generator) {
	g.stepAndBuild(func(q *State, at int, hint Move) {
		g.build(q, at, hint)
		g.domeOn(q, g.domeable(q)&g.neighbours(at)&^q.Above[2], hint)
	})
}

package rules

func erosPower() power {
	return power{
		name:  "eros",
		text:  "starts on opposite edges; also wins by moving next to the other worker, both on level 1",
		wins:  erosWins,
		place: placeEros,
	}
}

func erosWins(g *generator, _, after State, _, to int) bool {
	ones := after.Level(1)
	return ones&Bit(to) != 0 && near[to&31]&after.Workers[g.me]&ones != 0
}

// placeEros places the two workers on opposite edges.
func placeEros(g *generator) {
	const (
		north = 0b11111
		south = north << 20
		west  = 1 | 1<<5 | 1<<10 | 1<<15 | 1<<20
		east  = west << 4
	)
	g.placeMore(*g.p, Board&^g.p.Occupied(), 2, func(q *State) bool {
		w := q.Workers[g.me]
		return w&north != 0 && w&south != 0 || w&west != 0 && w&east != 0
	})
}

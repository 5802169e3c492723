package tournament

import (
	"thera/arena"
	"thera/arena/rating"
)

// Table is the tally of pairs that stopping rules look at. Identical games of
// a pairing count once.
type Table struct {
	plan  *arena.Plan
	cells map[[2]int]*Cell
	order [][2]int
}

// Cell is the tally of one pairing, from the first engine's view.
type Cell struct {
	Games     rating.WDL   // distinct games
	Pairs     rating.Penta // distinct pairs
	Played    int64        // games, identical ones included
	Different int64        // distinct ones among them
	games     map[uint64]bool
	pairs     map[[2]uint64]bool
}

func newTable(plan *arena.Plan) *Table {
	return &Table{plan: plan, cells: map[[2]int]*Cell{}}
}

func (t *Table) add(p Pair, r Result) {
	key := [2]int{p.A, p.B}
	cell := t.cells[key]
	if cell == nil {
		cell = &Cell{games: map[uint64]bool{}, pairs: map[[2]uint64]bool{}}
		t.cells[key] = cell
		t.order = append(t.order, key)
	}
	cell.add(p, r)
}

func (c *Cell) add(p Pair, r Result) {
	for _, g := range r.Games {
		c.Played++
		if c.games[g.Same] {
			continue
		}
		c.games[g.Same] = true
		c.Different++
		if p.Single > 0 {
			c.Games = c.Games.Add(oneGame(g))
		}
	}
	if p.Single > 0 || len(r.Games) != 2 {
		return
	}
	key := [2]uint64{r.Games[0].Same, r.Games[1].Same}
	if c.pairs[key] {
		return
	}
	c.pairs[key] = true
	a, _ := r.Points()
	c.Pairs[int(2*a)]++
	for _, g := range r.Games {
		c.Games = c.Games.Add(oneGame(g))
	}
}

func oneGame(g Game) rating.WDL {
	switch g.Winner {
	case 0:
		return rating.WDL{Wins: 1}
	case 1:
		return rating.WDL{Losses: 1}
	}
	return rating.WDL{Draws: 1}
}

// Cell is the tally of a pairing by the engines' places, nil if they have not
// met.
func (t *Table) Cell(a, b int) *Cell { return t.cells[[2]int{a, b}] }

// Summary of the only pairing of two engines.
func (c *Cell) Summary() rating.Summary {
	if c.Pairs.Pairs() > 0 {
		return rating.OfPairs(c.Pairs)
	}
	return rating.OfGames(c.Games)
}

// Repeated counts games and distinct games over all pairings.
func (t *Table) Repeated() (different, played int64) {
	for _, c := range t.cells {
		different += c.Different
		played += c.Played
	}
	return different, played
}

// Fit rates all engines jointly.
func (t *Table) Fit() (*rating.Table, error) {
	results := make([]rating.Result, 0, len(t.order))
	for _, key := range t.order {
		c := t.cells[key]
		r := rating.Result{
			A: t.plan.Engines[key[0]].Name, B: t.plan.Engines[key[1]].Name,
			Counts: rating.Counts{Games: c.Games, Pairs: c.Pairs},
		}
		if !t.plan.Format.Pairs {
			r.Singles = r.Games
		}
		results = append(results, r)
	}
	anchors := map[string]float64{}
	for _, e := range t.plan.Engines {
		if e.Anchor != nil {
			anchors[e.Name] = *e.Anchor
		}
	}
	return rating.Fit(results, rating.Options{Anchors: anchors})
}

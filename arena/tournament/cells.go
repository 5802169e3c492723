package tournament

import (
	"cmp"
	"fmt"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// cells measures every start (a match-up of gods, say) on its own, for every
// pairing of engines, or for one engine against itself. With a score error to
// reach, cells whose bars are widest get further pairs, wave after wave.
type cells struct {
	starts   int
	pairings [][2]int
	single   bool // one engine against itself: changing seats changes nothing
	most     int  // pairs of a cell
	first    int  // pairs that each cell has in the first wave
	target   float64
	tally    []rating.WDL // by cell, from the first seat's view
	asked    []int        // pairs handed out or queued, by cell
	queue    []visit      // of this wave, in job order
	begin    int          // place of queue[0]
	seen     int
	narrow   bool
}

// visit is one pair of a cell.
type visit struct{ cell, round int }

// Starts is the number of distinct starts that a run goes through.
func Starts(plan *arena.Plan) int {
	if n := len(plan.Openings.Positions); n > 0 {
		return n
	}
	return max(plan.Game.Starts(), 1)
}

// firstWave is how many games a cell has before its error bar counts.
const firstWave = 8

func newCells(plan *arena.Plan) *cells {
	c := &cells{starts: Starts(plan), most: plan.Format.Rounds, first: plan.Format.Rounds, target: plan.Until.ScoreError}
	for a := range plan.Engines {
		for b := a + 1; b < len(plan.Engines); b++ {
			c.pairings = append(c.pairings, [2]int{a, b})
		}
	}
	if len(plan.Engines) == 1 {
		c.pairings = [][2]int{{0, 0}}
	}
	c.single = len(plan.Engines) == 1 || !plan.Format.Pairs
	if c.target > 0 {
		c.first = min(c.most, firstWave/c.games())
	}
	n := c.starts * len(c.pairings)
	c.tally, c.asked = make([]rating.WDL, n), make([]int, n)
	for range c.first {
		for cell := range n {
			c.ask(cell)
		}
	}
	return c
}

func (c *cells) games() int {
	if c.single {
		return 1
	}
	return 2
}

func (c *cells) ask(cell int) {
	c.queue = append(c.queue, visit{cell, c.asked[cell]})
	c.asked[cell]++
}

func (c *cells) total() int { return c.games() * (c.begin + len(c.queue)) }

func (c *cells) next(place int) (Pair, State) {
	if place == c.begin+len(c.queue) {
		if c.target == 0 {
			return Pair{}, Over
		}
		if c.seen < place {
			return Pair{}, Wait
		}
		c.begin, c.queue = place, c.queue[:0:0]
		if c.wave(); len(c.queue) == 0 {
			return Pair{}, Over
		}
	}
	return c.pair(place), Ready
}

// pair is the one at place. Its number says which start it has: number modulo
// starts.
func (c *cells) pair(place int) Pair {
	cell, round := c.queue[place-c.begin].cell, c.queue[place-c.begin].round
	pairing := c.pairings[cell/c.starts]
	p := Pair{A: pairing[0], B: pairing[1], Round: round + 1, Number: round*c.starts + cell%c.starts}
	if c.single {
		p.Single = 1
		if p.A != p.B {
			p.Single = round%2 + 1
		}
	}
	return p
}

// saw counts from the first seat's view: what is measured is the start, not
// the engines.
func (c *cells) saw(p Pair, r Result) string {
	c.seen++
	cell := c.cellOf(p)
	legs := p.Legs()
	for i, g := range r.Games {
		if legs[i] == 1 && g.Winner >= 0 {
			g.Winner = 1 - g.Winner
		}
		c.tally[cell] = c.tally[cell].Add(oneGame(g))
	}
	return ""
}

func (c *cells) cellOf(p Pair) int {
	pairing := slices.Index(c.pairings, [2]int{p.A, p.B})
	return pairing*c.starts + p.Number%c.starts
}

// wave asks for further pairs of cells that are too uncertain, the widest
// first.
func (c *cells) wave() {
	type wide struct {
		cell int
		half float64
	}
	var open []wide
	for cell, t := range c.tally {
		if half := HalfWidth(t); half > c.target && c.asked[cell] < c.most {
			open = append(open, wide{cell, half})
		}
	}
	c.narrow = len(open) == 0
	slices.SortStableFunc(open, func(a, b wide) int {
		return cmp.Or(cmp.Compare(b.half, a.half), cmp.Compare(a.cell, b.cell))
	})
	for _, w := range open {
		// A bar shrinks with the root of the games: go half the way to the
		// number that the target takes.
		games := float64(c.tally[w.cell].Games())
		need := games*(w.half/c.target)*(w.half/c.target) - games
		more := max(1, int(need/2)/c.games())
		for range min(more, c.most-c.asked[w.cell], 64) {
			c.ask(w.cell)
		}
	}
}

// HalfWidth is half of the 95 % interval (Wilson) of a score, 0.5 without
// games.
func HalfWidth(t rating.WDL) float64 {
	s := rating.OfGames(t)
	if s.BoundLo == nil || s.BoundHi == nil {
		return 0.5
	}
	return (*s.BoundHi - *s.BoundLo) / 2
}

func (c *cells) end() string {
	if c.target == 0 {
		return allPlayed(len(c.tally), "cell")
	}
	if c.narrow && slices.IndexFunc(c.tally, func(t rating.WDL) bool { return HalfWidth(t) > c.target }) < 0 {
		return fmt.Sprintf("every cell's score is within %g %%", 100*c.target)
	}
	return fmt.Sprintf("%d pairs of a cell are played, the most that were allowed; not every score is within %g %%", c.most, 100*c.target)
}

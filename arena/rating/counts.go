package rating

import "fmt"

// WDL counts single games from one player's view.
type WDL struct {
	Wins   int64 `json:"wins"`
	Draws  int64 `json:"draws"`
	Losses int64 `json:"losses"`
}

// Games returns the number of games.
func (c WDL) Games() int64 { return c.Wins + c.Draws + c.Losses }

// Points returns one point for each win and half a point for each draw.
func (c WDL) Points() float64 { return float64(c.Wins) + float64(c.Draws)/2 }

// Add returns the sum of both counts.
func (c WDL) Add(d WDL) WDL {
	return WDL{c.Wins + d.Wins, c.Draws + d.Draws, c.Losses + d.Losses}
}

// Flip returns the same games from the opponent's view.
func (c WDL) Flip() WDL { return WDL{c.Losses, c.Draws, c.Wins} }

// Check refuses counts below zero or too large to add up.
func (c WDL) Check() error {
	return checkCounts([]string{"wins", "draws", "losses"}, []int64{c.Wins, c.Draws, c.Losses})
}

// Penta counts finished pairs by their points, from one player's view: 0 (LL), ½
// (LD), 1 (WL and DD), 1½ (WD), 2 (WW).
type Penta [5]int64

// Pairs returns the number of pairs.
func (p Penta) Pairs() int64 { return p[0] + p[1] + p[2] + p[3] + p[4] }

// Points returns the points in all pairs.
func (p Penta) Points() float64 {
	return float64(p[1])/2 + float64(p[2]) + 1.5*float64(p[3]) + 2*float64(p[4])
}

// Add returns the sum of both counts.
func (p Penta) Add(q Penta) Penta {
	for i, n := range q {
		p[i] += n
	}
	return p
}

// Flip returns the same pairs from the opponent's view.
func (p Penta) Flip() Penta { return Penta{p[4], p[3], p[2], p[1], p[0]} }

// Check refuses counts below zero or too large to add up.
func (p Penta) Check() error {
	return checkCounts([]string{"LL", "LD", "WLDD", "WD", "WW"}, p[:])
}

// Counts are the games of two sides, from the first one's view. All Games count
// in the score. Its error comes from independent units: finished pairs, and
// single games that do not belong to pairs. The game of an unfinished pair is in
// Games only. Counts of disjoint sets of games can be added.
type Counts struct {
	Games   WDL   `json:"games"`
	Pairs   Penta `json:"pairs"`
	Singles WDL   `json:"singles"` // zero if games are played in pairs
}

// Singly returns the counts of games that were not played in pairs.
func Singly(c WDL) Counts { return Counts{Games: c, Singles: c} }

// Add returns the sum of both counts.
func (c Counts) Add(d Counts) Counts {
	return Counts{c.Games.Add(d.Games), c.Pairs.Add(d.Pairs), c.Singles.Add(d.Singles)}
}

// Flip returns the same games from the other side's view.
func (c Counts) Flip() Counts {
	return Counts{c.Games.Flip(), c.Pairs.Flip(), c.Singles.Flip()}
}

// Half is the number of games of unfinished pairs.
func (c Counts) Half() int {
	return int(c.Games.Games() - 2*c.Pairs.Pairs() - c.Singles.Games())
}

// maxCount is small enough that all sums and products are exact in a float64.
const maxCount = 1 << 40

func checkCounts(names []string, counts []int64) error {
	for i, n := range counts {
		if n < 0 || n > maxCount {
			return fmt.Errorf("%s %d: want 0 to %d", names[i], n, int64(maxCount))
		}
	}
	return nil
}

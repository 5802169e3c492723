package rating

import "fmt"

// WDL counts single games from one player's view.
type WDL struct {
	Wins   int64 `json:"wins"`
	Draws  int64 `json:"draws"`
	Losses int64 `json:"losses"`
}

// Games is the number of games.
func (c WDL) Games() int64 { return c.Wins + c.Draws + c.Losses }

// Points are a point a win and half a point a draw.
func (c WDL) Points() float64 { return float64(c.Wins) + float64(c.Draws)/2 }

// Add is the sum of both counts.
func (c WDL) Add(d WDL) WDL {
	return WDL{c.Wins + d.Wins, c.Draws + d.Draws, c.Losses + d.Losses}
}

// Flip is the same games from the opponent's view.
func (c WDL) Flip() WDL { return WDL{c.Losses, c.Draws, c.Wins} }

// Check refuses counts below zero or too large to add up.
func (c WDL) Check() error {
	return checkCounts([]string{"wins", "draws", "losses"}, []int64{c.Wins, c.Draws, c.Losses})
}

// Penta counts finished pairs by the points made in them, from one player's
// view: 0 (LL), ½ (LD), 1 (WL and DD), 1½ (WD), 2 (WW).
type Penta [5]int64

// Pairs is the number of pairs.
func (p Penta) Pairs() int64 { return p[0] + p[1] + p[2] + p[3] + p[4] }

// Points made in all pairs.
func (p Penta) Points() float64 {
	return float64(p[1])/2 + float64(p[2]) + 1.5*float64(p[3]) + 2*float64(p[4])
}

// Add is the sum of both counts.
func (p Penta) Add(q Penta) Penta {
	for i, n := range q {
		p[i] += n
	}
	return p
}

// Flip is the same pairs from the opponent's view.
func (p Penta) Flip() Penta { return Penta{p[4], p[3], p[2], p[1], p[0]} }

// Pair is the class, 0 to 4, of two games in which a player made points of
// 0, 1 or 2 half points each.
func Pair(firstHalves, secondHalves int) int { return firstHalves + secondHalves }

// Check refuses counts below zero or too large to add up.
func (p Penta) Check() error {
	return checkCounts([]string{"LL", "LD", "WLDD", "WD", "WW"}, p[:])
}

// maxCount keeps every sum and product here exact in a float64.
const maxCount = 1 << 40

func checkCounts(names []string, counts []int64) error {
	for i, n := range counts {
		if n < 0 {
			return fmt.Errorf("%s %d: want 0 or more", names[i], n)
		}
		if n > maxCount {
			return fmt.Errorf("%s %d: want at most %d", names[i], n, int64(maxCount))
		}
	}
	return nil
}

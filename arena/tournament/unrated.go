package tournament

import (
	"fmt"

	"thera/arena"
)

// A game is unrated if it could not be judged: the rules of the two engines differ,
// or the engine that is asked for them failed. It is also if both engines failed in
// it: there is no point to win. Its pair leaves every score and every
// test, whatever the other game says: otherwise the loser of that game could buy
// half a point. It is not played again, for it would end in the same way.

// unrated reports whether a game of the pair is.
func (h *held) unrated() bool {
	for _, game := range h.games {
		if game != nil && (game.Source == arena.Unrated || game.Both()) {
			return true
		}
	}
	return false
}

// setAside counts an unrated pair, and how the games ended that could not be judged.
func (f *figures) setAside(fold *Fold, h *held) {
	f.unrated++
	for _, game := range h.games {
		if game == nil {
			continue
		}
		f.aside++
		switch {
		case game.Both():
			row := f.row(fold, h, game)
			row.Both++
			for i := range row.Sides {
				row.Sides[i].Add(game.Side(i))
			}
			f.ended(fold, h, game)
		case game.Source == arena.Unrated:
			f.ended(fold, h, game)
		}
	}
}

// mostUnrated is the share of pairs that may be unrated before a run proves nothing.
const mostUnrated = 0.05

// unjudged says that too many pairs are unrated, or all of them, "" if not.
func unjudged(sum *arena.Summary) string {
	if sum.Doubt != nil {
		return sum.Doubt.Text
	}
	n := units(sum)
	if float64(sum.Unrated) <= mostUnrated*float64(n) {
		return ""
	}
	return fmt.Sprintf("%d of %d pairs are unrated, more than %g %%", sum.Unrated, n, 100*mostUnrated)
}

// units are the finished pairs, or single games, with those that are unrated.
func units(sum *arena.Summary) int {
	n := sum.Unrated
	for i := range sum.Rows {
		row := &sum.Rows[i]
		n += row.Finished() + int(row.Singles.Games())
	}
	return n
}

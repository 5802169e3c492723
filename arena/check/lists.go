package check

import (
	"context"
	"errors"

	"thera/engine/game"
)

// sample returns up to n distinct positions from random games, spread over all starts.
func (c *checker) sample(n int) []game.Position {
	starts := c.Game.Starts()
	perGame, stride := (n+starts-1)/starts, max(1, starts/n)
	seen := map[string]bool{}
	var all []game.Position
	for try := 0; try < 20*n && len(all) < n; try++ {
		start, err := c.Game.Start((try*stride+try/starts)%starts, c.Seed+uint64(try))
		if err != nil || c.player.Fits(start) != nil {
			continue
		}
		longest := longGame
		if perGame == 1 { // a position of every phase in turn
			longest = c.rng.IntN(30)
		}
		var found []game.Position
		for at := game.Begin(start); ; {
			_, ended := at.Position.Outcome()
			if text := at.Position.String(); !ended && !seen[text] {
				seen[text] = true
				found = append(found, at.Position)
			}
			if ended || at.Ply >= longest {
				break
			}
			if at, err = at.Play(c.lots(at.Position)); err != nil {
				break
			}
		}
		all = append(all, found[max(0, len(found)-perGame):]...)
	}
	return all[:min(n, len(all))]
}

// mostSilent is how many lists may fail to come before the others are not asked for.
const mostSilent = 2

func (c *checker) checkLists(ctx context.Context) (string, error) {
	var all differences
	for _, pos := range c.sample(c.Positions) {
		theirs, err := c.player.List(ctx, pos)
		switch {
		case err == nil:
			all.asked++
			all.add(compare(pos, theirs))
		case errors.Is(err, game.ErrNoLists):
			return "", skip(err.Error())
		case ctx.Err() != nil:
			return "", ctx.Err()
		case timedOut(err) && c.proof() != "":
			return "", busy(c.proof())
		case timedOut(err) && c.player.Conn().ClearFault():
			if all.silent++; all.first == nil {
				all.first = pos
			}
			if all.silent == mostSilent {
				return "", failf("%d lists did not come, the first for %s", all.silent, all.first)
			}
		default:
			return "", failf("%w (position: %s)", err, pos)
		}
	}
	return all.verdict(c.Tolerant, c.Game.Starts())
}

package check

import (
	"context"
	"errors"
	"fmt"

	"thera/engine/game"
)

// sample returns up to n distinct positions from random games, spread over all starts.
func (c *checker) sample(n int, over bool) []game.Position {
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
		if perGame == 1 && !over { // a position of every phase in turn
			longest = c.rng.IntN(30)
		}
		var found []game.Position
		for at := game.Begin(start); ; {
			_, ended := at.Position.Outcome()
			if text := at.Position.String(); ended == over && !seen[text] {
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

// lister returns why move lists cannot be asked for, nil if they can.
func (c *checker) lister() error {
	if _, ok := c.player.Session().(game.Lister); !ok {
		return skip("the protocol has no list of moves")
	}
	return nil
}

// mostSilent is how many lists may fail to come before the others are not asked for.
const mostSilent = 2

func (c *checker) checkLists(ctx context.Context) (string, error) {
	if err := c.lister(); err != nil {
		return "", err
	}
	positions := c.sample(c.Positions, false)
	var all differences
	for _, pos := range positions {
		theirs, _, err := c.player.List(ctx, pos)
		switch {
		case err == nil:
			all.asked++
			all.add(compare(pos, theirs))
		case ctx.Err() != nil:
			return "", ctx.Err()
		case timedOut(err) && c.proof() != "":
			return "", busy(c.proof())
		case timedOut(err) && c.player.Conn().ClearFault():
			if all.silent++; all.first == nil {
				all.first = pos
			}
			if all.silent == mostSilent {
				return "", listless("%d lists did not come, the first for %s", all.silent, all.first)
			}
		default:
			return "", failf("%w (position: %s)", err, pos)
		}
	}
	return all.verdict(c.Tolerant, c.Game.Starts())
}

func timedOut(err error) bool {
	var fault *game.Fault
	return errors.As(err, &fault) && fault.Kind == game.FaultTimeout
}

// checkStates checks that every state the engine prints can be read back. In a
// game whose moves are not states there is nothing to read.
func (c *checker) checkStates(ctx context.Context) (string, error) {
	if err := c.lister(); err != nil {
		return "", err
	}
	read := 0
	for _, pos := range c.sample(20, false) {
		moves, _, err := c.player.List(ctx, pos)
		if timedOut(err) {
			return "", listless("%w (position: %s)", err, pos)
		}
		if err != nil {
			return "", failf("%w (position: %s)", err, pos)
		}
		for _, m := range moves[:min(20, len(moves))] {
			next, err := pos.Play(game.By(pos.ToMove().Only(), m))
			if err != nil {
				return "", failf("%w (position: %s)", err, pos)
			}
			again, err := c.Game.Parse(next.String())
			if err != nil {
				return "", fmt.Errorf("our own state %q: %w", next, err)
			}
			if _, over := again.Outcome(); over {
				continue
			}
			if _, _, err := c.player.List(ctx, again); err != nil {
				return "", failf("it cannot read %q: %w", again, err)
			}
			if read++; read >= 100 {
				return fmt.Sprintf("%d states", read), nil
			}
		}
	}
	return fmt.Sprintf("%d states", read), nil
}

// checkTerminal asks for the moves of finished games. An empty list, an error
// line and silence are all fine; an exit is not.
func (c *checker) checkTerminal(ctx context.Context) (string, error) {
	if err := c.lister(); err != nil {
		return "", err
	}
	over := c.sample(5, true)
	if len(over) == 0 {
		return "", skip("no random game ended")
	}
	silent := 0
	for i, pos := range over {
		moves, _, err := c.player.List(ctx, pos)
		var fault *game.Fault
		if errors.Is(err, game.ErrUnlisted) {
			continue
		}
		if errors.As(err, &fault) {
			if fault.Kind == game.FaultTimeout && c.player.Conn().ClearFault() {
				if silent++; silent == 2 { // each silence costs the whole patience
					return fmt.Sprintf("%d positions, silent at %d", i+1, silent), nil
				}
				continue
			}
			if fault.Kind != game.FaultProtocol {
				return "", failf("%w (position: %s)", err, pos)
			}
		} else if err != nil {
			return "", err
		}
		if len(moves) > 0 {
			return "", failf("it lists %d moves after the end of the game (position: %s)", len(moves), pos)
		}
	}
	return fmt.Sprintf("%d positions", len(over)), nil
}

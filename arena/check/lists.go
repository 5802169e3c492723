package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"thera/engine/game"
)

// sample returns up to n distinct positions from random games over all starts.
func (c *checker) sample(n int, over bool) []game.Position {
	seen := map[string]bool{}
	var all []game.Position
	for try := 0; try < 20*n && len(all) < n; try++ {
		start, err := c.Game.Start(try%c.Game.Starts(), c.Seed+uint64(try))
		if err != nil || c.player.Fits(start) != nil {
			continue
		}
		at := game.Begin(start)
		for at.Ply < longGame && len(all) < n {
			_, ended := at.Position.Outcome()
			if text := at.Position.String(); ended == over && !seen[text] {
				seen[text] = true
				all = append(all, at.Position)
			}
			if ended {
				break
			}
			if at, err = at.Play(c.lots(at.Position)); err != nil {
				break
			}
		}
	}
	return all
}

// lister returns why move lists cannot be asked for, nil if they can.
func (c *checker) lister() error {
	if _, ok := c.player.Session().(game.Lister); !ok {
		return skip("the protocol has no list of moves")
	}
	return nil
}

func (c *checker) checkLists(ctx context.Context) (string, error) {
	if err := c.lister(); err != nil {
		return "", err
	}
	positions := c.sample(c.Positions, false)
	var worst *difference
	differ := 0
	for _, pos := range positions {
		theirs, _, err := c.player.List(ctx, pos)
		if err != nil {
			return "", failf("%v (position: %s)", err, pos)
		}
		d := compare(pos, theirs)
		if d == nil {
			continue
		}
		differ++
		if worst == nil || d.size() < worst.size() {
			worst = d
		}
	}
	if worst != nil {
		return "", failf("%d of %d differ; the smallest:\n%s", differ, len(positions), worst)
	}
	return fmt.Sprintf("%d positions", len(positions)), nil
}

// difference is a position for which the engine lists other moves.
type difference struct {
	pos           game.Position
	ours          int
	missing, more []string
}

// size orders differences: few wrong moves first, then few moves.
func (d *difference) size() int { return (len(d.missing)+len(d.more))*100_000 + d.ours }

// compare returns nil if the engine's list, sorted and distinct, is equal to
// ours.
func compare(pos game.Position, theirs []string) *difference {
	ours := pos.Moves(pos.ToMove().Only())
	if slices.Equal(ours, theirs) {
		return nil
	}
	d := &difference{pos: pos, ours: len(ours)}
	for _, m := range ours {
		if !slices.Contains(theirs, m) {
			d.missing = append(d.missing, m)
		}
	}
	for _, m := range theirs {
		if !slices.Contains(ours, m) {
			d.more = append(d.more, m)
		}
	}
	return d
}

func (d *difference) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", d.pos)
	if drawer, ok := d.pos.(game.Drawer); ok {
		b.WriteString(drawer.Draw(game.Turn{}, false))
	}
	list := func(what string, moves []string) {
		if len(moves) == 0 {
			return
		}
		fmt.Fprintf(&b, "%s (%d): %s", what, len(moves), strings.Join(moves[:min(3, len(moves))], " "))
		if len(moves) > 3 {
			b.WriteString(" …")
		}
		b.WriteByte('\n')
	}
	list("legal, but not in its list", d.missing)
	list("in its list, but not legal", d.more)
	if len(d.missing)+len(d.more) == 0 {
		b.WriteString("the same moves in another order, or some twice\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
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
		if err != nil {
			return "", failf("%v (position: %s)", err, pos)
		}
		for _, m := range moves[:min(20, len(moves))] {
			next, err := pos.Play(game.By(pos.ToMove().Only(), m))
			if err != nil {
				return "", failf("%v (position: %s)", err, pos)
			}
			again, err := c.Game.Parse(next.String())
			if err != nil {
				return "", fmt.Errorf("our own state %q: %w", next, err)
			}
			if _, over := again.Outcome(); over {
				continue
			}
			if _, _, err := c.player.List(ctx, again); err != nil {
				return "", failf("it cannot read %q: %v", again, err)
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
	for _, pos := range over {
		moves, _, err := c.player.List(ctx, pos)
		var fault *game.Fault
		if errors.As(err, &fault) {
			if fault.Kind == game.FaultTimeout && c.player.Conn().ClearFault() {
				continue
			}
			if fault.Kind != game.FaultProtocol {
				return "", failf("%v (position: %s)", err, pos)
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

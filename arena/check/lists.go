package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
		var of []game.Position
		for at := range c.walk(start) {
			if text := at.Position.String(); !seen[text] {
				seen[text] = true
				of = append(of, at.Position)
			}
			if at.Ply >= longest {
				break
			}
		}
		all = append(all, of[max(0, len(of)-perGame):]...)
	}
	return all[:min(n, len(all))]
}

func (c *checker) checkLists(ctx context.Context) (string, error) {
	var all differences
	for _, pos := range c.sample(c.Positions) {
		theirs, err := c.player.List(ctx, pos)
		switch {
		case errors.Is(err, game.ErrNoLists):
			return "", found(Skipped, "the protocol has no list of moves")
		case err != nil:
			return "", failf("%w (position: %s)", err, pos)
		}
		all.asked++
		all.add(compare(pos, theirs), c.Tolerant)
	}
	return all.verdict(c.Game.Starts())
}

// differences are all positions in which the lists differ: by a fault of the engine, or by
// the rules.
type differences struct {
	asked         int
	faults, rules alike
}

// alike are differences of one kind.
type alike struct {
	n        int
	smallest *difference
}

// add counts a difference. A move that the referee refuses is the engine's fault, and so is
// one that it lacks, unless rules differ.
func (a *differences) add(d *difference, tolerant bool) {
	if d == nil {
		return
	}
	kind := &a.rules
	if len(d.more) > 0 || !tolerant && (len(d.missing) > 0 || len(d.accepted) == 0) {
		kind = &a.faults
	}
	kind.n++
	if kind.smallest == nil || d.size() < kind.smallest.size() {
		kind.smallest = d
	}
}

// verdict is what all differences together mean.
func (a *differences) verdict(starts int) (string, error) {
	text := fmt.Sprintf("%d positions", a.asked)
	if starts > 1 {
		text += fmt.Sprintf(" of %d starts", min(a.asked, starts))
	}
	switch {
	case a.faults.n > 0:
		return "", failf("%s\n%d of %d differ; the smallest:\n%s", text, a.faults.n, a.asked, a.faults.smallest)
	case a.rules.n > 0:
		r := &a.rules
		return "", found(Differs, "%s\n%d of %d differ by rules; the smallest:\n%s", text, r.n, a.asked, r.smallest)
	}
	return text, nil
}

// difference is a position for which the engine lists other moves.
type difference struct {
	pos           game.Position
	ours          int
	missing, more []string
	accepted      []string // in its list and, though not in ours, accepted
}

// size orders differences: few wrong moves first, then few moves.
func (d *difference) size() int { return (len(d.missing)+len(d.more)+len(d.accepted))*100_000 + d.ours }

// compare returns nil if the engine's list, sorted and distinct, is equal to
// ours.
func compare(pos game.Position, theirs []string) *difference {
	seat := pos.ToMove().Only()
	ours := pos.Moves(seat)
	if slices.Equal(ours, theirs) {
		return nil
	}
	d := &difference{pos: pos, ours: len(ours)}
	listed := map[string]bool{}
	for _, m := range theirs {
		next, err := pos.Play(game.By(seat, m))
		switch {
		case contains(ours, m):
			listed[m] = true
		case err != nil:
			d.more = append(d.more, m)
		case contains(ours, next.String()): // another text of a move that is a state
			listed[next.String()] = true
		default:
			d.accepted = append(d.accepted, m)
		}
	}
	d.missing = slices.DeleteFunc(slices.Clone(ours), func(m string) bool { return listed[m] })
	if d.size() < 100_000 && len(theirs) == len(ours) {
		return nil
	}
	return d
}

func contains(sorted []string, m string) bool {
	_, found := slices.BinarySearch(sorted, m)
	return found
}

func (d *difference) String() string {
	text := d.pos.String() + "\n" + d.pos.Draw(game.Turn{}, false)
	for _, part := range []struct {
		what  string
		moves []string
	}{
		{"legal, but not in its list", d.missing},
		{"in its list, but not legal", d.more},
		{"in its list, accepted by the printed rules", d.accepted},
	} {
		if n := len(part.moves); n > 0 {
			text += fmt.Sprintf("%s (%d): %s\n", part.what, n, strings.Join(part.moves[:min(3, n)], " "))
		}
	}
	if d.size() < 100_000 {
		text += "the same moves in another order, or some twice\n"
	}
	return strings.TrimSuffix(text, "\n")
}

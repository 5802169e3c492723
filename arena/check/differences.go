package check

import (
	"fmt"
	"slices"
	"strings"

	"thera/engine/game"
)

// differences are all positions whose lists differ, by kind.
type differences struct {
	asked, silent int
	first         game.Position // without an answer
	refused       kind          // it lists moves that the referee refuses
	missing       kind          // it lacks moves that are legal
	accepted      kind          // it lists moves that the referee accepts without listing them
}

// kind counts differences of one kind and keeps the smallest.
type kind struct {
	count    int
	smallest *difference
}

func (k *kind) add(d *difference, is bool) {
	if !is {
		return
	}
	k.count++
	if k.smallest == nil || d.size() < k.smallest.size() {
		k.smallest = d
	}
}

func (a *differences) add(d *difference) {
	if d != nil {
		a.refused.add(d, len(d.more) > 0)
		a.accepted.add(d, len(d.accepted) > 0)
		a.missing.add(d, len(d.missing) > 0 || len(d.more)+len(d.accepted) == 0)
	}
}

// verdict is what all differences together mean. A move that the referee refuses is
// the engine's fault, and so is one that it lacks, unless rules differ.
func (a *differences) verdict(tolerant bool, starts int) (string, error) {
	text := fmt.Sprintf("%d positions", a.asked)
	if starts > 1 {
		text += fmt.Sprintf(" of %d starts", min(a.asked, starts))
	}
	if a.silent > 0 {
		text += fmt.Sprintf("; %d lists did not come, the first for %s", a.silent, a.first)
	}
	differ := false
	for _, k := range []struct {
		kind
		what string
	}{
		{a.refused, "it lists moves that are not legal"},
		{a.missing, "it lacks legal moves"},
		{a.accepted, "it lists moves that the printed rules allow and engines of today do not list"},
	} {
		if k.count > 0 {
			differ = true
			text += fmt.Sprintf("\n%d of %d differ: %s; the smallest:\n%s", k.count, a.asked, k.what, k.smallest)
		}
	}
	switch {
	case a.refused.count > 0, a.missing.count > 0 && !tolerant, a.silent > 0 && !differ:
		return "", failf("%s", text)
	case differ:
		return "", differs(text)
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
		if contains(ours, m) {
			listed[m] = true
			continue
		}
		next, err := pos.Play(game.By(seat, m))
		switch {
		case err != nil:
			d.more = append(d.more, m)
		case contains(ours, next.String()): // another text of a move that is a state
			listed[next.String()] = true
		default:
			d.accepted = append(d.accepted, m)
		}
	}
	for _, m := range ours {
		if !listed[m] {
			d.missing = append(d.missing, m)
		}
	}
	if len(d.missing)+len(d.more)+len(d.accepted) == 0 && len(listed) == len(ours) && len(theirs) == len(ours) {
		return nil
	}
	return d
}

func contains(sorted []string, m string) bool {
	_, found := slices.BinarySearch(sorted, m)
	return found
}

func (d *difference) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", d.pos)
	b.WriteString(d.pos.Draw(game.Turn{}, false))
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
	list("in its list, accepted by the printed rules", d.accepted)
	if len(d.missing)+len(d.more)+len(d.accepted) == 0 {
		b.WriteString("the same moves in another order, or some twice\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

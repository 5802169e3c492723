package match

import (
	"fmt"
	"strings"

	"thera/arena"
	"thera/engine/game"
)

// How much of two lists is kept on a record.
const (
	mostListed = 1000 // moves of each list
	mostOnly   = 50   // moves that only one list has
)

// dispute ends a game in a position of which two engines list different moves.
func (m *Match) dispute(pos game.Foreign, names [2]string, lists [2][]string) {
	only := [2][]string{without(pos, lists[0], lists[1]), without(pos, lists[1], lists[0])}
	d := &arena.Dispute{Position: pos.String()}
	for i := range names {
		d.Engines[i] = strings.TrimPrefix(names[i], "law ")
		d.Listed[i], d.Only[i] = len(lists[i]), len(only[i])
		d.Lists[i], d.OnlyIn[i] = first(lists[i], mostListed), first(only[i], mostOnly)
	}
	m.rec.Dispute = d
	m.verdict = &verdict{
		outcome: game.Outcome{Reason: rulesDiffer}, source: arena.Unrated,
		detail: fmt.Sprintf("rules differ at ply %d\n%s", m.line.Ply+1, DrawDispute(pos, d)),
	}
}

// DrawDispute describes a dispute: the position, how many moves differ, and the one
// that is most like the position.
func DrawDispute(pos game.Foreign, d *arena.Dispute) string {
	var b strings.Builder
	fmt.Fprintf(&b, "position: %s\n%s", d.Position, pos.Draw(game.Turn{}, false))
	for i, name := range d.Engines {
		fmt.Fprintf(&b, "%s lists %d moves", name, d.Listed[i])
		if d.Only[i] == 0 {
			b.WriteString(", all of them common\n")
			continue
		}
		fmt.Fprintf(&b, ", %d that the other does not:\n", d.Only[i])
		near := pos.Nearest(d.OnlyIn[i], d.Position)
		fmt.Fprintf(&b, "  %s\n", near)
		if next, err := pos.Play(game.By(pos.ToMove().Only(), near)); err == nil {
			b.WriteString(next.Draw(game.By(pos.ToMove().Only(), near), false))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// without are the moves of list that other does not have, in whatever way it writes
// them.
func without(pos game.Foreign, list, other []string) []string {
	keys, others := pos.Keys(list, other)
	known := make(map[string]bool, len(others))
	for _, key := range others {
		known[key] = true
	}
	var rest []string
	for i, key := range keys {
		if !known[key] {
			rest = append(rest, list[i])
		}
	}
	return rest
}

// first is a copy of the first moves of a list.
func first(list []string, most int) []string {
	return append([]string{}, list[:min(len(list), most)]...)
}

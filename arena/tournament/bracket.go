package tournament

import (
	"slices"

	"thera/arena"
)

const matchDoc = "pairs of a match (default 1)"

// bracket plays round by round: who meets depends on all earlier results. It is the
// common part of Swiss and knockout.
type bracket struct {
	fold  *Fold
	more  func() bool // appends further pairs to the queue when all are folded, false at the end
	round int         // from 1; 0 before the first
	queue []Pair      // pairs of the round that are not folded yet, in job order
	begin int         // place of queue[0]
	seen  int         // pairs folded
	notes []string    // by engine
}

func (b *bracket) next(place int) (Pair, Readiness) {
	if place == b.begin+len(b.queue) {
		if b.seen < place {
			return Pair{}, Wait
		}
		b.begin, b.queue = place, b.queue[:0:0]
		if !b.more() {
			return Pair{}, Over
		}
	}
	return b.queue[place-b.begin], Ready
}

// playing reports whether a pair is of the round.
func (b *bracket) playing(k key) bool {
	return slices.ContainsFunc(b.queue, func(p Pair) bool { return p.key() == k })
}

// note adds to what the standings say about an engine.
func (b *bracket) note(i int, text string) {
	if b.notes[i] != "" {
		b.notes[i] += ", "
	}
	b.notes[i] += text
}

// scores returns the points and wins of all engines against living ones.
func (b *bracket) scores(f *figures) []arena.Standing {
	table := make([]arena.Standing, len(f.engines))
	for i := range table {
		table[i].Engine, table[i].Note = b.fold.name(i), b.notes[i]
	}
	rows, _ := f.table()
	for _, row := range rows {
		one, other := &table[b.fold.places[row.Pairing[0]]], &table[b.fold.places[row.Pairing[1]]]
		one.Points += row.Games.Points()
		one.Wins += int(row.Games.Wins)
		other.Points += row.Games.Flip().Points()
		other.Wins += int(row.Games.Losses)
	}
	return table
}

// ranked returns the living engines of a table in an order.
func (b *bracket) ranked(f *figures, table []arena.Standing, order func(a, c int) int) (out []arena.Standing) {
	var living []int
	for i := range table {
		if f.living(i) {
			living = append(living, i)
		}
	}
	slices.SortStableFunc(living, order)
	for _, i := range living {
		out = append(out, table[i])
	}
	return out
}

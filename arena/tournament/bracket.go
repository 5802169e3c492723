package tournament

import (
	"fmt"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// bracket is the common part of Swiss and knockout. It plays round by round, because the pairings of
// a round depend on all earlier results.
type bracket struct {
	director *Director
	more     func() bool // appends further pairs to the queue when all are counted; false at the end
	pairs    int         // number of pairs of a match; a knockout adds some to a tied one
	round    int         // from 1; 0 before the first
	queue    []Pair      // pairs of the round that are not counted yet, in job order
	begin    int         // place of queue[0]
	seen     int         // number of counted pairs
	notes    []string    // by engine
}

func newBracket(d *Director) bracket {
	pairs := max(1, d.plan.Format.PairsPerMatch) // imported runs may have 0
	return bracket{director: d, pairs: pairs, notes: make([]string, len(d.plan.Engines))}
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

// playing reports whether a pair belongs to the round.
func (b *bracket) playing(k key) bool {
	return slices.ContainsFunc(b.queue, func(p Pair) bool { return p.key() == k })
}

// note adds to what the standings say about an engine.
func (b *bracket) note(i int, format string, args ...any) {
	b.notes[i] = noted(b.notes[i], format, args...)
}

// noted returns a note with a text added.
func noted(note, format string, args ...any) string {
	if note != "" {
		note += ", "
	}
	return note + fmt.Sprintf(format, args...)
}

// scores returns the points and wins of all engines against living ones.
func (b *bracket) scores(f *figures) []arena.Standing {
	table := make([]arena.Standing, len(f.engines))
	for i := range table {
		table[i].Engine, table[i].Note = b.director.name(i), b.notes[i]
	}
	rows, _ := f.table()
	for _, row := range rows {
		for side, games := range [2]rating.WDL{row.Games, row.Games.Flip()} {
			one := &table[b.director.places[row.Pairing[side]]]
			one.Points += games.Points()
			one.Wins += int(games.Wins)
		}
	}
	return table
}

// order returns the living engines of a table in an order.
func order(f *figures, table []arena.Standing, compare func(a, b int) int) (out []arena.Standing) {
	living := slices.DeleteFunc(places(len(table)), func(i int) bool { return !f.living(i) })
	slices.SortStableFunc(living, compare)
	for place, i := range living {
		table[i].Place = place + 1
		out = append(out, table[i])
	}
	return out
}

// places returns the numbers from 0 to n-1.
func places(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

package store

import (
	"cmp"
	"context"
	"slices"

	"thera/arena"
)

// Summary counts what Load reads. It is here until tournament does it.
func (s *Store) Summary(ctx context.Context, run int64) (*arena.Summary, error) {
	info, engines, done, stalled, err := s.Load(ctx, run)
	if err != nil {
		return nil, err
	}
	sum := &arena.Summary{Run: info, Engines: engines, Stalled: stalled}
	t := newTransition(sum)
	for i := range done {
		t.game(&done[i])
	}
	t.finish()
	return sum, nil
}

type rowKey struct {
	pairing [2]string
	leg     int
	roles   [2]string
}

type transition struct {
	sum   *arena.Summary
	rows  map[rowKey]*arena.Row
	ends  map[arena.End]*arena.End
	warns map[arena.GameWarning]*arena.GameWarning
	seen  map[any]bool
	half  map[any]*arena.Finished
	fresh map[*arena.Finished]bool
}

func newTransition(sum *arena.Summary) *transition {
	return &transition{
		sum: sum, rows: map[rowKey]*arena.Row{}, ends: map[arena.End]*arena.End{}, warns: map[arena.GameWarning]*arena.GameWarning{},
		seen: map[any]bool{}, half: map[any]*arena.Finished{}, fresh: map[*arena.Finished]bool{},
	}
}

func (t *transition) row(f *arena.Finished) *arena.Row {
	k := rowKey{f.Pairing, f.Leg, f.Roles}
	r := t.rows[k]
	if r == nil {
		r = &arena.Row{Pairing: f.Pairing, Leg: f.Leg, Roles: f.Roles, Round: f.Round}
		t.rows[k] = r
	}
	r.Round = min(r.Round, f.Round)
	return r
}

func (t *transition) game(f *arena.Finished) {
	type gameKey struct {
		pairing [2]string
		same    [2]uint64
	}
	r := t.row(f)
	at := arena.WDL(f.Winner)
	r.Games[at]++
	if k := (gameKey{f.Pairing, [2]uint64{f.Sameness}}); !t.seen[k] {
		t.seen[k], t.fresh[f] = true, true
		r.Distinct[at]++
		r.Counted[at]++
	}
	r.Plies += int64(f.Plies)
	r.Seconds += f.Seconds
	r.Warned += min(1, len(f.Warnings))
	for i := range f.Sides {
		r.Sides[i].Add(&f.Sides[i])
		r.Points[i] += f.Points[i]
	}
	end := arena.End{Pairing: f.Pairing, Source: f.Source, Blamed: f.Blamed, Winner: f.Winner, Reason: f.End}
	if t.ends[end] == nil {
		t.ends[end] = &arena.End{Pairing: f.Pairing, Source: f.Source, Blamed: f.Blamed, Winner: f.Winner, Reason: f.End, Example: f.ID}
	}
	t.ends[end].Games++
	for _, text := range f.Warnings {
		w := arena.GameWarning{Pairing: f.Pairing, Kind: arena.GameWarningKind(text)}
		if t.warns[w] == nil {
			t.warns[w] = &arena.GameWarning{Pairing: f.Pairing, Kind: w.Kind, Example: text}
		}
		t.warns[w].Count++
	}
	type pairKey struct {
		pairing [2]string
		pair    int
	}
	p := pairKey{f.Pairing, f.Pair}
	other := t.half[p]
	if other == nil {
		t.half[p] = f
		return
	}
	var legs [2]arena.PairedGame
	var same [2]uint64
	for _, g := range []*arena.Finished{f, other} {
		legs[g.Leg] = arena.PairedGame{Tally: &t.row(g).Tally, Winner: g.Winner, Fresh: t.fresh[g]}
		same[g.Leg] = g.Sameness + 1
	}
	k := gameKey{f.Pairing, same}
	arena.CountPair(legs, !t.seen[k])
	t.seen[k] = true
}

func (t *transition) finish() {
	sum := t.sum
	for _, r := range t.rows {
		sum.Rows = append(sum.Rows, *r)
	}
	for _, e := range t.ends {
		sum.Ends = append(sum.Ends, *e)
	}
	for _, w := range t.warns {
		sum.GameWarnings = append(sum.GameWarnings, *w)
	}
	place := map[string]int{}
	for i, e := range sum.Engines {
		place[e.Name] = i
	}
	pairings := func(x, y [2]string) int {
		return cmp.Or(cmp.Compare(place[x[0]], place[y[0]]), cmp.Compare(place[x[1]], place[y[1]]))
	}
	slices.SortFunc(sum.Rows, func(x, y arena.Row) int {
		return cmp.Or(pairings(x.Pairing, y.Pairing), cmp.Compare(x.Leg, y.Leg),
			cmp.Compare(x.Roles[0], y.Roles[0]), cmp.Compare(x.Roles[1], y.Roles[1]))
	})
	slices.SortFunc(sum.Ends, func(x, y arena.End) int {
		return cmp.Or(pairings(x.Pairing, y.Pairing), cmp.Compare(x.Source, y.Source), cmp.Compare(x.Reason, y.Reason),
			cmp.Compare(x.Blamed, y.Blamed), cmp.Compare(x.Winner, y.Winner))
	})
	slices.SortFunc(sum.GameWarnings, func(x, y arena.GameWarning) int {
		return cmp.Or(pairings(x.Pairing, y.Pairing), cmp.Compare(x.Kind, y.Kind))
	})
}

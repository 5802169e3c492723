package main

import (
	"context"
	"slices"

	"thera/arena"
	"thera/arena/store"
	"thera/arena/tournament"
)

// mostOpenings bounds the table of openings.
const mostOpenings = 10_000

// addOpenings adds to a summary the scores of the run's start positions, the most played first.
func addOpenings(ctx context.Context, db *store.Store, sum *arena.Summary) error {
	type opening struct {
		arena.OpeningRow
		first string // a game from it
	}
	at, list := map[uint64]*opening{}, []*opening(nil)
	err := db.Load(ctx, sum.Run.ID, func(l *store.Loaded) error {
		for g := range l.Games {
			if !g.Status.Counts() {
				continue
			}
			o := at[g.StartHash]
			if o == nil {
				o = &opening{first: g.ID}
				at[g.StartHash], list = o, append(list, o)
			}
			o.Plies += int64(g.Turns)
			o.Games = o.Games.Add(arena.One(int(g.Outcome.Winner) - 1))
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b *opening) int { return int(b.Games.Games() - a.Games.Games()) })
	var rows []arena.OpeningRow
	for _, o := range list[:min(len(list), mostOpenings)] {
		g, err := db.Stored(ctx, sum.Run.ID, o.first)
		if err != nil {
			return err
		}
		if g != nil { // else it was set aside meanwhile
			o.Start = g.Start
			rows = append(rows, o.OpeningRow)
		}
	}
	sum.Openings = tournament.Openings(rows)
	return nil
}

package main

import (
	"context"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/store"
	"thera/arena/tournament"
)

// placings are the standings of a Swiss or a knockout, best first.
func placings(plan *arena.Plan, s *tournament.Schedule) []report.Placing {
	var out []report.Placing
	for i, st := range s.Standings() {
		out = append(out, report.Placing{
			Place: i + 1, Name: plan.Engines[st.Engine].Name, Points: st.Points, Wins: st.Wins, Buchholz: st.Buchholz, Remark: st.Note,
		})
	}
	return out
}

// storedPlacings are those of a stored run; nil for formats that have no order
// of their own.
func storedPlacings(ctx context.Context, db *store.Store, sum *arena.Summary) ([]report.Placing, error) {
	set := sum.Run.Plan
	if set.Format.Name != "swiss" && set.Format.Name != "knockout" || set.Format.PairsPerMatch < 1 {
		return nil, nil
	}
	g, err := gameOfRun(sum.Run.Game, set.Rules)
	if err != nil {
		return nil, err
	}
	done, err := db.Finished(ctx, sum.Run.ID)
	if err != nil {
		return nil, err
	}
	plan := &arena.Plan{
		Name: sum.Run.Name, Game: g, Rules: set.Rules, Engines: sum.Engines, Format: set.Format, Openings: set.Openings,
		Limit: set.Limit, Until: set.Until, Seed: set.Seed, SPRT: set.SPRT,
	}
	s, err := tournament.New(plan)
	if err != nil {
		return nil, err
	}
	follow(plan, s, done)
	return placings(plan, s), nil
}

// follow gives a schedule the pairs that were finished.
func follow(plan *arena.Plan, s *tournament.Schedule, done []arena.Finished) {
	type key struct {
		pairing   [2]string
		pair, leg int
	}
	games := map[key]*arena.Finished{}
	for i := range done {
		f := &done[i]
		games[key{f.Pairing, f.Pair, f.Leg}] = f
	}
	for {
		place, p, state := s.Next()
		if state != tournament.Ready {
			return
		}
		var result tournament.Result
		for _, leg := range p.Legs() {
			pairing := [2]string{plan.Engines[p.A].Name, plan.Engines[p.B].Name}
			f, winner, blamed := games[key{pairing, p.Number, leg}], 0, 0
			if f != nil {
				winner, blamed = f.Winner, f.Blamed
			} else if f = games[key{[2]string{pairing[1], pairing[0]}, p.Number, 1 - leg}]; f != nil {
				winner, blamed = turned(f.Winner), turned(f.Blamed)
			} else {
				break
			}
			result.Games = append(result.Games, tournament.Game{Winner: winner, Blamed: blamed, Same: f.Sameness})
		}
		if len(result.Games) == len(p.Legs()) {
			s.Finish(place, result)
		}
	}
}

// turned is a place in a pairing that is named the other way round.
func turned(i int) int {
	if i < 0 {
		return i
	}
	return 1 - i
}

package session

import (
	"thera/arena"
	"thera/arena/tournament"
)

// jobs makes the jobs of pairs, with their identities and openings.
type jobs struct {
	plan *arena.Plan
	ids  map[[2]string]arena.Identity
}

// of are the games that are left of a pair, in the order of its legs, and the identities of all
// its games.
func (j *jobs) of(w *tournament.Work) (left []arena.Job, all []string) {
	p := &w.Pair
	pairing := [2]string{j.plan.Engines[p.A].Name, j.plan.Engines[p.B].Name}
	id, known := j.ids[pairing]
	if !known {
		id = j.plan.Identity(pairing)
		j.ids[pairing] = id
	}
	for _, leg := range p.Legs() {
		all = append(all, id.Job(p.Number, leg))
	}
	start, text := tournament.Choose(j.plan, p.Number, id.Opening(-1))
	for _, leg := range w.Legs {
		left = append(left, arena.Job{
			ID: id.Job(p.Number, leg), Pairing: pairing, Round: p.Round, Pair: p.Number, Leg: leg, Index: w.Index(leg),
			Start: start, Seed: id.Opening(p.Number), Opening: text,
		})
	}
	return left, all
}

package session

import (
	"thera/arena"
	"thera/arena/tournament"
)

// jobs makes the jobs of pairs, with their identities and openings.
type jobs struct {
	plan *arena.Plan
	ids  map[[2]int]arena.Identity
}

func newJobs(plan *arena.Plan) *jobs {
	return &jobs{plan: plan, ids: map[[2]int]arena.Identity{}}
}

// identity makes the identities of a pair's games.
func (j *jobs) identity(p *tournament.Pair) (id arena.Identity, pairing [2]string) {
	pairing = [2]string{j.plan.Engines[p.A].Name, j.plan.Engines[p.B].Name}
	id, ok := j.ids[[2]int{p.A, p.B}]
	if !ok {
		id = j.plan.Identity(pairing)
		j.ids[[2]int{p.A, p.B}] = id
	}
	return id, pairing
}

// pair are the identities of a pair's games.
func (j *jobs) pair(p *tournament.Pair) (ids []string) {
	id, _ := j.identity(p)
	for _, leg := range p.Legs() {
		ids = append(ids, id.Job(p.Number, leg))
	}
	return ids
}

// of are the games that are left of a pair, in the order of its legs.
func (j *jobs) of(w *tournament.Work) []arena.Job {
	p := &w.Pair
	id, pairing := j.identity(p)
	start, text := tournament.Choose(j.plan, p.Number, id.Opening(-1))
	var out []arena.Job
	for _, leg := range w.Legs {
		out = append(out, arena.Job{
			ID: id.Job(p.Number, leg), Pairing: pairing, Round: p.Round, Pair: p.Number, Leg: leg, Index: w.Index(leg),
			Start: start, Seed: id.Opening(p.Number), Opening: text,
		})
	}
	return out
}

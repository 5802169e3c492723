package report

import (
	"thera/arena"
	"thera/arena/rating"
)

// unrate takes out all that says who is stronger. What remains is what was
// played.
func (r *Report) unrate() {
	r.unrated = true
	r.SPRT, r.Earlier = nil, []TestResult{}
	r.los = func(string, string) (float64, bool) { return 0, false }
	list := r.WarningList
	r.WarningList, r.Warnings = []arena.Warning{}, []string{}
	for _, w := range list {
		if w.Kind != arena.WarnRating {
			r.warn(w)
		}
	}
	r.FirstSeat.unrate()
	for i := range r.Engines {
		r.Engines[i].unrate()
	}
	for i := range r.Pairings {
		p := &r.Pairings[i]
		p.unrate()
		p.Nelo, p.NeloError, p.Warnings = nil, nil, []rating.Caveat{}
	}
	for i := range r.Roles {
		r.Roles[i].unrate()
	}
	for i := range r.Matchups {
		r.Matchups[i].unrate()
	}
}

func (s *Score) unrate() {
	s.ScoreError, s.BoundLo, s.BoundHi, s.Elo, s.EloLo, s.EloHi, s.LOS = nil, nil, nil, nil, nil, nil, nil
}

package config

import (
	"strings"

	"thera/arena"
	"thera/arena/tournament"
	"thera/engine/game"
)

// format checks the tournament and fills in the defaults of its format.
func (r *resolver) format(p *arena.Plan) {
	r.ranges(&p.Format)
	if p.Until.EloError < 0 {
		r.bad("until.elo_error", "%v is negative, expected Elo points", p.Until.EloError)
	}
	if len(p.Engines) == 0 && r.given("engines") {
		r.bad("engines", "no engines, expected at least two")
	}
	given := func(path string) bool { return r.given(strings.Split(path, ".")...) }
	tournament.Complete(p, given, r.bad)
}

func (r *resolver) ranges(f *arena.Format) {
	for _, k := range []struct {
		key      string
		value    int
		low, top int
	}{
		{"rounds", f.Rounds, 1, 10_000_000},
		{"pairs_per_match", f.PairsPerMatch, 1, 100_000},
		{"extra", f.Extra, 0, 1000},
	} {
		if r.given("tournament", k.key) && (k.value < k.low || k.value > k.top) && r.clean("tournament."+k.key) {
			r.bad("tournament."+k.key, "%d is out of range, expected %d to %d", k.value, k.low, k.top)
		}
	}
}

// clean reports whether there is no error at path so far.
func (r *resolver) clean(path string) bool {
	for _, p := range r.problems {
		if p.Path == path || strings.HasPrefix(p.Path, path+".") {
			return false
		}
	}
	return true
}

func (r *resolver) adjudication(p *arena.Plan) {
	a := p.Adjudicate
	for _, k := range []struct {
		path  string
		value int
	}{
		{"adjudicate.max_plies", a.MaxPlies},
		{"adjudicate.draw.score", a.DrawScore},
		{"adjudicate.draw.plies", a.DrawPlies},
		{"adjudicate.draw.after", a.DrawAfter},
		{"adjudicate.win.score", a.WinScore},
		{"adjudicate.win.plies", a.WinPlies},
		{"adjudicate.resign.score", a.ResignScore},
		{"adjudicate.resign.movecount", a.ResignMoves},
	} {
		if k.value < 0 {
			r.bad(k.path, "%d is negative, expected 0 or more", k.value)
		}
	}
	if r.given("adjudicate", "draw") && a.DrawPlies == 0 {
		r.bad("adjudicate.draw", "no plies, expected the number of consecutive plies")
	}
	if r.given("adjudicate", "win") && (a.WinPlies == 0 || a.WinScore == 0) {
		r.bad("adjudicate.win", "no plies or no score, expected both")
	}
	if r.given("adjudicate", "resign") && (a.ResignMoves == 0 || a.ResignScore == 0) {
		r.bad("adjudicate.resign", "no movecount or no score, expected both")
	}
	if a.Tables && r.game != nil {
		if _, ok := r.game.(game.Prover); !ok {
			r.bad("adjudicate.tables", "%s has no tables, expected false", r.game.Name())
		}
	}
}

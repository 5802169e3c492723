package config

import (
	"math/bits"
	"slices"
	"strings"

	"thera/arena"
	"thera/engine/game"
)

// defaultSPRTRounds ends a test that its results cannot decide.
const defaultSPRTRounds = 100_000

// format gives the tournament its defaults. Those of rounds, pairs_per_match
// and extra depend on the format; what a format has no use for is refused by
// formatFits and left out.
func (r *resolver) format(p *arena.Plan) {
	f := &p.Format
	if f.Name == "gods" {
		f.Name = "cells"
	}
	r.ranges(f)
	if f.Rounds == 0 {
		switch f.Name {
		case "sprt":
			f.Rounds = defaultSPRTRounds
		case "swiss":
			f.Rounds = bits.Len(uint(max(len(p.Engines)-1, 1)))
		default:
			f.Rounds = 1
		}
	}
	matches := f.Name == "knockout" || f.Name == "swiss"
	if f.PairsPerMatch != 0 && !matches {
		r.bad("tournament.pairs_per_match", "pairs_per_match is for knockout and swiss, expected rounds for %s", f.Name)
	}
	if f.Extra != 0 && f.Name != "knockout" {
		r.bad("tournament.extra", "extra is for knockout, expected none for %s", f.Name)
	}
	if matches {
		f.PairsPerMatch = max(f.PairsPerMatch, 1)
	}
	if f.Name == "knockout" && !r.given("tournament", "extra") {
		f.Extra = 8
	}
}

// formatFits refuses combinations that make no tournament.
func (r *resolver) formatFits(p *arena.Plan) {
	n, name := len(p.Engines), p.Format.Name
	switch {
	case n == 0:
		if r.given("engines") {
			r.bad("engines", "no engines, expected at least two")
		}
		return
	case n == 1 && name != "cells":
		r.bad("engines", "one engine, expected at least two (format cells plays one against itself)")
		return
	}
	if name == "knockout" && r.given("tournament", "rounds") {
		r.bad("tournament.rounds", "a knockout has the rounds that its engines need, expected pairs_per_match")
	}
	if !p.Format.Pairs && (name == "sprt" || name == "swiss" || name == "knockout") {
		r.bad("tournament.pairs", "%s counts pairs of games from one opening, expected pairs: true", name)
	}
	switch name {
	case "sprt":
		r.sprtFits(p.SPRT, n)
	case "swiss":
		if most := n - 1 + n%2; p.Format.Rounds > most {
			r.bad("tournament.rounds", "%d rounds of Swiss among %d engines cannot be paired without a rematch, expected at most %d (round-robin plays all pairings)", p.Format.Rounds, n, most)
		}
	case "gauntlet":
		seeds := 0
		for _, e := range p.Engines {
			if e.Seed {
				seeds++
			}
		}
		if seeds == n {
			r.bad("tournament", "every engine is a seed, expected one that is not (round-robin lets all play all)")
		}
	}
	r.seedsFit(p)
	if name != "sprt" && r.given("sprt") {
		r.bad("sprt", "bounds of a test without tournament: {format: sprt}, expected that format or no sprt")
	}
	r.untilFits(p)
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

// clean tells whether nothing was reported at path yet.
func (r *resolver) clean(path string) bool {
	for _, p := range r.problems {
		if p.Path == path || strings.HasPrefix(p.Path, path+".") {
			return false
		}
	}
	return true
}

func (r *resolver) sprtFits(s arena.SPRT, n int) {
	if n != 2 {
		r.bad("engines", "sprt with %d engines, expected two: the new one, then the old one (gauntlet measures one against many)", n)
	}
	if s.Elo0 >= s.Elo1 {
		r.bad("sprt", "elo0 %v is not below elo1 %v, expected H0 to be the weaker claim", s.Elo0, s.Elo1)
	}
	for _, e := range []struct {
		key   string
		value float64
	}{{"elo0", s.Elo0}, {"elo1", s.Elo1}} {
		if e.value < -1000 || e.value > 1000 {
			r.bad("sprt."+e.key, "%v is out of range, expected -1000 to 1000", e.value)
		}
	}
	for _, e := range []struct {
		key   string
		value float64
	}{{"alpha", s.Alpha}, {"beta", s.Beta}} {
		if !(e.value > 0 && e.value < 0.5) {
			r.bad("sprt."+e.key, "%v is no error rate, expected more than 0 and less than 0.5", e.value)
		}
	}
	if s.Model == "bayesian" {
		r.bad("sprt.model", "bayesian counts single games and this test counts pairs, expected normalized or logistic (thera elo takes single games)")
	}
}

func (r *resolver) seedsFit(p *arena.Plan) {
	name := p.Format.Name
	if name == "gauntlet" {
		return
	}
	if len(p.Format.Seeds) > 0 {
		r.bad("tournament.seeds", "seeds are for gauntlet, expected none for %s", name)
	}
	for i, e := range p.Engines {
		if e.Seed && !slices.Contains(p.Format.Seeds, e.Name) {
			r.bad(pathOf(i, "seed"), "seeds are for gauntlet, expected none for %s", name)
		}
	}
}

func (r *resolver) untilFits(p *arena.Plan) {
	if p.Until.EloError < 0 {
		r.bad("until.elo_error", "%v is negative, expected Elo points", p.Until.EloError)
	}
	name := p.Format.Name
	if p.Until == (arena.Until{}) {
		return
	}
	switch name {
	case "round-robin", "gauntlet":
	case "cells":
		if p.Until.EloError > 0 {
			r.bad("until.elo_error", "cells are measured by score, expected score_error")
		}
	default:
		r.bad("until", "%s ends by itself, expected no until (it is for round-robin, gauntlet and cells)", name)
	}
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
	} {
		if k.value < 0 {
			r.bad(k.path, "%d is negative, expected 0 or more", k.value)
		}
	}
	if r.given("adjudicate", "draw") && a.DrawPlies == 0 {
		r.bad("adjudicate.draw", "no plies, expected over how many plies running both scores must say so")
	}
	if r.given("adjudicate", "win") && (a.WinPlies == 0 || a.WinScore == 0) {
		r.bad("adjudicate.win", "no plies or no score, expected both")
	}
	if a.Tables && r.game != nil {
		if _, ok := r.game.(game.Prover); !ok {
			r.bad("adjudicate.tables", "%s has no tables, expected false", r.game.Name())
		}
	}
}

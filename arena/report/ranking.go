package report

import (
	"fmt"

	"thera/arena"
	"thera/arena/rating"
)

// rank rates the engines jointly and fills in the ranking.
func (r *Report) rank(sum *arena.Summary) error {
	totals := map[string]*engineTotal{}
	var names []string
	for i := range sum.Engines {
		e := &sum.Engines[i]
		totals[e.Name] = &engineTotal{spec: e}
		names = append(names, e.Name)
	}
	for i := range sum.Rows {
		row := &sum.Rows[i]
		for side, name := range row.Pairing {
			t := totals[name]
			if t == nil {
				return fmt.Errorf("report of run %s: games of %s, which is not one of its engines", sum.Run.Name, name)
			}
			t.add(row, side)
		}
	}
	table, err := fit(sum)
	if err != nil {
		return err
	}
	r.warnRating("", table.Caveats)
	r.los = func(a, b string) (float64, bool) {
		i, ok := table.Find(a)
		j, found := table.Find(b)
		if !ok || !found {
			return 0, false
		}
		return table.LOS(i, j)
	}
	ranked := map[string]bool{}
	for _, i := range table.Ranking() {
		p := &table.Players[i]
		r.stand(p.Name, p, totals[p.Name])
		ranked[p.Name] = true
	}
	for _, name := range names {
		if !ranked[name] { // has not played, or only against itself
			r.stand(name, nil, totals[name])
		}
	}
	return nil
}

// fit rates the run's engines jointly.
func fit(sum *arena.Summary) (*rating.Ratings, error) {
	anchors := map[string]float64{}
	for _, e := range sum.Engines {
		if e.Anchor != nil {
			anchors[e.Name] = *e.Anchor
		}
	}
	table, err := rating.Fit(engineResults(sum), rating.Options{Anchors: anchors})
	if err != nil {
		return nil, fmt.Errorf("rating run %s: %w", sum.Run.Name, err)
	}
	return table, nil
}

// engineTotal is the sum of one engine's rows.
type engineTotal struct {
	spec  *arena.EngineSpec
	tally arena.Tally // from its view: Sides[0] is this engine
	seats [2]rating.WDL
}

func (t *engineTotal) add(row *arena.Row, side int) {
	tally := row.Tally
	if side == 1 {
		tally = tally.Swapped()
		if row.Pairing[0] == row.Pairing[1] { // its games are counted already
			t.tally.Sides[0].Add(&tally.Sides[0])
			return
		}
	}
	t.tally.Add(&tally)
	seat := (side + row.Leg) % 2
	t.seats[seat] = t.seats[seat].Add(wdl(tally.Games))
}

func (r *Report) stand(name string, p *rating.Rating, t *engineTotal) {
	s := EngineRow{
		Rank: len(r.Engines) + 1, Name: name, Score: scoreOf(counts(&t.tally), rating.Estimate{}),
		First: t.seats[0], Second: t.seats[1],
		Averages: averagesOf(&t.tally.Sides[0]), Faults: t.tally.Sides[0].Failed,
		Own:     ownOf(&t.tally),
		Command: t.spec.Command, Options: map[string]string{}, Binary: t.spec.Binary,
	}
	if s.Command == nil {
		s.Command = []string{}
	}
	for _, o := range t.spec.Options {
		s.Options[o.Name] = o.Value
	}
	s.Pairs = pairsOf(&t.tally)
	s.Half = t.tally.Half()
	if p != nil {
		s.Elo, s.EloLo, s.EloHi = p.Elo, p.EloLo, p.EloHi
		s.ScoreError, s.BoundLo, s.BoundHi = p.ScoreError, p.BoundLo, p.BoundHi
	}
	r.Engines = append(r.Engines, s)
}

// pairsOf returns the finished pairs, nil if there are none.
func pairsOf(t *arena.Tally) *[5]int {
	if t.Pairs == ([5]int{}) {
		return nil
	}
	pairs := t.Pairs
	return &pairs
}

// pair fills in the pairings.
func (r *Report) pair(sum *arena.Summary) {
	for _, p := range pairingTallies(sum) {
		if p.self() {
			continue
		}
		c := counts(&p.tally)
		s := c.Estimate()
		row := PairingRow{
			Engines: p.engines, Score: scoreOf(c, s),
			Nelo: s.Nelo, NeloError: s.NeloError, DrawRatio: s.DrawRatio, PairsRatio: s.PairsRatio,
			MeanPlies: ratio(float64(p.tally.Plies), float64(p.tally.Total())),
			Own:       ownOf(&p.tally),
			Warnings:  orEmpty(s.Caveats),
		}
		row.Pairs, row.Half = pairsOf(&p.tally), p.tally.Half()
		r.Pairings = append(r.Pairings, row)
	}
}

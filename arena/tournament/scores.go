package tournament

import (
	"thera/arena"
	"thera/arena/rating"
)

// scores collects the results of all pairings for ratings.
type scores struct {
	engines []arena.EngineSpec
	at      map[[2]string]int
	results []rating.Meeting
}

func newScores(engines []arena.EngineSpec) scores {
	return scores{engines: engines, at: map[[2]string]int{}}
}

// of returns the results of a pairing, named in the plan's order.
func (s *scores) of(pairing [2]string) *rating.Meeting {
	i, ok := s.at[pairing]
	if !ok {
		i = len(s.results)
		s.at[pairing] = i
		s.results = append(s.results, rating.Meeting{A: pairing[0], B: pairing[1]})
	}
	return &s.results[i]
}

// pairing returns the results of two engines by place, empty if they have not
// met.
func (s *scores) pairing(a, b int) *rating.Meeting {
	if i, ok := s.at[[2]string{s.engines[a].Name, s.engines[b].Name}]; ok {
		return &s.results[i]
	}
	return &rating.Meeting{}
}

// fit rates all engines jointly.
func (s *scores) fit() (*rating.Ratings, error) {
	anchors := map[string]float64{}
	for _, e := range s.engines {
		if e.Anchor != nil {
			anchors[e.Name] = *e.Anchor
		}
	}
	return rating.Fit(s.results, rating.Options{Anchors: anchors})
}

// scoresOf returns the scores of a summary.
func scoresOf(sum *arena.Summary) scores {
	s := newScores(sum.Engines)
	for i := range sum.Rows {
		row := &sum.Rows[i]
		if row.Pairing[0] == row.Pairing[1] {
			continue
		}
		one := s.of(row.Pairing)
		one.Games, one.Singles = one.Games.Add(wdl(row.Games)), one.Singles.Add(wdl(row.Singles))
		for k, n := range row.Pairs {
			one.Pairs[k] += int64(n)
		}
	}
	return s
}

func wdl(n [3]int) rating.WDL {
	return rating.WDL{Wins: int64(n[0]), Draws: int64(n[1]), Losses: int64(n[2])}
}

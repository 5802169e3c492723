package tournament

import (
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// standing is how the run stands now, for its course.
func (f *figures) standing() arena.ScoreSample {
	n := len(f.engines)
	s := arena.ScoreSample{Points: make([]float64, n), Played: make([]int, n)}
	var first rating.Counts // of a run of two engines
	for k, row := range f.rows {
		if !f.living(int(k.a), int(k.b)) {
			continue
		}
		if s.Games += row.Total(); k.a == k.b {
			continue
		}
		s.Points[k.a] += row.Games.Points()
		s.Points[k.b] += row.Games.Flip().Points()
		s.Played[k.a] += row.Total()
		s.Played[k.b] += row.Total()
		first = first.Add(row.Counts)
	}
	if n != 2 {
		return s
	}
	e := first.Estimate()
	s.Lo, s.Hi = e.BoundLo, e.BoundHi
	if e.Score != nil && e.ScoreError != nil {
		lo, hi := *e.Score-*e.ScoreError, *e.Score+*e.ScoreError
		s.Lo, s.Hi = &lo, &hi
	}
	return s
}

// samples are states after a number of games or pairs. It keeps every nth, and twice as
// many are dropped each time that there are too many.
type samples[T any] struct {
	list  []T
	last  int // the number at the last one
	every int
}

func (s *samples[T]) add(at int, state func() T) {
	if len(s.list) > 0 && at-s.last < s.every {
		return
	}
	s.list, s.last = append(s.list, state()), at
	if n := len(s.list); n >= 2*arena.CourseSize {
		thin := s.list[:0]
		for i := 1 - n%2; i < n; i += 2 { // the last one stays
			thin = append(thin, s.list[i])
		}
		s.list, s.every = thin, 2*max(1, s.every)
	}
}

// upTo returns the samples and the last state.
func (s *samples[T]) upTo(at int, state func() T) []T {
	out := slices.Clone(s.list)
	if at > 0 && (len(out) == 0 || s.last < at) {
		out = append(out, state())
	}
	return out
}

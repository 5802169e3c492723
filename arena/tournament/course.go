package tournament

import (
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// standing is how a run of two engines stands now, for its course.
func (f *figures) standing() arena.ScoreSample {
	var first rating.Counts
	for k, row := range f.rows {
		if k.a != k.b && f.living(k.a, k.b) {
			first = first.Add(row.Counts)
		}
	}
	s, e := arena.ScoreSample{Games: int(first.Games.Games())}, first.Estimate()
	if e.Score != nil {
		s.Score, s.Lo, s.Hi = *e.Score, *e.BoundLo, *e.BoundHi
		if e.ScoreError != nil {
			s.Lo, s.Hi = s.Score-*e.ScoreError, s.Score+*e.ScoreError
		}
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

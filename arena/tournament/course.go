package tournament

import (
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// progress collects an arena.Course while games are counted.
type progress struct {
	arena.Course
	scores samples[arena.ScoreSample]
	now    arena.ScoreSample
	pairs  rating.Counts // of a run of two engines, from the first one's view
}

func newProgress(engines int) progress {
	return progress{
		now: arena.ScoreSample{Points: make([]float64, engines), Played: make([]int, engines)},
	}
}

func (c *progress) clone() progress {
	n := *c
	n.Course, n.now, n.scores.list = c.Course.Clone(), cloned(c.now), slices.Clone(c.scores.list)
	return n
}

func cloned(s arena.ScoreSample) arena.ScoreSample {
	s.Points, s.Played = slices.Clone(s.Points), slices.Clone(s.Played)
	return s
}

// add adds the games of a pair that counts.
func (c *progress) add(s *slot) {
	for _, game := range s.games {
		if game == nil {
			continue
		}
		c.now.Games++
		if s.a == s.b {
			continue
		}
		one := arena.One(game.Winner())
		c.now.Points[s.a] += one.Points()
		c.now.Points[s.b] += 1 - one.Points()
		c.now.Played[s.a]++
		c.now.Played[s.b]++
		c.pairs.Games = c.pairs.Games.Add(one)
		if s.Single > 0 {
			c.pairs.Singles = c.pairs.Singles.Add(one)
		}
	}
	if s.games[0] != nil && s.games[1] != nil {
		c.pairs.Pairs = c.pairs.Pairs.Add(arena.PairOf([2]int{s.games[0].Winner(), s.games[1].Winner()}))
	}
	c.scores.add(c.now.Games, c.state)
}

// total returns the course up to now.
func (c *progress) total() arena.Course {
	out := c.Course.Clone()
	out.Scores = c.scores.upTo(c.now.Games, c.state)
	return out
}

// state is how the run stands now.
func (c *progress) state() arena.ScoreSample {
	s := cloned(c.now)
	if len(s.Points) != 2 {
		return s
	}
	e := c.pairs.Estimate()
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

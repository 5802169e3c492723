package tournament

import (
	"math"
	"slices"
	"time"

	"thera/arena"
	"thera/arena/rating"
)

// progress collects an arena.Course while games are counted. It keeps every nth
// sample, and twice as many are dropped each time that there are too many.
type progress struct {
	arena.Course
	now   arena.ScoreSample
	pairs rating.Counts // of a run of two engines, from the first one's view
	every int           // games between two samples
}

func newProgress(engines int) progress {
	return progress{
		Course: arena.Course{Times: make([][]int, engines)},
		now:    arena.ScoreSample{Points: make([]float64, engines), Played: make([]int, engines)},
		every:  1,
	}
}

func (c *progress) clone() progress {
	return progress{Course: c.Course.Clone(), now: cloned(c.now), pairs: c.pairs, every: c.every}
}

func cloned(s arena.ScoreSample) arena.ScoreSample {
	s.Points, s.Played = slices.Clone(s.Points), slices.Clone(s.Played)
	return s
}

// game adds a game of two engines by place.
func (c *progress) game(a, b int32, game *arena.Finished, single bool) {
	c.Lengths = count(c.Lengths, min(game.Plies, arena.LongestGame))
	c.time(a, &game.Sides[0])
	c.time(b, &game.Sides[1])
	c.now.Games++
	if a == b {
		return
	}
	one := arena.One(game.Winner)
	c.now.Points[a] += one.Points()
	c.now.Points[b] += 1 - one.Points()
	c.now.Played[a]++
	c.now.Played[b]++
	c.pairs.Games = c.pairs.Games.Add(one)
	if single {
		c.pairs.Singles = c.pairs.Singles.Add(one)
	}
}

// pair adds what a finished pair means for the error bars of two engines.
func (c *progress) pair(winners [2]int) {
	c.pairs.Pairs = c.pairs.Pairs.Add(arena.PairOf(winners))
}

// sample keeps how the run stands.
func (c *progress) sample() {
	if n := len(c.Scores); n > 0 && c.now.Games-c.Scores[n-1].Games < c.every {
		return
	}
	c.Scores = append(c.Scores, c.state())
	if len(c.Scores) >= 2*arena.CourseSize {
		c.Scores = thinned(c.Scores)
		c.every *= 2
	}
}

// total returns the course up to now.
func (c *progress) total() arena.Course {
	out := c.Course.Clone()
	if n := len(out.Scores); c.now.Games > 0 && (n == 0 || out.Scores[n-1].Games < c.now.Games) {
		out.Scores = append(out.Scores, c.state())
	}
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

func (c *progress) time(engine int32, e *arena.Effort) {
	if e.Moves > 0 {
		c.Times[engine] = count(c.Times[engine], arena.TimeBucket(e.Wall/time.Duration(e.Moves)))
	}
}

// count adds one to an entry of a list that grows.
func count(list []int, at int) []int {
	if at >= len(list) {
		list = append(list, make([]int, at+1-len(list))...)
	}
	list[at]++
	return list
}

// thinned returns every other sample, the last among them.
func thinned[T any](samples []T) []T {
	out := make([]T, 0, len(samples))
	for i := 1 - len(samples)%2; i < len(samples); i += 2 {
		out = append(out, samples[i])
	}
	return out
}

// llrCourse is the course of one sequential test.
type llrCourse struct {
	samples []arena.LLRSample
	every   int
}

func (c *llrCourse) add(pairs int, llr float64) {
	if math.IsNaN(llr) || math.IsInf(llr, 0) {
		return
	}
	if n := len(c.samples); n > 0 && pairs-c.samples[n-1].Pairs < c.every {
		return
	}
	c.samples = append(c.samples, arena.LLRSample{Pairs: pairs, LLR: llr})
	if len(c.samples) >= 2*arena.CourseSize {
		c.samples = thinned(c.samples)
		c.every = max(1, c.every) * 2
	}
}

// upTo returns the samples and the last state.
func (c *llrCourse) upTo(pairs int, llr float64) []arena.LLRSample {
	out := slices.Clone(c.samples)
	if n := len(out); pairs > 0 && (n == 0 || out[n-1].Pairs < pairs) && !math.IsNaN(llr) && !math.IsInf(llr, 0) {
		out = append(out, arena.LLRSample{Pairs: pairs, LLR: llr})
	}
	return out
}

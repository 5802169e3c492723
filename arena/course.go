package arena

import (
	"math"
	"slices"
	"time"
)

// CourseSize is about how many samples of a run's course are kept: a plot shows
// no more, and a run of a million games costs no more than one of a thousand.
const CourseSize = 256

// Course is how a run went over its games in job order, and how its games and
// moves were spread. Only games that count are in it.
type Course struct {
	Scores  []ScoreSample `json:"scores"`
	LLR     []LLRSample   `json:"llr"`     // of the run's own sequential test; empty for other formats
	Lengths []int         `json:"lengths"` // games by their number of turns; the last entry has all longer ones
	Times   [][]int       `json:"times"`   // by engine: games by its mean time a move, see TimeOf
}

// ScoreSample is where the engines stood after a number of games.
type ScoreSample struct {
	Games  int       `json:"games"`
	Points []float64 `json:"points"` // by engine, in the plan's order
	Played []int     `json:"played"` // games of each
	// Of a run of two engines: the 95 % bounds of the first one's score.
	Lo *float64 `json:"lo"`
	Hi *float64 `json:"hi"`
}

// LLRSample is the log-likelihood ratio after a number of pairs.
type LLRSample struct {
	Pairs int     `json:"pairs"`
	LLR   float64 `json:"llr"`
}

// LongestGame is the last entry of Course.Lengths.
const LongestGame = 1000

// Clone returns a copy that shares nothing that changes.
func (c *Course) Clone() Course {
	out := Course{Scores: slices.Clone(c.Scores), LLR: slices.Clone(c.LLR), Lengths: slices.Clone(c.Lengths)}
	for _, engine := range c.Times {
		out.Times = append(out.Times, slices.Clone(engine))
	}
	return out
}

// Times are counted in buckets, four to each doubling: bucket n begins at
// TimeOf(n).
const (
	shortest    = time.Microsecond
	longestTime = 4 * 34 // about five hours
)

// TimeBucket returns the bucket of a time.
func TimeBucket(d time.Duration) int {
	if d <= shortest {
		return 0
	}
	return min(int(4*math.Log2(float64(d)/float64(shortest))), longestTime)
}

// TimeOf returns where a bucket begins.
func TimeOf(bucket int) time.Duration {
	return time.Duration(float64(shortest) * math.Pow(2, float64(bucket)/4))
}

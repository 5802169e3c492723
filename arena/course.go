package arena

// CourseSize is about how many samples of a run's course are kept: a plot shows
// no more, and a run of a million games costs no more than one of a thousand.
const CourseSize = 256

// Course is how a run went over its games in job order. Only games that count are in it.
type Course struct {
	Scores []ScoreSample `json:"scores"`
	LLR    []LLRSample   `json:"llr"` // of the run's own sequential test; empty for other formats
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

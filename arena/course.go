package arena

// CourseSize is about how many samples of a run's course are kept: a plot shows
// no more, and a run of a million games costs no more than one of a thousand.
const CourseSize = 256

// Course is how a run went over its games in job order. Only games that count are in it.
type Course struct {
	Scores []ScoreSample `json:"scores"` // of a run of two engines
	LLR    []LLRSample   `json:"llr"`    // of the run's own sequential test; empty for other formats
}

// ScoreSample is the first engine's score after a number of games, with its 95 % bounds.
type ScoreSample struct {
	Games int     `json:"games"`
	Score float64 `json:"score"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// LLRSample is the log-likelihood ratio after a number of pairs.
type LLRSample struct {
	Pairs int     `json:"pairs"`
	LLR   float64 `json:"llr"`
}

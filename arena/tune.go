package arena

import "strconv"

// Tune says how options of an engine are tuned. Its tags are those of Plan.
type Tune struct {
	Iterations int          `yaml:"iterations" required:"true" range:"1 to 1000000" condition:"no" doc:"steps of the search"`
	Pairs      int          `yaml:"pairs" default:"8" range:"1 to 100000" condition:"no" doc:"pairs of games in each step, whatever the concurrency"`
	Options    []TuneOption `yaml:"options" required:"true" condition:"no" doc:"what is tuned"`
}

// TuneOption is one option that is tuned.
type TuneOption struct {
	Name  string  `yaml:"name" required:"true" condition:"no" doc:"as the engine calls it"`
	Start float64 `yaml:"start" required:"true" condition:"no" doc:"the first value"`
	Min   float64 `yaml:"min" required:"true" condition:"no" doc:"no value below this is tried"`
	Max   float64 `yaml:"max" required:"true" condition:"no" doc:"no value above this is tried"`
	CEnd  float64 `yaml:"c_end" required:"true" range:"more than 0" condition:"no" doc:"the last values that are tried are this far above and below: enough for some Elo"`
	REnd  float64 `yaml:"r_end" default:"0.002" range:"more than 0" condition:"no" doc:"the last step for each game that one of them is ahead, in units of c_end"`

	Fractions bool `yaml:"fractions" condition:"no" doc:"values may have fractions; else they are rounded up or down at random, so that they are right on average"`
}

// Text writes a value as the engine gets it.
func (o *TuneOption) Text(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

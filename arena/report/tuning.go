package report

import (
	"fmt"
	"io"
	"strings"

	"thera/arena"
)

// Tuning is the answer to which values of an engine's options are best.
type Tuning struct {
	File       string        `json:"file"`
	Game       string        `json:"game"`
	Limit      string        `json:"limit"`
	Iterations int           `json:"iterations"` // steps so far
	Planned    int           `json:"iterations_planned"`
	Games      int           `json:"games"`
	Options    []TunedOption `json:"options"`
	Passed     bool          `json:"passed"` // the tuned values are better than the old ones
	Test       *VerdictStage `json:"test"`   // of tuned against old; null if they are equal, or before the last step
	Warnings   []string      `json:"warnings"`
}

// TunedOption is one option.
type TunedOption struct {
	Name   string    `json:"name"`
	Start  float64   `json:"start"`
	Value  float64   `json:"value"`  // tuned, as the engine gets it
	Path   []float64 `json:"path"`   // before each step, and after the last one
	Spread []float64 `json:"spread"` // how far above and below the path each step tried
	Text   string    `json:"-"`      // Value as the engine gets it
}

// Write writes the values and the test.
func (t *Tuning) Write(w io.Writer, form Format) error {
	p := &prose{w: w, form: form}
	p.say(t.sentence())
	p.table(tableOf("", t.Options, func(l *line, o *TunedOption) {
		l.word("Option", "", o.Name)
		l.count("Start", "", o.Start)
		l.count("Tuned", "", o.Text)
	}))
	if t.Test != nil {
		p.table((&Verdict{Stages: []VerdictStage{*t.Test}}).table())
	}
	p.list(t.Warnings)
	return p.err
}

func (t *Tuning) sentence() string {
	var words []string
	for _, o := range t.Options {
		words = append(words, o.Name+" "+o.Text)
	}
	values := strings.Join(words, ", ")
	switch played := fmt.Sprintf("%s of %s", arena.Plural(t.Iterations, "step"), games(t.Games)); {
	case t.Iterations < t.Planned:
		return fmt.Sprintf("%s of %d steps: %s.", played, t.Planned, values)
	case t.Test == nil:
		return fmt.Sprintf("%s is what it was, after %s.", values, played)
	case t.Passed:
		return fmt.Sprintf("%s is better than before: H1 is accepted, after %s.", values, played)
	default:
		return fmt.Sprintf("%s is not better than before, as far as the test shows, after %s.", values, played)
	}
}

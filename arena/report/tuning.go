package report

import (
	"fmt"
	"io"
	"strings"

	"thera/arena"
	"thera/arena/spsa"
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
	Name      string    `json:"name"`
	Start     float64   `json:"start"`
	Value     float64   `json:"value"`      // tuned, as the engine gets it
	Optimum   *float64  `json:"optimum"`    // by all games; null unless they show that the strength is lower on both sides
	OptimumLo *float64  `json:"optimum_lo"` // 95 %
	OptimumHi *float64  `json:"optimum_hi"`
	Path      []float64 `json:"path"`   // before each step, and after the last one
	Spread    []float64 `json:"spread"` // how far above and below the path each step tried

	text string
}

// NewTuning describes where a search is.
func NewTuning(plan *arena.Plan, tune *arena.Tune, s *spsa.Search, games int) *Tuning {
	t := &Tuning{
		File: plan.File, Game: plan.Game.Name(), Limit: plan.Limit.Text(), Iterations: s.Steps(), Planned: tune.Iterations, Games: games, Warnings: []string{},
	}
	optima, values := s.Optima(), s.Tuned()
	for i := range tune.Options {
		o := TunedOption{Name: tune.Options[i].Name, Start: tune.Options[i].Start, Value: values[i], text: tune.Options[i].Text(values[i]), Spread: []float64{}}
		for step, at := range s.Path() {
			if o.Path = append(o.Path, at[i]); step < s.Steps() {
				o.Spread = append(o.Spread, s.Distance(i, step))
			}
		}
		if best := optima[i]; best != nil {
			o.Optimum, o.OptimumLo, o.OptimumHi = &best.Value, &best.Lo, &best.Hi
		} else {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s: the games do not show where it is best", o.Name))
		}
		t.Options = append(t.Options, o)
	}
	return t
}

// Take adds the only stage of a verdict: the test of tuned against old.
func (t *Tuning) Take(v *Verdict) {
	t.Test, t.Passed = &v.Stages[0], v.Passed
	t.Warnings = append(t.Warnings, v.Warnings...)
}

// Write writes the values and the test.
func (t *Tuning) Write(w io.Writer, form Format) error {
	safe := Printable
	if form == Markdown {
		safe = markdown
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", safe(t.sentence()))
	values := tableOf("", t.Options, []column[TunedOption]{
		{head: "Option", kind: words, cell: func(o *TunedOption) Cell { return text(o.Name) }},
		{head: "Start", cell: func(o *TunedOption) Cell { return text(fmt.Sprintf("%g", o.Start)) }},
		{head: "Tuned", cell: func(o *TunedOption) Cell { return text(o.text) }},
		{head: "Best at", cell: func(o *TunedOption) Cell { return text(digits(o.Optimum)) }},
		{head: "95 % from", cell: func(o *TunedOption) Cell { return text(digits(o.OptimumLo)) }},
		{head: "to", cell: func(o *TunedOption) Cell { return text(digits(o.OptimumHi)) }},
	})
	if err := values.Write(&b, form); err != nil {
		return err
	}
	if t.Test != nil {
		b.WriteString("\n")
		if err := (&Verdict{Stages: []VerdictStage{*t.Test}}).table().Write(&b, form); err != nil {
			return err
		}
	}
	for i, text := range t.Warnings {
		bullet := ""
		if form == Markdown {
			bullet = "- "
		}
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s%s\n", bullet, safe(text))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// digits shows four digits.
func digits(x *float64) string {
	if x == nil {
		return none
	}
	return fmt.Sprintf("%.4g", *x)
}

func (t *Tuning) sentence() string {
	var words []string
	for _, o := range t.Options {
		words = append(words, o.Name+" "+o.text)
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

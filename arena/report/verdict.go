package report

import (
	"fmt"
	"io"
	"strings"

	"thera/arena"
)

// Verdict is the answer to whether one version of an engine may replace another.
type Verdict struct {
	Width int `json:"-"` // columns of a line of the terminal form; 0: no limit
	// Verdict is H1, H0, undecided, faults, "stronger by nodes, slower" or "no functional change".
	Verdict  string         `json:"verdict"`
	Passed   bool           `json:"passed"`
	Sentence string         `json:"sentence"`
	Head     VersionOf      `json:"head"`
	Base     VersionOf      `json:"base"`
	Stages   []VerdictStage `json:"stages"` // those that were played
	Planned  int            `json:"stages_planned"`
	Slow     bool           `json:"allow_slower,omitempty"` // fewer nodes a second are allowed
	Warnings []string       `json:"warnings"`
}

// VersionOf is a commit.
type VersionOf struct {
	Commit    string `json:"commit"`
	Subject   string `json:"subject"`
	Signature string `json:"signature,omitempty"` // what bench printed
	Announced string `json:"announced,omitempty"` // what the commit message says
	Dirty     int    `json:"dirty,omitempty"`     // changed files that are not in the commit
}

// VerdictStage is one test of a verdict, from the view of the head.
type VerdictStage struct {
	Run   string `json:"run"`
	Game  string `json:"game"`
	Limit string `json:"limit"`
	arena.Score
	Test   arena.TestState `json:"sprt"`
	Speed  *float64        `json:"speed"`  // nodes a second, as a ratio to the base
	Slower bool            `json:"slower"` // ... which is below 0.9, and not by noise
	Faults [2]int          `json:"faults"`
}

// Write writes the verdict as text or Markdown.
func (v *Verdict) Write(w io.Writer, form Format) error {
	p := &prose{w: w, form: form, width: v.Width}
	if form == Markdown {
		p.print("### Thera: " + v.Verdict + "\n\n")
	}
	p.say(v.Sentence)
	if len(v.Stages) > 0 {
		p.table(v.table())
	}
	if n := len(v.Stages); n > 0 && n < v.Planned {
		p.print(fmt.Sprintf("\n%d of %s played\n", n, arena.Plural(v.Planned, "stage")))
	}
	p.list(v.Warnings)
	if sig := v.Head.Signature; sig != "" && sig != v.Base.Signature {
		p.print("\n")
		p.say(fmt.Sprintf("signature %s, that of the base is %s", sig, v.Base.Signature))
	}
	return p.err
}

// table has one row for each stage.
func (v *Verdict) table() *Table {
	return tableOf("", v.Stages, func(l *line, s *VerdictStage) {
		l.word("Limit", "", s.Limit)
		l.word("Decision", "", s.Test.Decision)
		l.figure("LLR", "", llr(&s.Test), func(x *float64) string { return fixed(x, 2) })
		l.count("Games", "", s.Games)
		l.count("W-D-L", "", record(s.WDL))
		l.count("Pairs 0-½-1-1½-2", "", pairsText(s.Pairs)).Drop = 1
		elo, lo, hi := s.elo()
		l.figure("Elo", "", elo, signed)
		l.count("± 95 %", "", bar(elo, lo, hi))
		l.figure("Nodes/s", "", s.Speed, func(x *float64) string { return fixed(x, 2) })
	})
}

// elo is the median-unbiased one of a test that decided.
func (s *VerdictStage) elo() (elo, lo, hi *float64) {
	if s.Test.MedianElo != nil {
		return s.Test.MedianElo, s.Test.MedianEloLo, s.Test.MedianEloHi
	}
	return s.Elo, s.EloLo, s.EloHi
}

// Bisection is the answer to which commit changed the strength of an engine.
type Bisection struct {
	Width       int         `json:"-"`      // columns of a line of the terminal form; 0: no limit
	Commit      string      `json:"commit"` // "" if no commit is likely enough
	Subject     string      `json:"subject,omitempty"`
	Probability float64     `json:"probability"` // of the most likely commit
	Elo         *float64    `json:"elo"`         // what the step changed
	EloLo       *float64    `json:"elo_lo"`
	EloHi       *float64    `json:"elo_hi"`
	Games       int         `json:"games"`
	Unbuilt     []string    `json:"unbuilt"` // commits that Commit may stand for: they could not be built
	Commits     []BisectRow `json:"commits"` // the line, the oldest first
}

// BisectRow is one commit of the line.
type BisectRow struct {
	Commit  string `json:"commit"`
	Subject string `json:"subject"`
	Games   int    `json:"games"`
	// That the step is here; nil for the first commit and where it was not built.
	Probability *float64 `json:"probability"`
	Elo         *float64 `json:"elo"` // relative to the first commit
	EloLo       *float64 `json:"elo_lo"`
	EloHi       *float64 `json:"elo_hi"`
	Note        string   `json:"note,omitempty"`
}

// Write writes the answer and the curve of Elo over the commits.
func (b *Bisection) Write(w io.Writer, form Format) error {
	p := &prose{w: w, form: form, width: b.Width}
	p.say(b.sentence())
	p.table(tableOf("", b.Commits, func(l *line, r *BisectRow) {
		l.word("Commit", "", arena.Short(r.Commit))
		l.count("Games", "", r.Games)
		l.figure("Step", "", r.Probability, Percent)
		l.figure("Elo", "", r.Elo, signed)
		l.count("± 95 %", "", bar(r.Elo, r.EloLo, r.EloHi))
		l.word("Subject", "", strings.TrimSpace(r.Subject+" "+r.Note))
	}))
	return p.err
}

func (b *Bisection) sentence() string {
	if b.Commit == "" {
		return fmt.Sprintf("No commit is likely enough after %s: the most likely one has %.1f %%.", games(b.Games), 100*b.Probability)
	}
	did := "lost or gained"
	switch {
	case b.EloHi != nil && *b.EloHi < 0:
		did = "lost"
	case b.EloLo != nil && *b.EloLo > 0:
		did = "gained"
	}
	elo := bar(b.Elo, b.EloLo, b.EloHi)
	if b.Elo != nil {
		elo = signed(b.Elo) + " Elo " + elo
	}
	likely, candidates := fmt.Sprintf("with a probability of %.1f %%", 100*b.Probability), 0
	for _, row := range b.Commits {
		if row.Probability != nil {
			candidates++
		}
	}
	if candidates == 1 {
		likely = "as the only candidate"
	}
	text := fmt.Sprintf("%s (%s) %s strength: %s, %s, after %s.",
		arena.Short(b.Commit), b.Subject, did, elo, likely, games(b.Games))
	if len(b.Unbuilt) > 0 {
		names := arena.Map(b.Unbuilt, arena.Short)
		text += fmt.Sprintf(" It may also be %s, which could not be built.", strings.Join(names, " or "))
	}
	return text
}

// Tuning is the answer to which values of an engine's options are best.
type Tuning struct {
	Width      int           `json:"-"` // columns of a line of the terminal form; 0: no limit
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
	p := &prose{w: w, form: form, width: t.Width}
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
	values := strings.Join(arena.Map(t.Options, func(o TunedOption) string { return o.Name + " " + o.Text }), ", ")
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

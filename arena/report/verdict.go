package report

import (
	"fmt"
	"io"
	"strings"

	"thera/arena"
	"thera/arena/rating"
)

// Verdict is the answer to whether one version of an engine may replace another.
type Verdict struct {
	Verdict  string         `json:"verdict"` // H1, H0, undecided, faults, no functional change
	Passed   bool           `json:"passed"`
	Sentence string         `json:"sentence"`
	Head     VersionOf      `json:"head"`
	Base     VersionOf      `json:"base"`
	Stages   []VerdictStage `json:"stages"` // those that were played
	Planned  int            `json:"stages_planned"`
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

func (v *VersionOf) short() string { return arena.Short(v.Commit) }

func (v *VersionOf) named() string { return fmt.Sprintf("%s (%s)", v.short(), v.Subject) }

// VerdictStage is one test of a verdict, from the view of the head.
type VerdictStage struct {
	Run   string `json:"run"`
	Game  string `json:"game"`
	Limit string `json:"limit"`
	Score
	Test   TestResult `json:"sprt"`
	Speed  *float64   `json:"speed"` // nodes a second, as a ratio to the base
	Faults [2]int     `json:"faults"`
	timed  bool
}

// AddStage adds the result of a test between head and base. passed says whether
// the run met what the verdict requires of it.
func (v *Verdict) AddStage(sum *arena.Summary, passed bool) error {
	r, err := New(sum)
	if err != nil {
		return err
	}
	if r.SPRT == nil || len(sum.Engines) != 2 {
		return fmt.Errorf("run %s is no test of two engines", sum.Run.Name)
	}
	s := VerdictStage{Run: sum.Run.Name, Game: r.Game, Limit: r.Limit, Score: Score{Pairs: &[5]int{}}, Test: *r.SPRT, timed: sum.Run.Plan.Limit.Timed()}
	for _, p := range pairingTallies(sum) {
		t := p.tally
		if p.engines[0] != sum.Engines[0].Name {
			t = t.Swapped()
		}
		c := counts(&t)
		s.Score = scoreOf(c, c.Estimate())
		pairs := t.Pairs
		s.Pairs = &pairs
		s.Faults = [2]int{t.Sides[0].Failed, t.Sides[1].Failed}
		if a, b := speed(&t.Sides[0]), speed(&t.Sides[1]); a != nil && b != nil {
			s.Speed = ratio(*a, *b)
		}
	}
	v.Stages = append(v.Stages, s)
	for _, w := range sum.Warnings {
		if w.Kind == arena.WarnSurplus { // as many as were played at a time
			continue
		}
		v.Warnings = append(v.Warnings, w.Text)
	}
	v.Verdict, v.Passed = s.Test.Decision, passed
	switch {
	case s.Test.Decision == rating.Continue:
		v.Verdict = "undecided"
	case s.Test.Decision == rating.H1 && !passed:
		v.Verdict = "faults"
	}
	return nil
}

func speed(e *arena.Effort) *float64 { return ratio(float64(e.Nodes), e.Wall.Seconds()) }

// slowed is the ratio of speeds below which a verdict warns.
const slowed = 0.95

// Conclude fills in the sentence and what the figures hide.
func (v *Verdict) Conclude() {
	if same := v.Head.Signature != "" && v.Head.Signature == v.Base.Signature; same {
		if len(v.Stages) == 0 {
			v.Verdict = "no functional change"
		}
		v.Warnings = append(v.Warnings, fmt.Sprintf("no functional change: both versions have the signature %s", v.Head.Signature))
	}
	for _, one := range []*VersionOf{&v.Head, &v.Base} {
		if one.Signature != "" && one.Announced != "" && one.Signature != one.Announced {
			v.Warnings = append(v.Warnings, fmt.Sprintf("%s has the signature %s, and its commit message announces %s", one.short(), one.Signature, one.Announced))
		}
		if one.Dirty > 0 {
			v.Warnings = append(v.Warnings, fmt.Sprintf("dirty tree: %s changed in the working tree and not tested", arena.Plural(one.Dirty, "file")))
		}
	}
	timed := false
	for i := range v.Stages {
		timed = timed || v.Stages[i].timed
	}
	if n := len(v.Stages); n > 0 && !timed {
		text := "limits of nodes and depth hide slowdowns"
		if s := v.Stages[n-1].Speed; s != nil && *s < slowed {
			text += fmt.Sprintf(", and %s makes %.2f times the nodes a second of the base", v.Head.short(), *s)
		}
		v.Warnings = append(v.Warnings, text)
	}
	head, base := v.Head.named(), v.Base.named()
	if len(v.Stages) == 0 {
		v.Sentence = fmt.Sprintf("%s plays like %s: no functional change, no game was played.", head, base)
		return
	}
	last := &v.Stages[len(v.Stages)-1]
	bounds := fmt.Sprintf("H0: %g or less, H1: %g or more, %s Elo", last.Test.Elo0, last.Test.Elo1, last.Test.Model)
	switch v.Verdict {
	case rating.H1:
		v.Sentence = fmt.Sprintf("%s passes against %s: H1 is accepted (%s).", head, base, bounds)
	case rating.H0:
		v.Sentence = fmt.Sprintf("%s does not pass against %s: H0 is accepted (%s).", head, base, bounds)
	case "faults":
		v.Sentence = fmt.Sprintf("%s does not pass against %s: H1 is accepted, and engines were at fault in %s.", head, base, games(last.Faults[0]+last.Faults[1]))
	default:
		v.Sentence = fmt.Sprintf("It is undecided whether %s passes against %s (%s).", head, base, bounds)
	}
}

// Write writes the verdict as text or Markdown.
func (v *Verdict) Write(w io.Writer, form Format) error {
	var b strings.Builder
	safe := Printable
	if form == Markdown {
		safe = markdown
		fmt.Fprintf(&b, "### Thera: %s\n\n%s\n", v.Verdict, safe(v.Sentence))
	} else {
		fmt.Fprintf(&b, "%s\n", safe(v.Sentence))
	}
	if len(v.Stages) > 0 {
		b.WriteString("\n")
		if err := v.table().Write(&b, form); err != nil {
			return err
		}
	}
	if n := len(v.Stages); n > 0 && n < v.Planned {
		fmt.Fprintf(&b, "\n%d of %s played\n", len(v.Stages), arena.Plural(v.Planned, "stage"))
	}
	if len(v.Warnings) > 0 {
		b.WriteString("\n")
	}
	for _, text := range v.Warnings {
		bullet := ""
		if form == Markdown {
			bullet = "- "
		}
		fmt.Fprintf(&b, "%s%s\n", bullet, safe(text))
	}
	if sig := v.Head.Signature; sig != "" && sig != v.Base.Signature {
		fmt.Fprintf(&b, "\nsignature %s, that of the base is %s\n", safe(sig), safe(v.Base.Signature))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// table has one row for each stage.
func (v *Verdict) table() *Table {
	type row = VerdictStage
	return tableOf("", v.Stages, []column[row]{
		{head: "Limit", kind: words, cell: func(s *row) Cell { return text(s.Limit) }},
		{head: "Decision", kind: words, cell: func(s *row) Cell { return text(s.Test.Decision) }},
		{head: "LLR", cell: func(s *row) Cell { return text(fixed(s.llr(), 2)) }},
		{head: "Games", cell: func(s *row) Cell { return count(s.Games) }},
		{head: "W-D-L", cell: func(s *row) Cell { return text(record(s.WDL)) }},
		{head: "Pairs 0-½-1-1½-2", cell: func(s *row) Cell {
			return text(strings.Trim(strings.ReplaceAll(fmt.Sprint(*s.Pairs), " ", "-"), "[]"))
		}},
		{head: "Elo", cell: func(s *row) Cell { elo, _, _ := s.elo(); return text(signed(elo)) }},
		{head: "± 95 %", cell: func(s *row) Cell { return text(bar(s.elo())) }},
		{head: "Nodes/s", cell: func(s *row) Cell { return text(fixed(s.Speed, 2)) }},
	})
}

// llr is that of the decision, if there is one.
func (s *VerdictStage) llr() *float64 {
	if s.Test.LLRAtDecision != nil {
		return s.Test.LLRAtDecision
	}
	return &s.Test.LLR
}

// elo is the median-unbiased one of a test that decided.
func (s *VerdictStage) elo() (elo, lo, hi *float64) {
	if s.Test.MedianElo != nil {
		return s.Test.MedianElo, s.Test.MedianEloLo, s.Test.MedianEloHi
	}
	return s.Elo, s.EloLo, s.EloHi
}

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
	Verdict  string         `json:"verdict"` // H1, H0, undecided, faults, "stronger by nodes, slower", "no functional change"
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

func (v *VersionOf) short() string { return arena.Short(v.Commit) }

func (v *VersionOf) named() string { return fmt.Sprintf("%s (%s)", v.short(), v.Subject) }

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
	timed  bool            // its limit is one of time, so that strength has the speed in it
	same   bool            // the games of all its pairs were the same
}

// AddStage adds the result of a test between head and base. passed says whether
// the run met what the verdict requires of it.
func (v *Verdict) AddStage(sum *arena.Summary, passed bool) error {
	test := sum.Test()
	if test == nil || len(sum.Engines) != 2 {
		return fmt.Errorf("run %s is no test of two engines", sum.Run.Name)
	}
	s := VerdictStage{
		Run: sum.Run.Name, Game: sum.Run.Game, Limit: sum.Run.Plan.Limit.Text(), Score: arena.Score{Pairs: &rating.Penta{}},
		Test: *test, Speed: test.Speed, Slower: test.Slower, timed: !sum.Run.Plan.Limit.Exact(),
	}
	s.same = sum.Stop != nil && sum.Stop.Kind == arena.StopSame
	for _, p := range sum.Figures.Pairings { // at most one, from the head's view
		if s.Score = p.Score; s.Pairs == nil {
			s.Pairs = &rating.Penta{}
		}
	}
	for i := range sum.Engines {
		for _, e := range sum.Figures.Engines {
			if e.Name == sum.Engines[i].Name {
				s.Faults[i] = e.Faults
			}
		}
	}
	v.Stages = append(v.Stages, s)
	for _, w := range sum.Warnings {
		if w.Kind == arena.WarnSurplus || w.Kind == arena.WarnRating { // as many as were played at a time; of the ranking
			continue
		}
		v.Warnings = append(v.Warnings, w.Text)
	}
	v.Verdict, v.Passed = s.Test.Decision, passed
	switch {
	case s.same:
		v.Verdict = sameMoves
	case s.Test.Decision == rating.Continue:
		v.Verdict = "undecided"
	case s.Test.Decision == rating.H1 && !passed:
		v.Verdict = "faults"
	}
	return nil
}

// Same reports whether the versions played the same moves in the last stage.
func (v *Verdict) Same() bool { return v.Verdict == sameMoves }

// Verdicts that are none of the test.
const (
	sameMoves = "no functional change"
	slowed    = "stronger by nodes, slower"
)

// Conclude fills in the sentence and what the figures hide.
func (v *Verdict) Conclude() {
	if same := v.Head.Signature != "" && v.Head.Signature == v.Base.Signature; same {
		if len(v.Stages) == 0 {
			v.Verdict = sameMoves
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
	speed := ""
	if n := len(v.Stages); n > 0 && !timed {
		v.Warnings = append(v.Warnings, "limits of nodes and depth hide slowdowns")
		if s := &v.Stages[n-1]; s.Speed != nil {
			speed = fmt.Sprintf(" It makes %.2f times the nodes a second of the base.", *s.Speed)
			if s.Slower && v.Verdict == rating.H1 && !v.Slow {
				v.Verdict, v.Passed = slowed, false
			}
		}
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
	case slowed:
		v.Sentence = fmt.Sprintf("%s does not pass against %s: H1 is accepted (%s), but it is slower, and no limit of time was tested (--allow-slower).", head, base, bounds)
	case sameMoves:
		v.Sentence = fmt.Sprintf("%s plays like %s: no functional change, the two games of each of %d pairs are the same.", head, base, last.Games/2)
	case rating.H0:
		v.Sentence = fmt.Sprintf("%s does not pass against %s: H0 is accepted (%s).", head, base, bounds)
	case "faults":
		v.Sentence = fmt.Sprintf("%s does not pass against %s: H1 is accepted, and engines were at fault in %s.", head, base, games(last.Faults[0]+last.Faults[1]))
	default:
		v.Sentence = fmt.Sprintf("It is undecided whether %s passes against %s (%s).", head, base, bounds)
	}
	v.Sentence += speed
}

// Write writes the verdict as text or Markdown.
func (v *Verdict) Write(w io.Writer, form Format) error {
	p := &prose{w: w, form: form}
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
	type row = VerdictStage
	return tableOf("", v.Stages, []column[row]{
		{head: "Limit", kind: words, cell: func(s *row) Cell { return text(s.Limit) }},
		{head: "Decision", kind: words, cell: func(s *row) Cell { return text(s.Test.Decision) }},
		{head: "LLR", cell: func(s *row) Cell { return text(Fixed(llr(&s.Test), 2)) }},
		{head: "Games", cell: func(s *row) Cell { return count(s.Games) }},
		{head: "W-D-L", cell: func(s *row) Cell { return text(record(s.WDL)) }},
		{head: "Pairs 0-½-1-1½-2", cell: func(s *row) Cell {
			return text(strings.Trim(strings.ReplaceAll(fmt.Sprint(*s.Pairs), " ", "-"), "[]"))
		}},
		{head: "Elo", cell: func(s *row) Cell { elo, _, _ := s.elo(); return text(Signed(elo)) }},
		{head: "± 95 %", cell: func(s *row) Cell { return text(bar(s.elo())) }},
		{head: "Nodes/s", cell: func(s *row) Cell { return text(Fixed(s.Speed, 2)) }},
	})
}

// elo is the median-unbiased one of a test that decided.
func (s *VerdictStage) elo() (elo, lo, hi *float64) {
	if s.Test.MedianElo != nil {
		return s.Test.MedianElo, s.Test.MedianEloLo, s.Test.MedianEloHi
	}
	return s.Elo, s.EloLo, s.EloHi
}

package report

import (
	"fmt"
	"io"

	"thera/arena"
)

// Verdict is the answer to whether one version of an engine may replace another.
type Verdict struct {
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
	return tableOf("", v.Stages, func(l *line, s *VerdictStage) {
		l.word("Limit", "", s.Limit)
		l.word("Decision", "", s.Test.Decision)
		l.figure("LLR", "", llr(&s.Test), func(x *float64) string { return Fixed(x, 2) })
		l.count("Games", "", s.Games)
		l.count("W-D-L", "", record(s.WDL))
		l.count("Pairs 0-½-1-1½-2", "", pairsText(s.Pairs))
		elo, lo, hi := s.elo()
		l.figure("Elo", "", elo, Signed)
		l.count("± 95 %", "", bar(elo, lo, hi))
		l.figure("Nodes/s", "", s.Speed, func(x *float64) string { return Fixed(x, 2) })
	})
}

// elo is the median-unbiased one of a test that decided.
func (s *VerdictStage) elo() (elo, lo, hi *float64) {
	if s.Test.MedianElo != nil {
		return s.Test.MedianElo, s.Test.MedianEloLo, s.Test.MedianEloHi
	}
	return s.Elo, s.EloLo, s.EloHi
}

package rating

import "fmt"

// CaveatKind is the kind of a Caveat.
type CaveatKind string

// The kinds of caveats.
const (
	NoGames   CaveatKind = "no games"
	NoUnits   CaveatKind = "no units"  // games of unfinished pairs only: no error follows
	NoSpread  CaveatKind = "no spread" // all results are equal: the standard error is 0
	TooFew    CaveatKind = "too few"   // an error bar reaches beyond a score of 0 or 1
	NoRatio   CaveatKind = "no ratio"  // of pairs won to pairs lost
	Untested  CaveatKind = "untested"  // a test with wrong parameters, or that does not fit the results
	Unbounded CaveatKind = "unbounded" // players who won or lost everything
	Apart     CaveatKind = "apart"     // no game connects groups of players
	Prior     CaveatKind = "prior"     // virtual draws keep the ratings finite
	Anchored  CaveatKind = "anchored"  // ratings are relative to fixed ones
	Unsettled CaveatKind = "unsettled" // the fit did not reach full precision
	Clusters  CaveatKind = "clusters"  // pairs are unknown: games are treated as independent
)

// Caveat is a remark that must be shown with a result. Its JSON is its text.
type Caveat struct {
	Kind CaveatKind
	Text string
}

// String returns the text.
func (w Caveat) String() string { return w.Text }

// MarshalText returns the text.
func (w Caveat) MarshalText() ([]byte, error) { return []byte(w.Text), nil }

func caveatf(kind CaveatKind, format string, args ...any) Caveat {
	return Caveat{kind, fmt.Sprintf(format, args...)}
}

package rating

import "fmt"

// Kind is the kind of a Warning.
type Kind string

// The kinds of warnings.
const (
	NoGames   Kind = "no games"
	NoUnits   Kind = "no units"  // games of unfinished pairs only: no error follows
	NoSpread  Kind = "no spread" // all results are equal: the standard error is 0
	TooFew    Kind = "too few"   // an error bar reaches beyond a score of 0 or 1
	NoRatio   Kind = "no ratio"  // of pairs won to pairs lost
	Untested  Kind = "untested"  // a test that cannot be, or cannot be fitted to the results
	Unbounded Kind = "unbounded" // players who won or lost everything
	Apart     Kind = "apart"     // no game connects groups of players
	Prior     Kind = "prior"     // virtual draws keep the ratings finite
	Anchored  Kind = "anchored"  // ratings are relative to fixed ones
	Unsettled Kind = "unsettled" // the fit did not reach full precision
	Clusters  Kind = "clusters"  // what was a pair is not known: games are taken as independent
)

// Warning is a remark that must be shown with a result. Its JSON
// is the text.
type Warning struct {
	Kind Kind
	Text string
}

// String is the warning's text.
func (w Warning) String() string { return w.Text }

// MarshalText is the warning's text.
func (w Warning) MarshalText() ([]byte, error) { return []byte(w.Text), nil }

func warningf(kind Kind, format string, args ...any) Warning {
	return Warning{kind, fmt.Sprintf(format, args...)}
}

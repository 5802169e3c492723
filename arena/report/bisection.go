package report

import (
	"fmt"
	"io"
	"math"
	"strings"

	"thera/arena"
)

// Bisection is the answer to which commit changed the strength of an engine.
type Bisection struct {
	Commit      string      `json:"commit"` // "" if no commit is likely enough
	Subject     string      `json:"subject,omitempty"`
	Probability float64     `json:"probability"` // of the most likely commit
	Elo         float64     `json:"elo"`         // what the step changed, on average over the posterior
	EloError    float64     `json:"elo_error"`   // 95 %
	Games       int         `json:"games"`
	Unbuilt     []string    `json:"unbuilt"` // commits that Commit may stand for: they could not be built
	Commits     []BisectRow `json:"commits"` // the line, the oldest first
}

// BisectRow is one commit of the line.
type BisectRow struct {
	Commit      string   `json:"commit"`
	Subject     string   `json:"subject"`
	Games       int      `json:"games"`
	Probability *float64 `json:"probability"` // that the step is here; nil for the first commit and where it was not built
	Elo         *float64 `json:"elo"`         // relative to the first commit
	EloError    *float64 `json:"elo_error"`   // 95 %
	Note        string   `json:"note,omitempty"`
}

// Write writes the answer and the curve of Elo over the commits.
func (b *Bisection) Write(w io.Writer, form Format) error {
	p := &prose{w: w, form: form}
	p.say(b.sentence())
	p.table(tableOf("", b.Commits, func(l *line, r *BisectRow) {
		l.word("Commit", "", arena.Short(r.Commit))
		l.count("Games", "", r.Games)
		l.figure("Step", "", r.Probability, Percent)
		l.figure("Elo", "", r.Elo, Signed)
		l.figure("± 95 %", "", r.EloError, oneDigit)
		l.word("Subject", "", strings.TrimSpace(r.Subject+" "+r.Note))
	}))
	return p.err
}

func (b *Bisection) sentence() string {
	if b.Commit == "" {
		return fmt.Sprintf("No commit is likely enough after %s: the most likely one has %.1f %%.", games(b.Games), 100*b.Probability)
	}
	did := "lost"
	switch {
	case math.Abs(b.Elo) < b.EloError:
		did = "lost or gained"
	case b.Elo > 0:
		did = "gained"
	}
	text := fmt.Sprintf("%s (%s) %s strength: %s Elo ±%.1f, with a probability of %.1f %%, after %s.",
		arena.Short(b.Commit), b.Subject, did, Signed(&b.Elo), b.EloError, 100*b.Probability, games(b.Games))
	if len(b.Unbuilt) > 0 {
		var names []string
		for _, hash := range b.Unbuilt {
			names = append(names, arena.Short(hash))
		}
		text += fmt.Sprintf(" It may also be %s, which could not be built.", strings.Join(names, " or "))
	}
	return text
}

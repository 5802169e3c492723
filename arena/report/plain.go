package report

import (
	"fmt"
	"io"
	"time"

	"thera/arena"
)

const (
	gameGap     = 100 * time.Millisecond // between two lines of games
	progressGap = 10 * time.Second       // between two lines of progress
)

// plain writes a line for each event. Quick runs do not get a line for every
// game: warnings, faults and progress must not drown.
type plain struct {
	lastGame, lastProgress time.Time
	err                    error
}

func (p *plain) event(w io.Writer, e arena.Event) {
	say := func(format string, args ...any) {
		if p.err == nil {
			_, p.err = fmt.Fprintln(w, Printable(fmt.Sprintf(format, args...)))
		}
	}
	switch e.Kind {
	case arena.RunStarted:
		p.lastProgress = e.Time
		if e.Kept > 0 {
			say("%s: resumed, %d kept of %s", e.Run, e.Kept, total(e.Total))
			return
		}
		say("%s: started, %s", e.Run, total(e.Total))
	case arena.Warned:
		say("warning: %s", e.Text)
	case arena.GameFinished:
		if e.Record.Source == arena.Faulted {
			say("%s", faultLine(e.Record))
			return
		}
		if e.Time.Sub(p.lastGame) >= gameGap {
			p.lastGame = e.Time
			say("%s", gameLine(e.Record))
		}
	case arena.Progressed:
		if e.Time.Sub(p.lastProgress) >= progressGap {
			p.lastProgress = e.Time
			say("%s", statusOf(e).line())
		}
	case arena.RunFinished:
		say("%s", statusOf(e).line())
		say("%s: %s", e.Run, e.Text)
	}
}

func total(n int) string {
	if n == 0 {
		return "an open number of games"
	}
	return games(n)
}

// faultLine tells who lost by what fault.
func faultLine(rec *arena.Record) string {
	fault := rec.Outcome.Reason
	if rec.Fault != nil {
		fault = rec.Fault.Error()
	}
	blamed := "?"
	if rec.Blamed != 0 {
		blamed = rec.Engine(rec.Blamed)
	}
	return fmt.Sprintf("%s  %s lost by a fault: %s", Short(rec.ID), blamed, fault)
}

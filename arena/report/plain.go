package report

import (
	"fmt"
	"io"
	"time"

	"thera/arena"
)

const (
	gameGap     = 100 * time.Millisecond // the least time between two lines about games
	progressGap = 10 * time.Second       // and between two lines of progress
)

// plain prints a line for each event. It skips games of a fast run, so that
// warnings, faults and progress stay visible.
type plain struct {
	lastGame, lastProgress time.Time
	faults                 faultsSeen
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
			for _, line := range p.faults.lines(e.Record) {
				say("%s", line)
			}
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

// faultLine describes a game that an engine lost by a fault.
func faultLine(rec *arena.Record) string {
	fault := rec.Outcome.Reason
	if rec.Fault != nil {
		fault = rec.Fault.Error()
	}
	blamed := "?"
	if rec.Blamed != 0 {
		blamed = rec.Engine(rec.Blamed)
	}
	return fmt.Sprintf("%s  %s lost by a fault: %s", arena.Short(rec.ID), blamed, fault)
}

package protocol

import (
	"slices"
	"strconv"
	"time"

	"thera/engine/mill/player"
	"thera/engine/mill/rules"
	"thera/engine/search"
	"thera/engine/serve"
)

// infoEvery is the least time between two info lines of one depth.
const infoEvery = 100 * time.Millisecond

// infoPrinter prints info lines: one for each finished depth, and others at most
// every infoEvery.
type infoPrinter struct {
	out     *serve.Output
	root    rules.State
	begun   time.Time
	printed time.Time
	held    player.Result // the latest result of this depth, not yet printed
	isHeld  bool
	heldAt  time.Duration // since begun
	tried   []rules.Move  // root moves of this iteration
	buf     []byte
}

func newInfoPrinter(out *serve.Output, root rules.State) *infoPrinter {
	now := time.Now()
	return &infoPrinter{out: out, root: root, begun: now, printed: now}
}

// report takes each better or deeper result. The line of a depth is printed when
// the next depth begins, which shows that the depth is finished.
func (i *infoPrinter) report(r player.Result) {
	if i.isHeld && r.Depth > i.held.Depth {
		i.print(i.held, i.heldAt)
	}
	i.held, i.isHeld, i.heldAt = r, true, time.Since(i.begun)
	if time.Since(i.printed) >= infoEvery {
		i.print(r, i.heldAt)
	}
}

// finish prints the last line.
func (i *infoPrinter) finish(r player.Result) { i.print(r, time.Since(i.begun)) }

func (i *infoPrinter) print(r player.Result, at time.Duration) {
	i.isHeld = false
	i.printed = time.Now()
	b := append(i.buf[:0], "info depth "...)
	b = strconv.AppendInt(b, int64(r.Depth), 10)
	b = append(b, " score "...)
	b = i.appendScore(b, r)
	b = append(b, " nodes "...)
	b = strconv.AppendInt(b, r.Nodes, 10)
	b = append(b, " time "...)
	b = strconv.AppendInt(b, at.Milliseconds(), 10)
	if len(r.PV) > 0 {
		b = append(b, " pv"...)
		for _, m := range r.PV {
			b = append(append(b, ' '), m.String()...)
		}
	}
	i.out.Line(b)
	i.buf = b
}

// current takes each root move that is tried. A move seen before begins a new
// iteration.
func (i *infoPrinter) current(m rules.Move) {
	if n := len(i.tried); n > 0 && i.tried[n-1] == m {
		return // a new search of the same move
	}
	if slices.Contains(i.tried, m) {
		i.tried = i.tried[:0]
	}
	i.tried = append(i.tried, m)
	if time.Since(i.printed) < infoEvery {
		return
	}
	i.printed = time.Now()
	i.out.Printf("info currmove %s currmovenumber %d time %d", m, len(i.tried), time.Since(i.begun).Milliseconds())
}

// appendScore appends "cp N", or "mate N" in turns: 0 is already won, -0 already
// lost.
func (i *infoPrinter) appendScore(b []byte, r player.Result) []byte {
	sign, plies := search.Proven(r.Score)
	if sign == 0 {
		return strconv.AppendInt(append(b, "cp "...), int64(r.Score), 10)
	}
	b = append(b, "mate "...)
	if sign < 0 {
		b = append(b, '-')
	}
	return strconv.AppendInt(b, int64(i.turns(r.PV, plies, sign)), 10)
}

// turns converts plies to a mate into turns of the winner. A removal belongs to
// the turn before it, except one that is due at the root. Beyond the line that is
// known, the sides are taken to alternate.
func (i *infoPrinter) turns(pv []rules.Move, plies, sign int) int {
	s, n := i.root, 0
	winner := s.Turn
	if sign < 0 {
		winner ^= 1
	}
	for at := range min(len(pv), plies) {
		if s.Turn == winner && (pv[at].Kind() != rules.Removing || at == 0) {
			n++
		}
		s.Play(pv[at])
	}
	rest := plies - len(pv)
	if rest > 0 && s.Action == rules.RemoveMan {
		s.Turn, rest = s.Turn^1, rest-1
	}
	if rest >= 2 {
		rest-- // it ends with a mill and its removal
	}
	if rest > 0 && s.Turn == winner {
		rest++
	}
	return n + max(0, rest)/2
}

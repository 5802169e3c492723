package protocol

import (
	"fmt"
	"strconv"
	"time"

	"thera/engine/mill/player"
	"thera/engine/mill/rules"
	"thera/engine/search"
	"thera/engine/serve"
)

// infoPrinter prints an info line for each depth that is finished.
type infoPrinter struct {
	out    *serve.Output
	root   rules.State
	begun  time.Time
	held   player.Result // the latest result, not yet printed
	heldAt time.Duration // since begun
}

func newInfoPrinter(out *serve.Output, root rules.State) *infoPrinter {
	return &infoPrinter{out: out, root: root, begun: time.Now()}
}

// report takes each better or deeper result. The line of a depth is printed when
// the next depth begins, which shows that the depth is finished.
func (i *infoPrinter) report(r player.Result) {
	if r.Depth > i.held.Depth && i.held.Depth > 0 {
		i.print(i.held, i.heldAt)
	}
	i.held, i.heldAt = r, time.Since(i.begun)
}

// finish prints the last line.
func (i *infoPrinter) finish(r player.Result) { i.print(r, time.Since(i.begun)) }

func (i *infoPrinter) print(r player.Result, at time.Duration) {
	b := i.appendScore(fmt.Appendf(nil, "info depth %d score ", r.Depth), r)
	b = fmt.Appendf(b, " nodes %d time %d", r.Nodes, at.Milliseconds())
	if len(r.PV) > 0 {
		b = append(b, " pv"...)
		for _, m := range r.PV {
			b = append(append(b, ' '), m.String()...)
		}
	}
	i.out.Line(b)
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

package mill

import (
	"slices"
	"strconv"
	"time"

	"thera/engine/search"
	"thera/engine/serve"
)

// informer prints info lines: one a finished depth, and others at most every
// infoEvery.
type informer struct {
	out     *serve.Output
	pos     *Position
	begun   time.Time
	printed time.Time
	held    search.Result[move]
	isHeld  bool
	heldAt  time.Duration // since the question
	tried   []move        // root moves of this iteration
	buf     []byte
}

func newInformer(out *serve.Output, pos *Position) *informer {
	now := time.Now()
	return &informer{out: out, pos: pos, begun: now, printed: now}
}

// report sees each better or deeper result. A depth's line is printed when
// the next depth begins, for only then is it the depth's last.
func (i *informer) report(r search.Result[move]) {
	if i.isHeld && r.Depth > i.held.Depth {
		i.print(i.held, i.heldAt)
	}
	i.held, i.isHeld, i.heldAt = r, true, time.Since(i.begun)
	if time.Since(i.printed) >= infoEvery {
		i.print(r, i.heldAt)
	}
}

// finish prints the last line.
func (i *informer) finish(r search.Result[move]) { i.print(r, time.Since(i.begun)) }

func (i *informer) print(r search.Result[move], at time.Duration) {
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

// current sees each root move that is tried; a move seen before begins a new
// pass over the root.
func (i *informer) current(m move) {
	if n := len(i.tried); n > 0 && i.tried[n-1] == m {
		return // the same move, searched again
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

// appendScore writes cp, or mate in turns: 0 won already, -0 lost already.
func (i *informer) appendScore(b []byte, r search.Result[move]) []byte {
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

// turns counts the winner's turns on the way of so many plies; a removal
// belongs to the turn before it, but for one that is due at the root. Beyond
// the known line sides alternate.
func (i *informer) turns(pv []move, plies, sign int) int {
	winner := i.pos.turn
	if sign < 0 {
		winner ^= 1
	}
	s, n := i.pos.state, 0
	for at := range min(len(pv), plies) {
		if s.turn == winner && (pv[at].kind() != taking || at == 0) {
			n++
		}
		s.play(pv[at])
	}
	rest := plies - len(pv)
	if rest > 0 && s.act == actRemove {
		s.act, s.turn, rest = actMove, s.turn^1, rest-1
	}
	if rest >= 2 {
		rest-- // it ends with a mill and its removal
	}
	if rest > 0 {
		n += (rest + b2i(s.turn == winner)) / 2
	}
	return n
}

package search

import "time"

// deepening is one call of Search: the iterations of the main thread and their
// result.
type deepening[M any] struct {
	engine *Engine[M]
	main   *worker[M]
	others []*worker[M]
	limits Limits
	start  time.Time
	report func(Result[M])
	result Result[M]
	depth  int // of the current iteration
}

// run is iterative deepening.
func (d *deepening[M]) run() {
	w := d.main
	w.on = w.options.Features
	w.rootBest = d.better
	limit := MaxPly - 1
	if d.limits.Depth > 0 {
		limit = min(limit, d.limits.Depth)
	}
	score := 0
	for d.depth = 1; d.depth <= limit; d.depth++ {
		score = w.iterate(d.depth, score)
		if w.stopped {
			return
		}
		sign, plies := Proven(score)
		if sign != 0 {
			score = d.verify(score, plies)
			d.result.Done = !w.stopped
		}
		d.finish(score)
		if sign != 0 || d.limits.Soft > 0 && d.late() {
			return
		}
	}
}

// The node budget and the table salt of verify.
const (
	verifyNodes = 200_000
	exactSalt   = 0x5bd1e995c6a4a793
)

// verify makes the distance of a proof exact. A selective search may have missed
// a shorter win or a better defence; verify searches again as deep as the proof,
// without selective features and with other table entries. Proofs that
// exceed its node budget stay as they are.
func (d *deepening[M]) verify(score, plies int) int {
	w := d.main
	if w.on&(Selective|Extensions|Quiescence|Table) == 0 {
		return score
	}
	old, found, allowed := w.on, d.result, w.maxNodes
	w.on &^= Selective | Extensions | Quiescence
	w.salt = exactSalt
	w.rootBest = nil
	if budget := w.nodes*2 + verifyNodes; allowed == 0 || budget < allowed {
		w.maxNodes = budget
	}
	for score > 0 && plies > 1 {
		better := w.searchRoot(plies, score, score+1)
		if w.stopped || better <= score {
			break
		}
		score = better
		d.better(score)
		_, plies = Proven(score)
	}
	if score < 0 { // one ply more, to see that the mover has no move
		if exact := w.searchRoot(plies+1, -Infinity, score+1); !w.stopped && exact != score {
			score = exact
			d.better(score)
		}
	}
	if w.stopped && w.nodes == w.maxNodes && w.maxNodes != allowed {
		w.stopped = false // the budget ended, not the caller's limit
	}
	w.on, w.salt, w.rootBest, w.maxNodes = old, 0, d.better, allowed
	if sign, _ := Proven(d.result.Score); sign == 0 {
		d.result = found
	}
	return score
}

// better records and reports a new best move of the current iteration.
func (d *deepening[M]) better(score int) {
	d.record(score)
	if d.report != nil {
		d.report(d.result)
	}
}

// finish records the result of an iteration. It reports it unless its best move
// was reported with the same score.
func (d *deepening[M]) finish(score int) {
	if d.result.Depth == d.depth && d.result.Score == score && !d.result.Done {
		return
	}
	d.result.Score, d.result.Depth = score, d.depth
	if d.report != nil {
		d.result.Nodes = d.nodes()
		d.report(d.result)
	}
}

// record copies the main thread's principal variation into the result.
func (d *deepening[M]) record(score int) {
	line := &d.main.frames[0]
	r := &d.result
	r.Move, r.Score, r.Depth, r.Nodes = line.pv[0], score, d.depth, d.nodes()
	r.PV = append([]M(nil), line.pv[:line.length]...)
}

// nodes is the sum over all threads; those of helpers may lag behind.
func (d *deepening[M]) nodes() int64 {
	n := d.main.nodes
	for _, w := range d.others {
		n += w.sharedNodes.Load()
	}
	return n
}

// late reports whether the soft limit has passed.
func (d *deepening[M]) late() bool { return time.Since(d.start) >= d.limits.Soft }

package search

import "sync"

// finished is the deepest iteration that a helper has finished.
type finished[M any] struct {
	depth, score int // depth 0: none
	pv           []M
}

// runThreads is Lazy SMP: helper threads search the same position and share
// their results through the table. Which thread decides is a question of depth.
func (d *deepening[M]) runThreads() {
	var wait sync.WaitGroup
	deepest := make([]finished[M], len(d.others))
	for i, w := range d.others {
		wait.Go(func() { deepest[i] = w.help(i, d.limits.Depth) })
	}
	d.run()
	d.engine.stop.Store(true)
	wait.Wait()
	if d.limits.Depth == 0 && !d.result.Done {
		d.adopt(deepest)
	}
}

// help is iterative deepening on a helper thread. It leaves out every other depth, or
// run of depths, so that it is ahead of the main thread and does not search the same tree.
func (w *worker[M]) help(helper, limit int) (deepest finished[M]) {
	w.on = w.options.Features
	w.rootBest = nil
	score := 0
	for depth := 1; depth < MaxPly && (limit == 0 || depth <= limit) && !w.stopped; depth++ {
		if skips(helper, depth) {
			continue
		}
		score = w.iterate(depth, score)
		line := &w.frames[0]
		if w.stopped || line.length == 0 {
			return deepest
		}
		deepest = finished[M]{depth, score, append(deepest.pv[:0], line.pv[:line.length]...)}
		if sign, _ := Proven(score); sign != 0 {
			return deepest
		}
	}
	return deepest
}

// skips reports whether a helper leaves out a depth. The first two search every second
// depth, the next four two of four, the next six three of six, and so on, each from
// another depth on: the pattern of Stockfish before version 10.
func skips(helper, depth int) bool {
	size, phase := 1, helper
	for phase >= 2*size {
		phase -= 2 * size
		size++
	}
	return (depth+phase)/size%2 == 1
}

// adopt makes the deepest iteration of a helper the result if it is deeper than the main
// thread's.
func (d *deepening[M]) adopt(deepest []finished[M]) {
	before := d.result.Depth
	for _, f := range deepest {
		if r := &d.result; f.depth > r.Depth {
			r.Move, r.Score, r.Depth, r.PV = f.pv[0], f.score, f.depth, f.pv
		}
	}
	if d.result.Depth > before && d.report != nil {
		d.result.Nodes = d.nodes()
		d.report(d.result)
	}
}

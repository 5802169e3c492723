package search

// quiesce is the quiescence search: the value of a leaf for the side to move.
func (w *worker[M]) quiesce(ply, alpha, beta int) int {
	if w.quiescer == nil || !w.on.Has(Quiescence) || ply >= MaxPly {
		return w.evaluate()
	}
	frame := &w.frames[ply]
	list := &frame.list
	list.Items = list.Items[:0]
	forced := w.quiescer.NoisyMoves(list)
	if len(list.Items) == 0 {
		return w.evaluate()
	}
	best := -Infinity
	if !forced {
		if best = w.evaluate(); best >= beta {
			return best
		}
		alpha = max(alpha, best)
	}
	if w.poll(len(list.Items)) {
		return 0
	}
	w.order(list.Items, 0, frame)
	for i := range list.Items {
		pickBest(list.Items, i)
		again, ok := w.makeMove(list.Items[i].Move)
		if !ok {
			return 0
		}
		score := w.quiesceChild(again, ply+1, alpha, beta)
		w.board.Unmake()
		if w.stopped {
			return 0
		}
		if score > best {
			best = score
			if score >= beta {
				break
			}
			alpha = max(alpha, score)
		}
	}
	return best
}

// quiesceChild returns the value of the leaf after a noisy move, for the side
// that made the move.
func (w *worker[M]) quiesceChild(again bool, ply, alpha, beta int) int {
	w.frames[ply].length = 0
	if !again {
		alpha, beta = -beta, -alpha
	}
	score, known := w.board.Known()
	if known {
		score = fromRoot(score, ply)
	} else {
		score = w.quiesce(ply, alpha, beta)
	}
	if again {
		return score
	}
	return -score
}

// evaluate returns the static evaluation, with noise added for weaker play.
func (w *worker[M]) evaluate() int {
	score := w.board.Evaluate()
	if n := w.options.Noise; n > 0 {
		score += int(splitMix(w.board.Key()^splitMix(w.options.Seed))>>1%uint64(2*n+1)) - n
	}
	return max(-Heuristic, min(score, Heuristic))
}

// splitMix is one step of SplitMix64.
func splitMix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// proven reports whether an entry holds at any depth: its value cannot change.
func proven(e entry) bool {
	return e.score > Heuristic && e.bound&boundLower != 0 || e.score < -Heuristic && e.bound&boundUpper != 0
}

// fromRoot converts a score that counts plies from the node at ply to one that
// counts them from the root. fromNode is its inverse.
func fromRoot(score, ply int) int {
	switch {
	case score > Heuristic:
		return score - ply
	case score < -Heuristic:
		return score + ply
	}
	return score
}

func fromNode(score, ply int) int {
	switch {
	case score > Heuristic:
		return min(score+ply, Win)
	case score < -Heuristic:
		return max(score-ply, -Win)
	}
	return score
}

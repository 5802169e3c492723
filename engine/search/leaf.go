package search

// leaf is the heuristic value at the end of a line.
func (w *worker[M]) leaf(ply, alpha, beta int) int {
	static := w.evaluate()
	if w.noisy == nil || !w.on.Has(Quiescence) || ply >= MaxPly {
		return static
	}
	frame := &w.frames[ply]
	list := &frame.list
	list.Items = list.Items[:0]
	forced := w.noisy.NoisyMoves(list)
	if len(list.Items) == 0 {
		return static
	}
	best := -Infinity
	if !forced {
		if best = static; best >= beta {
			return best
		}
		alpha = max(alpha, best)
	}
	if w.poll(len(list.Items)) {
		return 0
	}
	w.order(list.Items, 0, frame)
	for i := range list.Items {
		pick(list.Items, i)
		again, ok := w.step(list.Items[i].Move)
		if !ok {
			return 0
		}
		score := w.leafAfter(again, ply+1, alpha, beta)
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

// leafAfter is the value, for the side that moved before it, of the leaf that
// a noisy move leads to.
func (w *worker[M]) leafAfter(again bool, ply, alpha, beta int) int {
	w.frames[ply].length = 0
	if !again {
		alpha, beta = -beta, -alpha
	}
	score, known := w.board.Known()
	if known {
		score = fromHere(score, ply)
	} else {
		score = w.leaf(ply, alpha, beta)
	}
	if again {
		return score
	}
	return -score
}

// evaluate is the game's opinion, blurred for weaker play.
func (w *worker[M]) evaluate() int {
	score := w.board.Evaluate()
	if n := w.options.Noise; n > 0 {
		score += int(mix(w.board.Key()^mix(w.options.Seed))>>1%uint64(2*n+1)) - n
	}
	return max(-Heuristic, min(score, Heuristic))
}

// mix is a step of splitmix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// proven entries hold at any depth: their value cannot change.
func proven(e entry) bool {
	return e.score > Heuristic && e.bound&boundLower != 0 || e.score < -Heuristic && e.bound&boundUpper != 0
}

// fromHere turns a score that counts plies from this node into one that
// counts them from the root; toHere is its inverse.
func fromHere(score, ply int) int {
	switch {
	case score > Heuristic:
		return score - ply
	case score < -Heuristic:
		return score + ply
	}
	return score
}

func toHere(score, ply int) int {
	switch {
	case score > Heuristic:
		return min(score+ply, Win)
	case score < -Heuristic:
		return max(score-ply, -Win)
	}
	return score
}

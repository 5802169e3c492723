package tournament

// ledger has what each engine of a bracket took from each other one, so that the
// games of dead engines can be left out.
type ledger struct {
	points [][]float64 // of the row from the column
	wins   [][]int
	pairs  [][]int // that are over
}

func newLedger(engines int) ledger {
	l := ledger{make([][]float64, engines), make([][]int, engines), make([][]int, engines)}
	for i := range engines {
		l.points[i], l.wins[i], l.pairs[i] = make([]float64, engines), make([]int, engines), make([]int, engines)
	}
	return l
}

// add adds a pair.
func (l *ledger) add(p Pair, r *result) {
	a, b := r.points()
	l.points[p.A][p.B] += a
	l.points[p.B][p.A] += b
	l.pairs[p.A][p.B]++
	l.pairs[p.B][p.A]++
	r.each(func(winner int) {
		switch winner {
		case 0:
			l.wins[p.A][p.B]++
		case 1:
			l.wins[p.B][p.A]++
		}
	})
}

// of returns an engine's points and wins against living engines.
func (l *ledger) of(i int, dead []bool) (points float64, wins int) {
	for j := range l.points[i] {
		if !dead[j] {
			points += l.points[i][j]
			wins += l.wins[i][j]
		}
	}
	return points, wins
}

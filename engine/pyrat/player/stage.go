package player

import "thera/engine/pyrat/rules"

// stage is the matrix game at the root of a search: what the playouts say about each pair
// of choices. The rat chooses the row, the python the column; a player who keeps its
// target has one choice.
type stage struct {
	rows, columns int
	n             [wide][wide]float64
	value         [wide][wide]float64 // sum of the rat's results
	lead          [wide][wide]float64 // sum of the cheese that the rat was ahead
}

// add records a playout.
func (s *stage) add(row, column int, value, lead float64) {
	s.n[row][column]++
	s.value[row][column] += value
	s.lead[row][column] += lead
}

// Equilibrium is a solved stage: how both players mix their choices if none can gain by
// another mix, and what the rat then expects.
type Equilibrium struct {
	Value   float64         // of the rat's result, 0 to 1: 0.5 is even
	Lead    float64         // of the rat at the end, in cheese
	Targets [2][]rules.Cell // cheese that the rat and the python choose from; none for a player that has no choice
	Mix     [2]Mixture      // likewise: how often; 1 for a player that has no choice
}

// Mixture is how often a player makes each of its choices, which sum to 1.
type Mixture []float64

// means are the means of sums over playouts. A pair that was hardly played leans on the
// mean of its row and column.
func (s *stage) means(sums *[wide][wide]float64) (means [wide][wide]float64) {
	const lean = 4 // playouts
	var row, column, rowN, columnN [wide]float64
	for i := range s.rows {
		for j := range s.columns {
			row[i] += sums[i][j]
			rowN[i] += s.n[i][j]
			column[j] += sums[i][j]
			columnN[j] += s.n[i][j]
		}
	}
	for i := range s.rows {
		for j := range s.columns {
			guess, of := 0.0, 0.0
			if rowN[i] > 0 {
				guess, of = guess+row[i]/rowN[i], of+1
			}
			if columnN[j] > 0 {
				guess, of = guess+column[j]/columnN[j], of+1
			}
			guess /= max(1, of)
			means[i][j] = (sums[i][j] + float64(lean*guess)) / (s.n[i][j] + lean)
		}
	}
	return means
}

// solve finds the equilibrium by linear programming: the simplex method on the python's
// program, whose dual is the rat's (von Neumann 1947).
func (s *stage) solve() Equilibrium {
	value, lead := s.means(&s.value), s.means(&s.lead)
	// Maximize the sum of q with A q ≤ 1 and q ≥ 0, where A is the values plus 1 and so
	// above 0. Row i is constraint i, with a slack of its own, and the last row the aim.
	var table [wide + 1][2*wide + 1]float64
	var basis [wide]int
	slack, last := s.columns, s.columns+s.rows
	for i := range s.rows {
		for j := range s.columns {
			table[i][j] = 1 + value[i][j]
		}
		table[i][slack+i], table[i][last] = 1, 1
		basis[i] = slack + i
	}
	aim := &table[s.rows]
	for j := range s.columns {
		aim[j] = -1
	}
	for enters(aim[:last]) >= 0 {
		j := enters(aim[:last])
		leaves, least := -1, 0.0
		for i := range s.rows {
			if table[i][j] > tiny {
				if ratio := table[i][last] / table[i][j]; leaves < 0 || ratio < least-tiny || ratio < least+tiny && basis[i] < basis[leaves] {
					leaves, least = i, ratio
				}
			}
		}
		if leaves < 0 {
			break // by rounding alone: the sum of q is bounded
		}
		pivot := &table[leaves]
		divisor := pivot[j]
		for k := range pivot[:last+1] {
			pivot[k] /= divisor
		}
		for i := range s.rows + 1 {
			if factor := table[i][j]; i != leaves && factor != 0 {
				for k := range table[i][:last+1] {
					table[i][k] -= float64(factor * pivot[k])
				}
			}
		}
		basis[leaves] = j
	}
	var rat, python [wide]float64
	for i := range s.rows {
		rat[i] = max(0, aim[slack+i])
		if basis[i] < slack {
			python[basis[i]] = max(0, table[i][last])
		}
	}
	e := Equilibrium{Mix: [2]Mixture{normal(rat[:s.rows]), normal(python[:s.columns])}}
	for i, p := range e.Mix[0] {
		for j, q := range e.Mix[1] {
			e.Value += float64(p * q * value[i][j])
			e.Lead += float64(p * q * lead[i][j])
		}
	}
	return e
}

// tiny is what rounding leaves of 0.
const tiny = 1e-12

// enters is the first variable that improves the aim, -1 for none. Taking the first
// (Bland's rule) ends without cycles.
func enters(aim []float64) int {
	for j, cost := range aim {
		if cost < -tiny {
			return j
		}
	}
	return -1
}

// normal are the weights divided by their sum.
func normal(weights []float64) Mixture {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	mix := make(Mixture, len(weights))
	for k, w := range weights {
		mix[k] = w / total
	}
	return mix
}

package tournament

// matching pairs the engines without a rematch. It prefers neighbours in order,
// and keeps the given number of further rounds possible.
type matching struct {
	met    [][]bool
	order  []int
	rounds int // further rounds to keep possible
	budget int // steps before it accepts any matching
	pairs  [][2]int
}

func (m *matching) find() bool {
	return m.extend(make([]bool, len(m.met)))
}

func (m *matching) extend(used []bool) bool {
	first := -1
	for _, i := range m.order {
		if !used[i] {
			first = i
			break
		}
	}
	if first < 0 {
		return m.leavesRounds()
	}
	used[first] = true
	for _, j := range m.order {
		if used[j] || m.met[first][j] {
			continue
		}
		m.budget--
		used[j] = true
		m.pairs = append(m.pairs, [2]int{first, j})
		if m.extend(used) {
			return true
		}
		m.pairs = m.pairs[:len(m.pairs)-1]
		used[j] = false
		if m.budget < 0 {
			break
		}
	}
	used[first] = false
	return false
}

// leavesRounds reports whether the further rounds can be paired after this one.
// A graph in which each vertex is joined to at least half of the others has a
// perfect matching (Dirac 1952), so only the last rounds need a search.
func (m *matching) leavesRounds() bool {
	n := len(m.met)
	played := 1
	for _, met := range m.met[0] {
		if met {
			played++
		}
	}
	if m.rounds <= 0 || m.budget < 0 || played+m.rounds <= n/2 {
		return true
	}
	met := make([][]bool, n)
	for i := range met {
		met[i] = append([]bool(nil), m.met[i]...)
	}
	for _, p := range m.pairs {
		met[p[0]][p[1]], met[p[1]][p[0]] = true, true
	}
	rest := &matching{met: met, order: m.order, rounds: m.rounds - 1, budget: m.budget / 2}
	ok := rest.find()
	m.budget -= m.budget/2 - max(rest.budget, 0)
	return ok
}

// Package slow is a second, slow implementation of the rules, for tests.
package slow

import (
	"fmt"
	"strconv"
	"strings"
)

// Model is a second, slow implementation of the written rules: sets of texts,
// no code of the package. mutation breaks one rule on purpose.
type Model struct {
	width, height int
	wall          map[string]bool // "x,y>x,y", both ways
	mud           map[string]int
	Cheese        map[string]bool
	At, to        [2]string
	Stuck         [2]int
	Score         [2]float64
	all           float64
	turn, most    int
	mutation      int
}

// Faults are the rules that the model can break.
var Faults = []string{
	"none", "mud costs a turn less", "mud costs a turn more", "up is down", "walls close one way only", "shared cheese is a point each",
	"half of all cheese ends the game", "players in mud take the cheese ahead", "no swapping of places", "cheese goes to the rat first",
	"a turn more is played", "a request counts on the last turn in mud", "the board is a torus", "mud works one way only",
}

// New reads the lines of a position.
func New(lines []string, mutation int) *Model {
	m := &Model{wall: map[string]bool{}, mud: map[string]int{}, Cheese: map[string]bool{}, mutation: mutation, most: 300}
	for _, line := range lines {
		w := strings.Fields(line)
		trim := func(s string) string { return strings.Trim(s, "()") }
		switch w[0] {
		case "maze":
			fmt.Sscanf(line, "maze height:%d width:%d", &m.height, &m.width)
		case "walls", "mud":
			for _, text := range w[1:] {
				cells, value, _ := strings.Cut(text, ":")
				a, b, _ := strings.Cut(cells, "-")
				n, _ := strconv.Atoi(value)
				for k, way := range []string{trim(a) + ">" + trim(b), trim(b) + ">" + trim(a)} {
					if w[0] == "walls" && (mutation != 4 || k == 0) {
						m.wall[way] = true
					}
					if w[0] == "mud" && (mutation != 13 || k == 0) {
						m.mud[way] = n
					}
				}
			}
		case "cheese":
			for _, text := range w[1:] {
				m.Cheese[trim(text)] = true
			}
		case "player1", "player2":
			m.At[w[0][6]-'1'] = trim(w[2])
		case "max_turns":
			m.most, _ = strconv.Atoi(w[1])
		}
	}
	m.to, m.all = m.At, float64(len(m.Cheese))
	return m
}

func (m *Model) Play(requests [2]string) {
	before := m.At
	for i, r := range requests {
		m.walk(i, r)
	}
	if m.mutation == 8 && m.At[0] == before[1] && m.At[1] == before[0] && before[0] != before[1] {
		m.At, m.to = before, before
	}
	m.turn++
	free := func(i int) bool { return m.Stuck[i] == 0 || m.mutation == 7 }
	switch here := m.At[0]; {
	case here == m.At[1] && free(0) && free(1) && m.Cheese[here]:
		share := 0.5
		if m.mutation == 5 {
			share = 1
		}
		m.Score[0] += share
		m.Score[1] += share
		if m.mutation == 9 {
			m.Score[0] += 0.5
			m.Score[1] -= 0.5
		}
		delete(m.Cheese, here)
	default:
		for i, cell := range m.At {
			if m.mutation == 7 {
				cell = m.to[i]
			}
			if free(i) && m.Cheese[cell] {
				m.Score[i]++
				delete(m.Cheese, cell)
			}
		}
	}
}

func (m *Model) walk(i int, r string) {
	if m.Stuck[i] > 0 {
		if m.Stuck[i]--; m.Stuck[i] == 0 {
			m.At[i] = m.to[i]
			if m.mutation == 11 {
				m.walk(i, r)
			}
		}
		return
	}
	step := map[string][2]int{"U": {0, 1}, "D": {0, -1}, "L": {-1, 0}, "R": {1, 0}, "S": {}}[r]
	if m.mutation == 3 {
		step[1] = -step[1]
	}
	var x, y int
	fmt.Sscanf(m.At[i], "%d,%d", &x, &y)
	x, y = x+step[0], y+step[1]
	if m.mutation == 12 {
		x, y = (x+m.width)%m.width, (y+m.height)%m.height
	}
	to := fmt.Sprintf("%d,%d", x, y)
	way := m.At[i] + ">" + to
	if r == "S" || x < 0 || y < 0 || x >= m.width || y >= m.height || m.wall[way] {
		return
	}
	m.to[i] = to
	n := m.mud[way]
	if n > 0 && m.mutation == 1 {
		n--
	}
	if n > 0 && m.mutation == 2 {
		n++
	}
	if m.Stuck[i] = n; n == 0 {
		m.At[i] = to
	}
}

func (m *Model) Over() bool {
	least := m.all / 2
	if m.mutation == 6 && (m.Score[0] >= least || m.Score[1] >= least) {
		return true
	}
	most := m.most
	if m.mutation == 10 {
		most++
	}
	return m.Score[0] > least || m.Score[1] > least || len(m.Cheese) == 0 || m.turn >= most
}

package rules_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/pyrat/player"
	"thera/engine/pyrat/rules"
)

// model is a second, slow implementation of the written rules: sets of texts,
// no code of the package. mutation breaks one rule on purpose.
type model struct {
	width, height int
	wall          map[string]bool // "x,y>x,y", both ways
	mud           map[string]int
	cheese        map[string]bool
	at, to        [2]string
	stuck         [2]int
	score         [2]float64
	all           float64
	turn, most    int
	mutation      int
}

// mutations are the rules that the model can break.
var mutations = []string{
	"none", "mud costs a turn less", "mud costs a turn more", "up is down", "walls close one way only", "shared cheese is a point each",
	"half of all cheese ends the game", "players in mud take the cheese ahead", "no swapping of places", "cheese goes to the rat first",
	"a turn more is played", "a request counts on the last turn in mud", "the board is a torus", "mud works one way only",
}

func newModel(lines []string, mutation int) *model {
	m := &model{wall: map[string]bool{}, mud: map[string]int{}, cheese: map[string]bool{}, mutation: mutation, most: 300}
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
				m.cheese[trim(text)] = true
			}
		case "player1", "player2":
			m.at[w[0][6]-'1'] = trim(w[2])
		case "max_turns":
			m.most, _ = strconv.Atoi(w[1])
		}
	}
	m.to, m.all = m.at, float64(len(m.cheese))
	return m
}

func (m *model) play(requests [2]string) {
	before := m.at
	for i, r := range requests {
		m.walk(i, r)
	}
	if m.mutation == 8 && m.at[0] == before[1] && m.at[1] == before[0] && before[0] != before[1] {
		m.at, m.to = before, before
	}
	m.turn++
	free := func(i int) bool { return m.stuck[i] == 0 || m.mutation == 7 }
	switch here := m.at[0]; {
	case here == m.at[1] && free(0) && free(1) && m.cheese[here]:
		share := 0.5
		if m.mutation == 5 {
			share = 1
		}
		m.score[0] += share
		m.score[1] += share
		if m.mutation == 9 {
			m.score[0] += 0.5
			m.score[1] -= 0.5
		}
		delete(m.cheese, here)
	default:
		for i, cell := range m.at {
			if m.mutation == 7 {
				cell = m.to[i]
			}
			if free(i) && m.cheese[cell] {
				m.score[i]++
				delete(m.cheese, cell)
			}
		}
	}
}

func (m *model) walk(i int, r string) {
	if m.stuck[i] > 0 {
		if m.stuck[i]--; m.stuck[i] == 0 {
			m.at[i] = m.to[i]
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
	fmt.Sscanf(m.at[i], "%d,%d", &x, &y)
	x, y = x+step[0], y+step[1]
	if m.mutation == 12 {
		x, y = (x+m.width)%m.width, (y+m.height)%m.height
	}
	to := fmt.Sprintf("%d,%d", x, y)
	way := m.at[i] + ">" + to
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
	if m.stuck[i] = n; n == 0 {
		m.at[i] = to
	}
}

func (m *model) over() bool {
	least := m.all / 2
	if m.mutation == 6 && (m.score[0] >= least || m.score[1] >= least) {
		return true
	}
	most := m.most
	if m.mutation == 10 {
		most++
	}
	return m.score[0] > least || m.score[1] > least || len(m.cheese) == 0 || m.turn >= most
}

// difference describes where p and the model differ, "" if nowhere.
func (m *model) difference(p *rules.Position) string {
	s := p.State()
	name := func(cell rules.Cell) string { return strings.Trim(p.Board().CellName(cell), "()") }
	for i := range 2 {
		switch {
		case name(s.At[i]) != m.at[i]:
			return fmt.Sprintf("player %d is at %s, not %s", i+1, name(s.At[i]), m.at[i])
		case int(s.Timer[i]) != m.stuck[i]:
			return fmt.Sprintf("player %d is stuck for %d, not %d", i+1, s.Timer[i], m.stuck[i])
		case float64(s.Score[i])/2 != m.score[i]:
			return fmt.Sprintf("player %d has %v, not %v", i+1, float64(s.Score[i])/2, m.score[i])
		}
	}
	if int(s.Left) != len(m.cheese) {
		return fmt.Sprintf("%d cheese, not %d", s.Left, len(m.cheese))
	}
	if _, over := p.Outcome(); over != m.over() {
		return fmt.Sprintf("over: %v, not %v", over, m.over())
	}
	return ""
}

// compare plays random games, with half of the moves towards cheese, until
// rules and model differ or that many positions have been seen.
func compare(t *testing.T, mutation, positions int) (seen int, difference string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	for seed := uint64(0); ; seed++ {
		small := rules.Plan{Width: 3 + int(seed%4), Height: 3 + int(seed/2%3), Cheese: 4, MaxTurns: 30, Walls: 0.4, Mud: 0.4, MudMin: 2, MudMax: 4}
		p, err := small.Generate(seed, rules.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		m := newModel(strings.Split(p.String(), "; "), mutation)
		greedy := player.New(p.Board(), player.Options{Strategy: player.Greedy})
		for {
			if seen++; seen > positions {
				return seen, ""
			}
			if d := m.difference(p); d != "" {
				return seen, d
			}
			if p.ToMove() == 0 {
				break
			}
			var turn game.Turn
			for i := range turn {
				move := rules.Move(rng.IntN(rules.NumMoves))
				if rng.IntN(2) == 0 {
					move = greedy.Think(t.Context(), p, i, 0, nil).Move
				}
				turn[i] = move.Letter()
			}
			m.play(turn)
			next, err := p.Play(turn)
			if err != nil {
				t.Fatal(err)
			}
			p = next.(*rules.Position)
		}
	}
}

// TestRulesAgreeWithASlowModel also proves that the comparison is sharp: each
// broken rule is found within 1,000 positions.
func TestRulesAgreeWithASlowModel(t *testing.T) {
	for mutation, name := range mutations {
		if mutation == 0 {
			if seen, difference := compare(t, 0, 5000); difference != "" {
				t.Errorf("after %d positions: %s", seen, difference)
			}
			continue
		}
		seen, difference := compare(t, mutation, 1000)
		if difference == "" {
			t.Errorf("%s: not found in 1,000 positions", name)
			continue
		}
		t.Logf("%s: found at position %d: %s", name, seen, difference)
	}
}

package slow

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// position is a position in plain types.
type position struct {
	height  [25]int
	workers [2][]int
	god     [2]string
	state   [2]string // the states of the gods, without brackets
	mover   int
	winner  int // 0 none, else 1 or 2
}

// mutation is a set of deliberate faults. The zero value has none.
type mutation struct {
	climbTwo, fallOne, noVacated, buildOnDome, winFromThree      bool
	artemisHome, artemisThrough, artemisOn, hephDome             bool
	panOne, enterDome, edgeWraps, winBuilds, buildUnder, passing bool
}

// Model is the slow model of the four basic gods, mortal, pan, artemis and
// hephaestus. The zero value plays by the rules.
type Model struct{ mutation }

// Mutants are models with one deliberate fault each, by what the fault is. A
// comparison that does not catch them all proves little.
var Mutants = map[string]Model{
	"climbs two levels":                 {mutation{climbTwo: true}},
	"falls one level at most":           {mutation{fallOne: true}},
	"never builds where it came from":   {mutation{noVacated: true}},
	"builds on domes":                   {mutation{buildOnDome: true}},
	"a step from 3 to 3 wins":           {mutation{winFromThree: true}},
	"artemis may end where she started": {mutation{artemisHome: true}},
	"artemis walks through workers":     {mutation{artemisThrough: true}},
	"artemis goes on after a win":       {mutation{artemisOn: true}},
	"hephaestus doubles to a dome":      {mutation{hephDome: true}},
	"pan wins by one level down":        {mutation{panOne: true}},
	"domes can be entered":              {mutation{enterDome: true}},
	"edges wrap":                        {mutation{edgeWraps: true}},
	"a win may build on":                {mutation{winBuilds: true}},
	"a worker builds under itself":      {mutation{buildUnder: true}},
	"the mover may pass":                {mutation{passing: true}},
}

func parsePosition(text string) position {
	var w position
	parts := strings.Split(text, "/")
	for s, c := range parts[0] {
		w.height[s] = int(c - '0')
	}
	w.mover = int(parts[1][0] - '1')
	for i, part := range parts[2:] {
		if strings.Contains(part, "#") {
			w.winner = i + 1
			part = strings.Replace(part, "#", "", 1)
		}
		head, tail, _ := strings.Cut(part, ":")
		w.god[i], w.state[i], _ = strings.Cut(head, "[")
		w.state[i] = strings.TrimSuffix(w.state[i], "]")
		for name := range strings.SplitSeq(tail, ",") {
			if name != "" {
				w.workers[i] = append(w.workers[i], int(name[0]-'A')+5*int('5'-name[1]))
			}
		}
	}
	return w
}

func (w position) String() string {
	var b strings.Builder
	for _, h := range w.height {
		b.WriteString(strconv.Itoa(h))
	}
	fmt.Fprintf(&b, "/%d", w.mover+1)
	for i := range 2 {
		b.WriteByte('/')
		if w.winner == i+1 {
			b.WriteByte('#')
		}
		b.WriteString(w.god[i])
		if w.state[i] != "" {
			b.WriteString("[" + w.state[i] + "]")
		}
		places := slices.Sorted(slices.Values(w.workers[i]))
		for k, s := range places {
			b.WriteString(map[bool]string{true: ":", false: ","}[k == 0] + string(rune('A'+s%5)) + string(rune('5'-s/5)))
		}
	}
	return b.String()
}

func (w position) copy() position {
	w.workers = [2][]int{slices.Clone(w.workers[0]), slices.Clone(w.workers[1])}
	return w
}

func (w position) taken(s int) bool {
	return slices.Contains(w.workers[0], s) || slices.Contains(w.workers[1], s)
}

// Blocked is the state after the side to move turned out to be blocked: the
// same board, with the opponent marked as the winner.
func Blocked(text string) string {
	w := parsePosition(text)
	w.winner = 2 - w.mover
	return w.String()
}

// move puts the mover's k-th worker on to.
func (w position) move(k, to int) position {
	next := w.copy()
	next.workers[w.mover][k] = to
	return next
}

func (w position) raised(s, by int) position {
	w.height[s] = min(w.height[s]+by, 4)
	return w
}

func (w position) over(won bool) position {
	if won {
		w.winner = w.mover + 1
	}
	w.mover = 1 - w.mover
	return w
}

func (m Model) around(s int) []int {
	var near []int
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			x, y := s%5+dx, s/5+dy
			if m.edgeWraps {
				x, y = (x+5)%5, (y+5)%5
			}
			if (dx != 0 || dy != 0) && x >= 0 && x < 5 && y >= 0 && y < 5 {
				near = append(near, x+5*y)
			}
		}
	}
	return near
}

func (m Model) canStep(w position, from, to int) bool {
	rise, limit := w.height[to]-w.height[from], 1
	if m.climbTwo {
		limit = 2
	}
	if m.fallOne && rise < -1 {
		return false
	}
	return !w.taken(to) && (w.height[to] < 4 || m.enterDome) && rise <= limit
}

func (m Model) wins(w position, from, to int) bool {
	if w.height[to] == 3 && (w.height[from] < 3 || m.winFromThree) {
		return true
	}
	drop := 2
	if m.panOne {
		drop = 1
	}
	return w.god[w.mover] == "pan" && w.height[from]-w.height[to] >= drop
}

// Next lists the distinct states after every turn, sorted. A blocked mover has
// none.
func (m Model) Next(text string) []string {
	w := parsePosition(text)
	set := map[string]bool{}
	if w.winner != 0 {
		return nil
	}
	for k, from := range w.workers[w.mover] {
		wins, ends := map[int]bool{}, map[int]bool{}
		m.reach(w, k, from, from, wins, ends, w.god[w.mover] == "artemis")
		for to := range wins {
			set[w.move(k, to).over(true).String()] = true
			if m.winBuilds {
				ends[to] = true
			}
		}
		for to := range ends {
			if !wins[to] || m.winBuilds {
				m.builds(w.move(k, to), from, to, set)
			}
		}
	}
	if m.passing {
		set[w.over(false).String()] = true
	}
	list := []string{}
	for s := range set {
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}

// reach walks from at; home is where the worker began.
func (m Model) reach(w position, k, home, at int, wins, ends map[int]bool, again bool) {
	for _, to := range m.around(at) {
		mayPass := m.artemisThrough && again && w.taken(to)
		if !m.canStep(w, at, to) && !mayPass {
			continue
		}
		won := m.wins(w, at, to) && !mayPass
		switch {
		case mayPass || to == home && !m.artemisHome:
		case won:
			wins[to] = true
		default:
			ends[to] = true
		}
		if again && (!won || m.artemisOn) {
			m.reach(w.move(k, to), k, home, to, wins, ends, false)
		}
	}
}

func (m Model) builds(w position, from, to int, set map[string]bool) {
	sites := m.around(to)
	if m.buildUnder {
		sites = append(sites, to)
	}
	for _, s := range sites {
		if w.taken(s) && s != to || w.height[s] > 3 && !m.buildOnDome || m.noVacated && s == from {
			continue
		}
		set[w.raised(s, 1).over(false).String()] = true
		top := 3
		if m.hephDome {
			top = 4
		}
		if w.god[w.mover] == "hephaestus" && w.height[s]+2 <= top {
			set[w.raised(s, 2).over(false).String()] = true
		}
	}
}

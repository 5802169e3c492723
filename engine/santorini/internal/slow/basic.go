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
	var p position
	parts := strings.Split(text, "/")
	for s, c := range parts[0] {
		p.height[s] = int(c - '0')
	}
	p.mover = int(parts[1][0] - '1')
	for i, part := range parts[2:] {
		if strings.Contains(part, "#") {
			p.winner = i + 1
			part = strings.Replace(part, "#", "", 1)
		}
		head, tail, _ := strings.Cut(part, ":")
		p.god[i], p.state[i], _ = strings.Cut(head, "[")
		p.state[i] = strings.TrimSuffix(p.state[i], "]")
		for name := range strings.SplitSeq(tail, ",") {
			if name != "" {
				p.workers[i] = append(p.workers[i], int(name[0]-'A')+5*int('5'-name[1]))
			}
		}
	}
	return p
}

func (p position) String() string {
	var b strings.Builder
	for _, h := range p.height {
		b.WriteString(strconv.Itoa(h))
	}
	fmt.Fprintf(&b, "/%d", p.mover+1)
	for i := range 2 {
		b.WriteByte('/')
		if p.winner == i+1 {
			b.WriteByte('#')
		}
		b.WriteString(p.god[i])
		if p.state[i] != "" {
			b.WriteString("[" + p.state[i] + "]")
		}
		places := slices.Sorted(slices.Values(p.workers[i]))
		for k, s := range places {
			b.WriteString(map[bool]string{true: ":", false: ","}[k == 0] + string(rune('A'+s%5)) + string(rune('5'-s/5)))
		}
	}
	return b.String()
}

func (p position) copy() position {
	p.workers = [2][]int{slices.Clone(p.workers[0]), slices.Clone(p.workers[1])}
	return p
}

func (p position) taken(s int) bool {
	return slices.Contains(p.workers[0], s) || slices.Contains(p.workers[1], s)
}

// Blocked is the state after the side to move turned out to be blocked: the
// same board, with the opponent marked as the winner.
func Blocked(text string) string {
	p := parsePosition(text)
	p.winner = 2 - p.mover
	return p.String()
}

// move puts the mover's k-th worker on to.
func (p position) move(k, to int) position {
	next := p.copy()
	next.workers[p.mover][k] = to
	return next
}

func (p position) raised(s, by int) position {
	p.height[s] = min(p.height[s]+by, 4)
	return p
}

func (p position) over(won bool) position {
	if won {
		p.winner = p.mover + 1
	}
	p.mover = 1 - p.mover
	return p
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

func (m Model) canStep(p position, from, to int) bool {
	rise, limit := p.height[to]-p.height[from], 1
	if m.climbTwo {
		limit = 2
	}
	if m.fallOne && rise < -1 {
		return false
	}
	return !p.taken(to) && (p.height[to] < 4 || m.enterDome) && rise <= limit
}

func (m Model) wins(p position, from, to int) bool {
	if p.height[to] == 3 && (p.height[from] < 3 || m.winFromThree) {
		return true
	}
	drop := 2
	if m.panOne {
		drop = 1
	}
	return p.god[p.mover] == "pan" && p.height[from]-p.height[to] >= drop
}

// Next lists the distinct states after every turn, sorted. A blocked mover has
// none.
func (m Model) Next(text string) []string {
	p := parsePosition(text)
	set := map[string]bool{}
	if p.winner != 0 {
		return nil
	}
	for k, from := range p.workers[p.mover] {
		wins, ends := map[int]bool{}, map[int]bool{}
		m.reach(p, k, from, from, wins, ends, p.god[p.mover] == "artemis")
		for to := range wins {
			set[p.move(k, to).over(true).String()] = true
			if m.winBuilds {
				ends[to] = true
			}
		}
		for to := range ends {
			if !wins[to] || m.winBuilds {
				m.builds(p.move(k, to), from, to, set)
			}
		}
	}
	if m.passing {
		set[p.over(false).String()] = true
	}
	list := []string{}
	for s := range set {
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}

// reach walks from at; home is where the worker began.
func (m Model) reach(p position, k, home, at int, wins, ends map[int]bool, again bool) {
	for _, to := range m.around(at) {
		mayPass := m.artemisThrough && again && p.taken(to)
		if !m.canStep(p, at, to) && !mayPass {
			continue
		}
		won := m.wins(p, at, to) && !mayPass
		switch {
		case mayPass || to == home && !m.artemisHome:
		case won:
			wins[to] = true
		default:
			ends[to] = true
		}
		if again && (!won || m.artemisOn) {
			m.reach(p.move(k, to), k, home, to, wins, ends, false)
		}
	}
}

func (m Model) builds(p position, from, to int, set map[string]bool) {
	sites := m.around(to)
	if m.buildUnder {
		sites = append(sites, to)
	}
	for _, s := range sites {
		if p.taken(s) && s != to || p.height[s] > 3 && !m.buildOnDome || m.noVacated && s == from {
			continue
		}
		set[p.raised(s, 1).over(false).String()] = true
		top := 3
		if m.hephDome {
			top = 4
		}
		if p.god[p.mover] == "hephaestus" && p.height[s]+2 <= top {
			set[p.raised(s, 2).over(false).String()] = true
		}
	}
}

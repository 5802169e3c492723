package slow

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// generator lists the turns of one position.
type generator struct {
	fault    string   // one of Faults
	start    position // at the start of the turn
	me, them int
	out      map[string]bool
	climbers map[string]bool // the elements of out that some turn with a climb leads to
	forced   bool            // persephone forces: a turn climbs without the power of achilles or bellerophon
	noWin    map[int]bool    // squares where no step wins at the moment
}

// turn is a turn so far.
type turn struct {
	board         position
	up, down      bool
	leftNeighbour bool // a worker that began next to aphrodite's ended elsewhere
}

// Knows reports whether there is a slow model of god.
func Knows(god string) bool { return slowGods[god].turns != nil }

// Next lists the distinct states after every turn, sorted. A blocked mover has
// none. Both gods must be known.
func Next(text string) []string { return Faulty("", text) }

// Faulty is Next with a deliberate fault.
func Faulty(fault, text string) []string {
	p := parsePosition(text)
	if p.winner != 0 {
		return nil
	}
	empty := !strings.ContainsAny(text[:25], "1234")
	placing := empty && (len(p.workers[0]) == 0 || len(p.workers[1]) == 0)
	if placing && p.god[1] == "bia" && p.god[0] != "bia" {
		// Bia places first. The text calls her side 1 until both have placed.
		p.mover = 1 - p.mover
	}
	g := &generator{fault: fault, start: p, me: p.mover, them: 1 - p.mover, out: map[string]bool{}, climbers: map[string]bool{}}
	if placing {
		g.place()
	} else if len(p.workers[g.me]) > 0 || p.god[g.me] == "jason" {
		slowGods[p.god[g.me]].turns(g)
	}
	if fault == passes {
		g.out[p.over(false).String()] = true
	}
	if p.god[g.them] == "persephone" && g.forced {
		return slices.Sorted(maps.Keys(g.climbers))
	}
	return slices.Sorted(maps.Keys(g.out))
}

func squareName(s int) string { return string(rune('A'+s%5)) + string(rune('5'-s/5)) }

func onEdge(s int) bool { return s%5 == 0 || s%5 == 4 || s < 5 || s >= 20 }

// ahead is the square one step further in direction (dx, dy), -1 off the board.
func ahead(s, dx, dy int, wraps bool) int {
	x, y := s%5+dx, s/5+dy
	if wraps {
		x, y = (x+5)%5, (y+5)%5
	}
	if x < 0 || x > 4 || y < 0 || y > 4 {
		return -1
	}
	return x + 5*y
}

var compass = map[[2]int]string{
	{0, -1}: "n", {1, -1}: "ne", {1, 0}: "e", {1, 1}: "se", {0, 1}: "s", {-1, 1}: "sw", {-1, 0}: "w", {-1, -1}: "nw",
}

// touching lists the neighbours of s.
func touching(s int) []int {
	var list []int
	for d := range compass {
		if to := ahead(s, d[0], d[1], false); to >= 0 {
			list = append(list, to)
		}
	}
	return list
}

// reachable lists the neighbours of s for the mover's builds.
func (g *generator) reachable(at int) []int {
	if g.start.god[g.me] != "urania" {
		return touching(at)
	}
	var list []int
	for d := range compass {
		list = append(list, ahead(at, d[0], d[1], true))
	}
	return list
}

// ways is where the mover's worker on from may step on a flat board, with the
// directions.
func (g *generator) ways(from int) map[int][2]int {
	list := map[int][2]int{}
	for d, name := range compass {
		to := ahead(from, d[0], d[1], g.start.god[g.me] == "urania" || g.fault == edgesWrap)
		straight := d[0] == 0 || d[1] == 0
		for i := range 2 {
			if g.start.god[i] == "aeolus" && g.start.state[i] == name {
				to = -1
			}
			female := i == g.me && g.start.state[i] == squareName(from)
			if g.start.god[i] == "hippolyta" && straight && !female {
				to = -1
			}
		}
		if to >= 0 {
			list[to] = d
		}
	}
	return list
}

// closed reports whether a square counts as a dome for the mover.
func (g *generator) closed(p position, at int) bool {
	if p.height[at] == 4 {
		return true
	}
	for i := range 2 {
		// The token counts where it was at the start: it moves last.
		if g.start.god[i] == "europa" && g.start.state[i] == squareName(at) {
			return true
		}
	}
	return g.start.god[g.them] == "clio" && slices.Contains(coins(g.start.state[g.them]), squareName(at))
}

func coins(state string) []string {
	_, list, _ := strings.Cut(state, "|")
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// levelOK reports whether the mover may step from height a to height b.
func (g *generator) levelOK(a, b, climb int) bool {
	foe := g.start.god[g.them]
	if (foe == "athena" || foe == "nike") && g.start.state[g.them] == "^" {
		climb = 0
	}
	if g.fault == climbsTwo {
		climb++
	}
	return b <= a+climb && (foe != "hades" || b >= a) && (b >= a-1 || g.fault != fallsOne)
}

// movers lists the workers that may move, by index.
func (g *generator) movers() []int {
	all := g.start.workers[g.me]
	var list []int
	for worker, from := range all {
		higher := 0
		for _, other := range all {
			if other != from && g.start.height[other] >= g.start.height[from] {
				higher++
			}
		}
		if g.start.god[g.them] == "hypnus" && higher == 0 {
			continue
		}
		list = append(list, worker)
	}
	return list
}

// steps lists the squares for one step of worker.
func (g *generator) steps(t turn, worker, climb int) []int {
	from := t.board.workers[g.me][worker]
	var list []int
	for to := range g.ways(from) {
		open := !g.closed(t.board, to) || g.fault == entersDome
		if !t.board.taken(to) && open && g.levelOK(t.board.height[from], t.board.height[to], climb) {
			list = append(list, to)
		}
	}
	return list
}

// step moves worker, which began the turn on home. A win ends the turn.
func (g *generator) step(t turn, worker, to, home int) (next turn, won bool) {
	from := t.board.workers[g.me][worker]
	d := g.ways(from)[to]
	return g.land(t, worker, to, home, d)
}

// land puts worker on to after a step in direction d.
func (g *generator) land(t turn, worker, to, home int, d [2]int) (next turn, won bool) {
	from := t.board.workers[g.me][worker]
	next = t
	next.board = t.board.copy()
	next.board.workers[g.me][worker] = to
	a, b := t.board.height[from], t.board.height[to]
	next.up, next.down = t.up || b > a, t.down || b < a
	if theirs := next.board.workers[g.them]; g.start.god[g.them] == "aphrodite" {
		next.leftNeighbour = nextTo(g.start.workers[g.them], home) && !nextTo(theirs, to) && !slices.Contains(theirs, to)
	}
	// She holds no winning step of scylla's.
	if won = g.wins(t.board, next.board, from, to); won && g.start.god[g.me] == "scylla" {
		next.leftNeighbour = false
	}
	won = won && !next.leftNeighbour
	at := to
	for g.start.god[g.them] == "harpies" && !won {
		on := ahead(at, d[0], d[1], false)
		if on < 0 || next.board.taken(on) || g.closed(next.board, on) || next.board.height[on] > next.board.height[at] {
			break
		}
		next.board.workers[g.me][worker] = on
		at = on
	}
	if god := g.start.god[g.me]; (god == "selene" || god == "hippolyta") && t.board.state[g.me] == squareName(from) {
		next.board.state[g.me] = squareName(at)
	}
	return next, won
}

func nextTo(workers []int, s int) bool {
	return slices.ContainsFunc(touching(s), func(t int) bool { return slices.Contains(workers, t) })
}

// wins reports whether a step from from to to wins.
func (g *generator) wins(before, after position, from, to int) bool {
	a, b := before.height[from], before.height[to]
	if g.start.god[g.them] == "hera" && onEdge(to) || g.noWin[to] {
		return false
	}
	switch g.start.god[g.me] {
	case "artemis":
		if g.start.god[g.them] == "harpies" && b == 3 { // from level 3 too
			return true
		}
	case "pegasus":
		return a == 2 && b == 3
	case "pan":
		if a-b >= 2 || a-b == 1 && g.fault == panOne {
			return true
		}
	case "eros":
		for _, other := range after.workers[g.me] {
			if b == 1 && after.height[other] == 1 && slices.Contains(touching(to), other) {
				return true
			}
		}
	}
	return (a < 3 || g.fault == winsFrom3) && b == 3
}

// end adds the result of a finished turn.
func (g *generator) end(t turn, won bool) {
	if t.leftNeighbour {
		return
	}
	p := t.board.copy()
	if !won {
		won = g.after(&p, t)
	}
	text := p.over(won).String()
	g.out[text] = true
	if t.up {
		g.climbers[text] = true
		hero := p.god[g.me] == "achilles" || p.god[g.me] == "bellerophon"
		g.forced = g.forced || !hero || p.state[g.me] == g.start.state[g.me]
	}
}

// after changes what a god changes at the end of a turn that has not won.
func (g *generator) after(p *position, t turn) (won bool) {
	switch p.god[g.me] {
	case "athena":
		p.state[g.me] = map[bool]string{true: "^"}[t.up]
	case "nike":
		p.state[g.me] = map[bool]string{true: "^"}[t.down]
	case "medusa":
		for _, foe := range slices.Clone(p.workers[g.them]) {
			for _, mine := range p.workers[g.me] {
				if slices.Contains(touching(mine), foe) && p.height[foe] < p.height[mine] && !g.closed(*p, foe) && slices.Contains(p.workers[g.them], foe) {
					g.take(p, foe)
					p.height[foe]++
				}
			}
		}
	case "chronus":
		domes := 0
		for _, h := range p.height {
			domes += h / 4
		}
		return domes >= 5
	}
	return false
}

// take removes a worker of the opponent.
func (g *generator) take(p *position, at int) {
	p.workers[g.them] = slices.DeleteFunc(slices.Clone(p.workers[g.them]), func(t int) bool { return t == at })
	if p.state[g.them] == squareName(at) && (p.god[g.them] == "selene" || p.god[g.them] == "hippolyta") {
		p.state[g.them] = ""
	}
}

// force moves a worker of the opponent.
func (g *generator) force(t turn, from, to int) turn {
	t.board = t.board.copy()
	for worker, at := range t.board.workers[g.them] {
		if at == from {
			t.board.workers[g.them][worker] = to
		}
	}
	if god := t.board.god[g.them]; (god == "selene" || god == "hippolyta") && t.board.state[g.them] == squareName(from) {
		t.board.state[g.them] = squareName(to)
	}
	return t
}

// canBuild reports whether one level may be built on at.
func (g *generator) canBuild(p position, at int) bool {
	if g.start.god[g.them] == "limus" && nextTo(p.workers[g.them], at) && p.height[at] != 3 {
		return false
	}
	switch {
	case g.fault == notVacated && g.start.taken(at):
		return false
	case g.fault == buildsUnder && g.start.height[at] < 4 && slices.Contains(p.workers[g.me], at):
		return true
	}
	return !p.taken(at) && (!g.closed(p, at) || g.fault == buildsOnDome)
}

// canDome reports whether a power may put a dome on at.
func (g *generator) canDome(p position, at int) bool {
	return !p.taken(at) && !g.closed(p, at)
}

// canMove reports whether a power may move, remove or jump over a worker of the opponent
// on at. Coins shield.
func (g *generator) canMove(p position, at int) bool {
	return slices.Contains(p.workers[g.them], at) && !g.closed(p, at)
}

// built is t after a block on at.
func (g *generator) built(t turn, at int) turn {
	t.board = t.board.raised(at, 1)
	if t.board.god[g.me] == "clio" {
		t.board.state[g.me] = coined(t.board.state[g.me], at)
	}
	return t
}

// coined is the state of clio after a block or dome on at.
func coined(state string, at int) string {
	left, list := 3, coins(state)
	if state != "" {
		left, _ = strconv.Atoi(state[:1])
	}
	list = slices.DeleteFunc(list, func(name string) bool { return name == squareName(at) })
	if left > 0 {
		left--
		list = append(list, squareName(at))
	}
	slices.SortFunc(list, func(a, b string) int { return placeOf(a) - placeOf(b) })
	if left == 3 {
		return ""
	}
	return fmt.Sprintf("%d|%s", left, strings.Join(list, ","))
}

func placeOf(name string) int { return int(name[0]-'A') + 5*int('5'-name[1]) }

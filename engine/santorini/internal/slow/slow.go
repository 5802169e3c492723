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
	w        position // at the start of the turn
	me, them int
	out      map[string]bool
	climbers map[string]bool // the elements of out that some turn with a climb leads to
}

// turn is a turn so far.
type turn struct {
	w             position
	up, down      bool
	leftNeighbour bool // a worker that began next to aphrodite's ended elsewhere
}

// Knows reports whether there is a slow model of god.
func Knows(god string) bool { return slowGods[god] != nil }

// Next lists the distinct states after every turn, sorted. A blocked mover has
// none. Both gods must be known.
func Next(text string) []string {
	w := parsePosition(text)
	if w.winner != 0 {
		return nil
	}
	empty := !strings.ContainsAny(text[:25], "1234")
	placing := empty && (len(w.workers[0]) == 0 || len(w.workers[1]) == 0)
	if placing && w.god[1] == "bia" && w.god[0] != "bia" {
		// Bia places first. The text calls her side 1 until both have placed.
		w.mover = 1 - w.mover
	}
	s := &generator{w: w, me: w.mover, them: 1 - w.mover, out: map[string]bool{}, climbers: map[string]bool{}}
	if placing {
		s.place()
	} else if len(w.workers[s.me]) > 0 {
		slowGods[w.god[s.me]](s)
	}
	if w.god[s.them] == "persephone" && len(s.climbers) > 0 {
		return slices.Sorted(maps.Keys(s.climbers))
	}
	return slices.Sorted(maps.Keys(s.out))
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
func (s *generator) reachable(at int) []int {
	if s.w.god[s.me] != "urania" {
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
func (s *generator) ways(from int) map[int][2]int {
	list := map[int][2]int{}
	for d, name := range compass {
		to := ahead(from, d[0], d[1], s.w.god[s.me] == "urania")
		straight := d[0] == 0 || d[1] == 0
		for i := range 2 {
			if s.w.god[i] == "aeolus" && s.w.state[i] == name {
				to = -1
			}
			female := i == s.me && s.w.state[i] == squareName(from)
			if s.w.god[i] == "hippolyta" && straight && !female {
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
func (s *generator) closed(w position, at int) bool {
	if w.height[at] == 4 {
		return true
	}
	for i := range 2 {
		// The token counts where it was at the start: it moves last.
		if s.w.god[i] == "europa" && s.w.state[i] == squareName(at) {
			return true
		}
	}
	return s.w.god[s.them] == "clio" && slices.Contains(coins(s.w.state[s.them]), squareName(at))
}

func coins(state string) []string {
	_, list, _ := strings.Cut(state, "|")
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// levelOK reports whether the mover may step from height a to height b.
func (s *generator) levelOK(a, b, climb int) bool {
	foe := s.w.god[s.them]
	if (foe == "athena" || foe == "nike") && s.w.state[s.them] == "^" {
		climb = 0
	}
	return b <= a+climb && (foe != "hades" || b >= a)
}

// movers lists the workers that may move, by index.
func (s *generator) movers() []int {
	all := s.w.workers[s.me]
	var list []int
	for k, from := range all {
		higher := 0
		for _, other := range all {
			if other != from && s.w.height[other] >= s.w.height[from] {
				higher++
			}
		}
		if s.w.god[s.them] == "hypnus" && higher == 0 && len(all) > 1 {
			continue
		}
		list = append(list, k)
	}
	return list
}

// steps lists the squares for one step of worker k.
func (s *generator) steps(r turn, k, climb int) []int {
	from := r.w.workers[s.me][k]
	var list []int
	for to := range s.ways(from) {
		if !r.w.taken(to) && !s.closed(r.w, to) && s.levelOK(r.w.height[from], r.w.height[to], climb) {
			list = append(list, to)
		}
	}
	return list
}

// step moves worker k, which began the turn on home. A win ends the turn.
func (s *generator) step(r turn, k, to, home int) (next turn, won bool) {
	from := r.w.workers[s.me][k]
	d := s.ways(from)[to]
	return s.land(r, k, to, home, d)
}

// land puts worker k on to after a step in direction d.
func (s *generator) land(r turn, k, to, home int, d [2]int) (next turn, won bool) {
	from := r.w.workers[s.me][k]
	next = r
	next.w = r.w.copy()
	next.w.workers[s.me][k] = to
	a, b := r.w.height[from], r.w.height[to]
	next.up, next.down = r.up || b > a, r.down || b < a
	won = s.wins(r.w, next.w, from, to)
	at := to
	for s.w.god[s.them] == "harpies" && !won {
		on := ahead(at, d[0], d[1], false)
		if on < 0 || next.w.taken(on) || s.closed(next.w, on) || next.w.height[on] > next.w.height[at] {
			break
		}
		next.w.workers[s.me][k] = on
		at = on
	}
	if god := s.w.god[s.me]; (god == "selene" || god == "hippolyta") && r.w.state[s.me] == squareName(from) {
		next.w.state[s.me] = squareName(at)
	}
	if s.w.god[s.them] == "aphrodite" {
		next.leftNeighbour = nextTo(s.w.workers[s.them], home) && !nextTo(next.w.workers[s.them], at)
	}
	return next, won
}

func nextTo(workers []int, s int) bool {
	return slices.ContainsFunc(touching(s), func(t int) bool { return slices.Contains(workers, t) })
}

// wins reports whether a step from from to to wins.
func (s *generator) wins(before, after position, from, to int) bool {
	a, b := before.height[from], before.height[to]
	if s.w.god[s.them] == "hera" && onEdge(to) {
		return false
	}
	switch s.w.god[s.me] {
	case "pegasus":
		return a == 2 && b == 3
	case "pan":
		if a-b >= 2 {
			return true
		}
	case "eros":
		for _, other := range after.workers[s.me] {
			if b == 1 && after.height[other] == 1 && slices.Contains(touching(to), other) {
				return true
			}
		}
	case "maenads":
		mine := after.workers[s.me]
		for _, mid := range after.workers[s.them] {
			if len(mine) == 2 && mine[0]+mine[1] == 2*mid && slices.Contains(touching(mid), mine[0]) && slices.Contains(touching(mid), mine[1]) {
				return true
			}
		}
	}
	return a < 3 && b == 3
}

// end adds the result of a finished turn.
func (s *generator) end(r turn, won bool) {
	if r.leftNeighbour {
		return
	}
	w := r.w.copy()
	if !won {
		won = s.after(&w, r)
	}
	text := w.over(won).String()
	s.out[text] = true
	if r.up {
		s.climbers[text] = true
	}
}

// after changes what a god changes at the end of a turn that has not won.
func (s *generator) after(w *position, r turn) (won bool) {
	switch w.god[s.me] {
	case "athena":
		w.state[s.me] = map[bool]string{true: "^"}[r.up]
	case "nike":
		w.state[s.me] = map[bool]string{true: "^"}[r.down]
	case "medusa":
		for _, foe := range slices.Clone(w.workers[s.them]) {
			for _, mine := range w.workers[s.me] {
				if slices.Contains(touching(mine), foe) && w.height[foe] < w.height[mine] && !s.closed(*w, foe) && slices.Contains(w.workers[s.them], foe) {
					s.take(w, foe)
					w.height[foe]++
				}
			}
		}
	case "chronus":
		domes := 0
		for _, h := range w.height {
			domes += h / 4
		}
		return domes >= 5
	}
	return false
}

// take removes a worker of the opponent.
func (s *generator) take(w *position, at int) {
	w.workers[s.them] = slices.DeleteFunc(slices.Clone(w.workers[s.them]), func(t int) bool { return t == at })
	if w.state[s.them] == squareName(at) && (w.god[s.them] == "selene" || w.god[s.them] == "hippolyta") {
		w.state[s.them] = ""
	}
}

// force moves a worker of the opponent.
func (s *generator) force(r turn, from, to int) turn {
	r.w = r.w.copy()
	for k, at := range r.w.workers[s.them] {
		if at == from {
			r.w.workers[s.them][k] = to
		}
	}
	if god := r.w.god[s.them]; (god == "selene" || god == "hippolyta") && r.w.state[s.them] == squareName(from) {
		r.w.state[s.them] = squareName(to)
	}
	return r
}

// canBuild reports whether one level may be built on at.
func (s *generator) canBuild(w position, at int) bool {
	if s.w.god[s.them] == "limus" && nextTo(w.workers[s.them], at) && w.height[at] != 3 {
		return false
	}
	return !w.taken(at) && !s.closed(w, at)
}

// canDome reports whether a power may put a dome on at.
func (s *generator) canDome(w position, at int) bool {
	return s.canBuild(w, at)
}

// built is r after a block on at.
func (s *generator) built(r turn, at int) turn {
	r.w = r.w.raised(at, 1)
	if r.w.god[s.me] == "clio" {
		r.w.state[s.me] = coined(r.w.state[s.me], at, r.w.height[at] < 4)
	}
	return r
}

// coined is the state of clio after a block on at.
func coined(state string, at int, block bool) string {
	left, list := 3, coins(state)
	if state != "" {
		left, _ = strconv.Atoi(state[:1])
	}
	list = slices.DeleteFunc(list, func(name string) bool { return name == squareName(at) })
	if block && left > 0 {
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

// Package tournament says which pairs of games a run has, in which order, and
// when it is over.
//
// Formats are folds over results in job order: what comes next depends on the
// plan and on the longest unbroken prefix of finished pairs alone, never on
// which game happened to end first. So a resumed run goes where an undisturbed
// one would have gone. It plays nothing, stores nothing and knows no game.
package tournament

import (
	"fmt"

	"thera/arena"
)

// Pair is the unit of every format: one opening, played once from each seat
// (once in all where Swap is false).
type Pair struct {
	A, B   int // engines by place in the plan; equal: one against itself
	Round  int // from 1
	Number int // from 0, within the pairing over the whole run: decides the opening
	Single int // 0: both legs; else only leg Single-1
}

// Legs are the games of the pair.
func (p Pair) Legs() []int {
	if p.Single > 0 {
		return []int{p.Single - 1}
	}
	return []int{0, 1}
}

// Game is what a format needs to know of one finished game.
type Game struct {
	Winner int // 0: A, 1: B, -1: a draw
	Blamed int // 0: A, 1: B, -1: nobody was at fault
	Same   uint64
}

// Result is a finished pair: its games by place in Legs. Skipped pairs were
// not played because an engine left the run.
type Result struct {
	Games   []Game
	Skipped bool
	Left    [2]bool // where Skipped: which of A and B left
}

// Points of A and B, in games won.
func (r Result) Points() (a, b float64) {
	for _, g := range r.Games {
		switch g.Winner {
		case 0:
			a++
		case 1:
			b++
		default:
			a, b = a+0.5, b+0.5
		}
	}
	return a, b
}

// State says what can be had from a Schedule.
type State int

// The states.
const (
	Ready State = iota // here is a pair
	Wait               // results are needed first
	Over               // there will be no more
)

// format decides the pairs of one kind of tournament.
type format interface {
	// next is the pair at place, where all before it were asked for.
	next(place int) (Pair, State)
	// saw folds the next pair of the prefix; a reason ends the run.
	saw(p Pair, r Result) (over string)
	// total is the number of games as far as known.
	total() int
	// end is the reason when next says Over.
	end() string
}

// Schedule hands out pairs in job order and takes their results in any order.
// It is used by one goroutine.
type Schedule struct {
	plan    *arena.Plan
	format  format
	until   *until
	table   *Table
	pairs   []Pair          // handed out
	results map[int]*Result // beyond the prefix
	prefix  int
	faults  []int
	left    []bool // engines that left the run
	reason  string // why the run is over
	remarks []string
}

// New is the schedule of a checked plan.
func New(plan *arena.Plan) (*Schedule, error) {
	s := &Schedule{
		plan: plan, results: map[int]*Result{}, table: newTable(plan),
		faults: make([]int, len(plan.Engines)), left: make([]bool, len(plan.Engines)),
	}
	switch plan.Format.Name {
	case "round-robin":
		s.format = roundRobin(plan)
	case "gauntlet":
		s.format = gauntlet(plan)
	case "sprt":
		s.format = newSPRT(plan)
	case "swiss":
		s.format = newSwiss(plan, s.remark)
	case "knockout":
		s.format = newKnockout(plan, s.remark)
	case "cells":
		s.format = newCells(plan)
	default:
		return nil, fmt.Errorf("unknown format %q", plan.Format.Name)
	}
	if plan.Until != (arena.Until{}) && plan.Format.Name != "cells" {
		s.until = &until{plan: plan, every: s.format.(*rounds).width(), table: newTable(plan)}
	}
	return s, nil
}

// Next hands out the next pair in job order with its place. Pairs of engines
// that left are passed over.
func (s *Schedule) Next() (place int, p Pair, state State) {
	for {
		if s.reason != "" {
			return 0, Pair{}, Over
		}
		place = len(s.pairs)
		p, state = s.format.next(place)
		switch {
		case state == Over && s.prefix == place:
			s.reason = s.format.end()
			return 0, Pair{}, Over
		case state == Over:
			return 0, Pair{}, Wait
		case state == Wait:
			return 0, Pair{}, Wait
		}
		s.pairs = append(s.pairs, p)
		if !s.left[p.A] && !s.left[p.B] {
			return place, p, Ready
		}
		s.Finish(place, Result{Skipped: true, Left: [2]bool{s.left[p.A], s.left[p.B]}})
	}
}

// Finish takes the result of the pair at place. Results that arrive after the
// end, or twice, change nothing.
func (s *Schedule) Finish(place int, r Result) {
	if place < s.prefix || place >= len(s.pairs) || s.results[place] != nil {
		return
	}
	s.results[place] = &r
	s.table.add(s.pairs[place], r)
	for s.results[s.prefix] != nil {
		p, r := s.pairs[s.prefix], *s.results[s.prefix]
		delete(s.results, s.prefix)
		s.prefix++
		if s.reason == "" {
			s.fold(p, r)
		}
	}
}

func (s *Schedule) fold(p Pair, r Result) {
	s.reason = s.format.saw(p, r)
	if s.until != nil && s.reason == "" {
		s.reason = s.until.saw(p, r)
	}
	for _, g := range r.Games {
		if g.Blamed < 0 {
			continue
		}
		at := [2]int{p.A, p.B}[g.Blamed]
		s.faults[at]++
		spec := &s.plan.Engines[at]
		if spec.OnFault == arena.FaultDrop && s.faults[at] >= spec.MaxFault && !s.left[at] {
			s.left[at] = true
			s.remark(fmt.Sprintf("%s left the run after %d faults", spec.Name, s.faults[at]))
		}
	}
}

func (s *Schedule) remark(text string) { s.remarks = append(s.remarks, text) }

// Remarks are what is to be noted since the last call: a tie that the seeding
// broke, an engine that left.
func (s *Schedule) Remarks() []string {
	remarks := s.remarks
	s.remarks = nil
	return remarks
}

// Over tells why the run is over, once it is.
func (s *Schedule) Over() (reason string, over bool) { return s.reason, s.reason != "" }

// Prefix is the number of pairs in the longest unbroken prefix of finished
// ones.
func (s *Schedule) Prefix() int { return s.prefix }

// Games is the number of games planned as far as known; for a test, the most.
func (s *Schedule) Games() int { return s.format.total() }

// Table is the tally of all finished pairs, those beyond the prefix included.
func (s *Schedule) Table() *Table { return s.table }

// SPRT is where the test stands, nil for other formats.
func (s *Schedule) SPRT() *arena.SPRTState {
	if t, ok := s.format.(*sprt); ok {
		return t.state()
	}
	return nil
}

// Standings are those of a Swiss or a knockout, best first; nil for others.
func (s *Schedule) Standings() []Standing {
	if t, ok := s.format.(interface{ standings() []Standing }); ok {
		return t.standings()
	}
	return nil
}

// Standing is one engine's place.
type Standing struct {
	Engine   int
	Points   float64
	Buchholz float64
	Wins     int
	Note     string // "bye in round 2", "lost the final"
}

// Package slow is a second, slow implementation of the rules, for tests.
package slow

import (
	"slices"
	"strings"
)

// Model is a second, slow implementation of the rules on names of points. It
// shares nothing with the package under test: neighbours follow from the sixteen
// lines that are written out below.
type Model struct {
	board   map[string]byte // 'O' or '@'
	hand    map[byte]int
	Mover   byte
	remove  int // removals the mover still has to make
	Quiet   int
	seen    map[string]int // positions since the last placing or taking, that one not counted
	Result  string         // "", "white", "black" or "draw"
	flying  bool
	limit   int   // quiet plies that make a draw
	mutated Fault // what this model gets wrong on purpose
}

// Fault is a rule that the model breaks on purpose.
type Fault int

// Faithful is no fault; the others are numbers below Faults.
const (
	Faithful Fault = iota
	noFlying
	flyingWithFour
	removesFromMills
	spokesAreNoMills
	diagonalsJoin
	doubleMillRemovesTwo
	fourMenAreNeeded
	blockedDraws
	secondOccurrenceDraws
	originCounts
	countsOneQuietPlyTooMany
	placingClosesNoMill
	slidingWhilePlacing
	Faults // how many there are
)

var millLines = [][3]string{
	{"c3", "d3", "e3"},
	{"e3", "e4", "e5"},
	{"e5", "d5", "c5"},
	{"c5", "c4", "c3"},
	{"b2", "d2", "f2"},
	{"f2", "f4", "f6"},
	{"f6", "d6", "b6"},
	{"b6", "b4", "b2"},
	{"a1", "d1", "g1"},
	{"g1", "g4", "g7"},
	{"g7", "d7", "a7"},
	{"a7", "a4", "a1"},
	{"d1", "d2", "d3"},
	{"d5", "d6", "d7"},
	{"a4", "b4", "c4"},
	{"e4", "f4", "g4"},
}

var modelPoints = strings.Fields("a1 a4 a7 b2 b4 b6 c3 c4 c5 d1 d2 d3 d5 d6 d7 e3 e4 e5 f2 f4 f6 g1 g4 g7")

// New is the start.
func New(flying bool, limit int, m Fault) *Model {
	return &Model{
		board: map[string]byte{}, hand: map[byte]int{'O': 9, '@': 9}, Mover: 'O',
		seen: map[string]int{}, flying: flying, limit: limit, mutated: m,
	}
}

func foe(side byte) byte {
	if side == 'O' {
		return '@'
	}
	return 'O'
}

func (m *Model) men(side byte) []string {
	var list []string
	for _, p := range modelPoints {
		if m.board[p] == side {
			list = append(list, p)
		}
	}
	return list
}

func (m *Model) neighbours(a, b string) bool {
	for _, line := range millLines {
		for i := range 2 {
			if line[i] == a && line[i+1] == b || line[i] == b && line[i+1] == a {
				return true
			}
		}
	}
	if m.mutated == diagonalsJoin {
		for _, line := range [][3]string{{"a1", "b2", "c3"}, {"a7", "b6", "c5"}, {"g1", "f2", "e3"}, {"g7", "f6", "e5"}} {
			if slices.Contains(line[:], a) && slices.Contains(line[:], b) && (a == line[1] || b == line[1]) {
				return true
			}
		}
	}
	return false
}

// mills counts the mills of side through p.
func (m *Model) mills(side byte, p string) int {
	n := 0
	for i, line := range millLines {
		if m.mutated == spokesAreNoMills && i >= 12 {
			continue
		}
		if slices.Contains(line[:], p) && m.board[line[0]] == side && m.board[line[1]] == side && m.board[line[2]] == side {
			n++
		}
	}
	return n
}

// Closes counts the mills that an action closes.
func (m *Model) Closes(action string) int {
	if action[0] == 'x' {
		return 0
	}
	to := action[len(action)-2:]
	if len(action) == 5 {
		delete(m.board, action[:2])
		defer func() { m.board[action[:2]] = m.Mover }()
	}
	m.board[to] = m.Mover
	defer delete(m.board, to)
	return m.mills(m.Mover, to)
}

func (m *Model) Moves() []string {
	var list []string
	if m.Result != "" {
		return nil
	}
	if m.remove > 0 {
		var free, all []string
		for _, p := range m.men(foe(m.Mover)) {
			all = append(all, "x"+p)
			if m.mills(foe(m.Mover), p) == 0 {
				free = append(free, "x"+p)
			}
		}
		list = free
		if len(free) == 0 || m.mutated == removesFromMills {
			list = all
		}
		slices.Sort(list)
		return list
	}
	if m.hand[m.Mover] > 0 {
		for _, p := range modelPoints {
			if m.board[p] == 0 {
				list = append(list, p)
			}
		}
	}
	if m.hand[m.Mover] == 0 || m.mutated == slidingWhilePlacing && m.hand[m.Mover] < 4 {
		list = append(list, m.slides()...)
	}
	slices.Sort(list)
	return list
}

func (m *Model) slides() []string {
	var list []string
	men := m.men(m.Mover)
	flies := m.flying && m.mutated != noFlying && (len(men) == 3 || m.mutated == flyingWithFour && len(men) == 4)
	for _, from := range men {
		for _, to := range modelPoints {
			if m.board[to] == 0 && (flies || m.neighbours(from, to)) {
				list = append(list, from+"-"+to)
			}
		}
	}
	return list
}

func (m *Model) Play(action string) {
	m.Quiet++
	closed := 0
	switch {
	case action[0] == 'x':
		delete(m.board, action[1:])
		m.Quiet = 0
		clear(m.seen)
		m.remove--
	case len(action) == 2:
		m.board[action] = m.Mover
		m.hand[m.Mover]--
		m.Quiet = 0
		clear(m.seen)
		if m.mutated != placingClosesNoMill {
			closed = m.mills(m.Mover, action)
		}
	default:
		delete(m.board, action[:2])
		m.board[action[3:]] = m.Mover
		closed = m.mills(m.Mover, action[3:])
	}
	if closed > 0 {
		m.remove = 1
		if m.mutated == doubleMillRemovesTwo {
			m.remove = closed
		}
	}
	m.finish()
}

// finish judges the position after an action.
func (m *Model) finish() {
	least := 3
	if m.mutated == fourMenAreNeeded {
		least = 4
	}
	enemy := foe(m.Mover)
	if len(m.men(enemy))+m.hand[enemy] < least {
		m.Result = nameOf(m.Mover)
		return
	}
	if m.remove > 0 {
		return
	}
	m.Mover = enemy
	if m.hand[m.Mover] > 0 {
		return
	}
	if len(m.Moves()) == 0 {
		m.Result = nameOf(foe(m.Mover))
		if m.mutated == blockedDraws {
			m.Result = "draw"
		}
		return
	}
	limit, occurrences := m.limit, 3
	if m.mutated == countsOneQuietPlyTooMany {
		limit--
	}
	if m.mutated == secondOccurrenceDraws {
		occurrences = 2
	}
	key := m.key()
	if m.Quiet > 0 || m.mutated == originCounts {
		m.seen[key]++
	}
	if m.seen[key] >= occurrences || m.Quiet >= limit {
		m.Result = "draw"
	}
}

func nameOf(side byte) string {
	if side == 'O' {
		return "white"
	}
	return "black"
}

func (m *Model) key() string {
	b := []byte{m.Mover}
	for _, p := range modelPoints {
		man := m.board[p]
		if man == 0 {
			man = '.'
		}
		b = append(b, man)
	}
	return string(b)
}

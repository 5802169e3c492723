package rules_test

import (
	"slices"
	"strings"
)

// model is a second, slow implementation of the rules on names of points. It
// shares nothing with the package under test: neighbours follow from the sixteen
// lines that are written out below.
type model struct {
	board   map[string]byte // 'O' or '@'
	hand    map[byte]int
	mover   byte
	remove  int // removals the mover still has to make
	quiet   int
	seen    map[string]int // positions since the last placing or taking, that one not counted
	result  string         // "", "white", "black" or "draw"
	flying  bool
	limit   int      // quiet plies that make a draw
	mutated mutation // what this model gets wrong on purpose
}

type mutation int

const (
	faithful mutation = iota
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
	mutations
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

func newModel(flying bool, limit int, m mutation) *model {
	return &model{
		board: map[string]byte{}, hand: map[byte]int{'O': 9, '@': 9}, mover: 'O',
		seen: map[string]int{}, flying: flying, limit: limit, mutated: m,
	}
}

func foe(side byte) byte {
	if side == 'O' {
		return '@'
	}
	return 'O'
}

func (m *model) men(side byte) []string {
	var list []string
	for _, p := range modelPoints {
		if m.board[p] == side {
			list = append(list, p)
		}
	}
	return list
}

func (m *model) neighbours(a, b string) bool {
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
func (m *model) mills(side byte, p string) int {
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

// closes counts the mills that an action closes.
func (m *model) closes(action string) int {
	if action[0] == 'x' {
		return 0
	}
	to := action[len(action)-2:]
	if len(action) == 5 {
		delete(m.board, action[:2])
		defer func() { m.board[action[:2]] = m.mover }()
	}
	m.board[to] = m.mover
	defer delete(m.board, to)
	return m.mills(m.mover, to)
}

func (m *model) moves() []string {
	var list []string
	if m.result != "" {
		return nil
	}
	if m.remove > 0 {
		var free, all []string
		for _, p := range m.men(foe(m.mover)) {
			all = append(all, "x"+p)
			if m.mills(foe(m.mover), p) == 0 {
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
	if m.hand[m.mover] > 0 {
		for _, p := range modelPoints {
			if m.board[p] == 0 {
				list = append(list, p)
			}
		}
	}
	if m.hand[m.mover] == 0 || m.mutated == slidingWhilePlacing && m.hand[m.mover] < 4 {
		list = append(list, m.slides()...)
	}
	slices.Sort(list)
	return list
}

func (m *model) slides() []string {
	var list []string
	men := m.men(m.mover)
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

func (m *model) play(action string) {
	m.quiet++
	closed := 0
	switch {
	case action[0] == 'x':
		delete(m.board, action[1:])
		m.quiet = 0
		clear(m.seen)
		m.remove--
	case len(action) == 2:
		m.board[action] = m.mover
		m.hand[m.mover]--
		m.quiet = 0
		clear(m.seen)
		if m.mutated != placingClosesNoMill {
			closed = m.mills(m.mover, action)
		}
	default:
		delete(m.board, action[:2])
		m.board[action[3:]] = m.mover
		closed = m.mills(m.mover, action[3:])
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
func (m *model) finish() {
	least := 3
	if m.mutated == fourMenAreNeeded {
		least = 4
	}
	enemy := foe(m.mover)
	if len(m.men(enemy))+m.hand[enemy] < least {
		m.result = nameOf(m.mover)
		return
	}
	if m.remove > 0 {
		return
	}
	m.mover = enemy
	if m.hand[m.mover] > 0 {
		return
	}
	if len(m.moves()) == 0 {
		m.result = nameOf(foe(m.mover))
		if m.mutated == blockedDraws {
			m.result = "draw"
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
	if m.quiet > 0 || m.mutated == originCounts {
		m.seen[key]++
	}
	if m.seen[key] >= occurrences || m.quiet >= limit {
		m.result = "draw"
	}
}

func nameOf(side byte) string {
	if side == 'O' {
		return "white"
	}
	return "black"
}

func (m *model) key() string {
	b := []byte{m.mover}
	for _, p := range modelPoints {
		man := m.board[p]
		if man == 0 {
			man = '.'
		}
		b = append(b, man)
	}
	return string(b)
}

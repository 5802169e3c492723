// Package slow is a second, naive reading of the rules of Gyges, for tests
// only: maps, recursion and strings, written from the rules' text alone. It
// imports nothing of the game's package and refuses to be fast.
//
// It can also break one rule at a time, to prove that the tests would notice.
package slow

import (
	"fmt"
	"sort"
	"strings"
)

// Mutation is a deliberate mistake in the rules.
type Mutation int

// The mistakes.
const (
	Right Mutation = iota
	edgesAgainAfterBounce
	edgesAgainWithinWay
	startStays
	dropAnywhere
	dropNeverOnStart
	dropNotBehindOwnLine
	secondLineToo
	ownGoalToo
	goalFromSecondRow
	bounceKeepsValue
	noReplace
	passThroughPieces
	shorterWaysToo
	mutations
)

// Mutations lists all mistakes.
func Mutations() []Mutation {
	var list []Mutation
	for m := Right + 1; m < mutations; m++ {
		list = append(list, m)
	}
	return list
}

type cell struct{ row, column int }

type edge struct{ a, b cell }

func between(a, b cell) edge {
	if b.row < a.row || b.row == a.row && b.column < a.column {
		a, b = b, a
	}
	return edge{a, b}
}

func (c cell) number() int { return 6*c.row + c.column }

type board map[cell]int

// Moves lists the moves of player (1 or 2) on a layout, sorted bytewise.
func Moves(layout string, player int, wrong Mutation) []string {
	b := board{}
	for r, row := range strings.Split(layout, "/") {
		for c, digit := range row {
			if digit != '0' {
				b[cell{r, c}] = int(digit - '0')
			}
		}
	}
	found := map[string]bool{}
	lines := []int{b.line(player, 0)}
	if wrong == secondLineToo {
		lines = append(lines, b.line(player, 1))
	}
	for _, line := range lines {
		for column := range 6 {
			if start := (cell{line, column}); b[start] != 0 {
				b.movesOf(start, player, wrong, found)
			}
		}
	}
	list := make([]string, 0, len(found))
	for text := range found {
		list = append(list, text)
	}
	sort.Strings(list)
	return list
}

// line is the player's n-th row that holds a piece, from its side.
func (b board) line(player, n int) int {
	for i := range 6 {
		row := i
		if player == 2 {
			row = 5 - i
		}
		for column := range 6 {
			if b[cell{row, column}] != 0 {
				if n == 0 {
					return row
				}
				n--
				break
			}
		}
	}
	return -1
}

func (b board) movesOf(start cell, player int, wrong Mutation, found map[string]bool) {
	value := b[start]
	rest := board{}
	for at, v := range b {
		if at != start || wrong == startStays {
			rest[at] = v
		}
	}
	t := traveller{board: rest, player: player, wrong: wrong, done: map[string]bool{}, ends: map[int]bool{}, hits: map[cell]bool{}}
	t.walk(start, value, value, map[edge]bool{})
	for end := range t.ends {
		found[fmt.Sprintf("%d|%d", start.number(), end)] = true
	}
	if wrong == noReplace {
		return
	}
	for hit := range t.hits {
		line, mine := b.line(3-player, 0), b.line(player, 0)
		for r := range 6 {
			for c := range 6 {
				to := cell{r, c}
				ahead := player == 1 && r <= line || player == 2 && r >= line || wrong == dropAnywhere
				if wrong == dropNotBehindOwnLine && (player == 1 && r < mine || player == 2 && r > mine) {
					continue
				}
				if to == start && wrong != dropNeverOnStart || b[to] == 0 && ahead {
					found[fmt.Sprintf("%d|%d|%d", start.number(), hit.number(), to.number())] = true
				}
			}
		}
	}
}

type traveller struct {
	board  board
	player int
	wrong  Mutation
	done   map[string]bool // situations seen before
	ends   map[int]bool
	hits   map[cell]bool
}

func (t *traveller) walk(at cell, left, value int, used map[edge]bool) {
	if key := fmt.Sprint(at, left, value, used); t.done[key] {
		return
	} else {
		t.done[key] = true
	}
	for _, d := range []cell{{0, 1}, {0, -1}, {1, 0}, {-1, 0}} {
		to := cell{at.row + d.row, at.column + d.column}
		if to.row < 0 || to.row > 5 {
			if left == 1 && (to.row > 5) == (t.player == 1) || left == 1 && t.wrong == ownGoalToo {
				t.ends[goalBeyond(to.row)] = true
			}
			continue
		}
		if to.column < 0 || to.column > 5 || used[between(at, to)] && t.wrong != edgesAgainWithinWay {
			continue
		}
		if t.wrong == goalFromSecondRow && left == 1 && (at.row == 4 && t.player == 1 || at.row == 1 && t.player == 2) {
			t.ends[goalBeyond(6*(2-t.player))] = true
		}
		now := map[edge]bool{between(at, to): true}
		for e := range used {
			now[e] = true
		}
		t.step(to, left-1, value, now)
	}
}

func goalBeyond(row int) int {
	if row > 0 {
		return 37
	}
	return 36
}

func (t *traveller) step(to cell, left, value int, used map[edge]bool) {
	piece := t.board[to]
	switch {
	case left > 0 && piece != 0 && t.wrong != passThroughPieces:
		return
	case left > 0:
		if t.wrong == shorterWaysToo && piece == 0 {
			t.ends[to.number()] = true
		}
		t.walk(to, left, value, used)
	case piece == 0:
		t.ends[to.number()] = true
	default:
		t.hits[to] = true
		if t.wrong == edgesAgainAfterBounce {
			used = map[edge]bool{}
		}
		if t.wrong != bounceKeepsValue {
			value = piece
		}
		t.walk(to, value, value, used)
	}
}

// after is the layout that a move of Moves leaves.
func after(layout, move string) string {
	digits := []byte(strings.ReplaceAll(layout, "/", ""))
	var n [3]int
	parts := strings.Split(move, "|")
	for i, part := range parts {
		fmt.Sscan(part, &n[i])
	}
	moved := digits[n[0]]
	digits[n[0]] = '0'
	if len(parts) == 3 {
		digits[n[2]] = digits[n[1]]
	}
	if n[1] < 36 {
		digits[n[1]] = moved
	}
	rows := make([]string, 6)
	for r := range rows {
		rows[r] = string(digits[6*r : 6*r+6])
	}
	return strings.Join(rows, "/")
}

// Wins says whether player can enter the goal with its next move.
func Wins(layout string, player int) bool {
	for _, move := range Moves(layout, player, Right) {
		if strings.Contains(move, "|36") || strings.Contains(move, "|37") {
			return true
		}
	}
	return false
}

// WinsIn3 says whether the move forces a win with player's next move after
// any reply: the reply itself is no win, and does not prevent it.
func WinsIn3(layout string, player int, move string) bool {
	layout = after(layout, move)
	if Wins(layout, 3-player) {
		return false
	}
	for _, reply := range Moves(layout, 3-player, Right) {
		if !Wins(after(layout, reply), player) {
			return false
		}
	}
	return true
}

//go:build unix

package main

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func bestMove(line []byte) bool { return bytes.Contains(line, []byte(`"best_move"`)) }

// position is a Santorini position as text (v1: squares are indices), split
// into fields without any knowledge of the rules.
type position struct {
	heights []byte
	turn    string
	gods    [2]string
	workers [2][]int
}

func (p position) String() string {
	text := string(p.heights) + "/" + p.turn
	for i, god := range p.gods {
		text += "/" + god + ":"
		for k, w := range p.workers[i] {
			if k > 0 {
				text += ","
			}
			text += strconv.Itoa(w)
		}
	}
	return text
}

var (
	positionForm = regexp.MustCompile(`^([0-4]{25})/([12])/([a-z#]+):([0-9,]*)/([a-z#]+):([0-9,]*)$`)
	startForm    = regexp.MustCompile(`"start_state":"([^"]*)"`)
	nextForm     = regexp.MustCompile(`"next_state":"([^"]*)"`)
)

func takeApart(text string) (position, bool) {
	m := positionForm.FindStringSubmatch(text)
	if m == nil {
		return position{}, false
	}
	p := position{heights: []byte(m[1]), turn: m[2], gods: [2]string{m[3], m[5]}}
	for i, list := range []string{m[4], m[6]} {
		for word := range strings.SplitSeq(list, ",") {
			if square, err := strconv.Atoi(word); err == nil {
				p.workers[i] = append(p.workers[i], square)
			}
		}
	}
	return p, true
}

// wrongs are the kinds of illegal states. before is the position of the
// question, after a legal successor; mover is 0 or 1.
var wrongs = map[string]func(before, after position, mover int) position{
	"illegal-still": func(before, _ position, _ int) position { return before },
	"illegal-side": func(before, after position, _ int) position {
		after.turn = before.turn
		return after
	},
	"illegal-nobuild": func(before, after position, _ int) position {
		after.heights = before.heights
		return after
	},
	"illegal-twoblocks": func(_, after position, _ int) position {
		for i, h := range after.heights {
			if h == '0' {
				after.heights[i] = '2'
				return after
			}
		}
		return after
	},
	"illegal-far": func(before, after position, mover int) position {
		after.workers[mover][0] = free(before, after, 24)
		return after
	},
	"illegal-overlap": func(_, after position, mover int) position {
		after.workers[mover][0] = after.workers[1-mover][0]
		return after
	},
	"illegal-opponent": func(before, after position, mover int) position {
		after.workers[1-mover][0] = free(before, after, 0)
		return after
	},
	"illegal-god": func(_, after position, mover int) position {
		after.gods[mover] = "pan"
		return after
	},
	"illegal-win": func(_, after position, mover int) position {
		after.gods[mover] += "#"
		return after
	},
	"illegal-removed": func(before, after position, mover int) position {
		after.heights = slices.Clone(before.heights)
		for i, h := range after.heights {
			if h > '0' {
				after.heights[i]--
				return after
			}
		}
		after.heights[0] = '4'
		return after
	},
}

func illegalKinds() []string {
	var kinds []string
	for kind := range wrongs {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds
}

// free returns the free square with the nearest index, in neither position
// used.
func free(before, after position, to int) int {
	for d := range 25 {
		for _, square := range []int{to - d, to + d} {
			used := square < 0 || square > 24
			for _, p := range []position{before, after} {
				used = used || slices.Contains(p.workers[0], square) || slices.Contains(p.workers[1], square)
			}
			if !used && after.heights[square] != '4' {
				return square
			}
		}
	}
	return to
}

// illegalState replaces the state in a best_move by a wrong one.
func illegalState(kind string, line []byte) []byte {
	start, next := startForm.FindSubmatch(line), nextForm.FindSubmatch(line)
	wrong := wrongs[kind]
	if start == nil || next == nil || wrong == nil {
		return line
	}
	before, ok := takeApart(string(start[1]))
	after, good := takeApart(string(next[1]))
	if !ok || !good {
		return line
	}
	mover := int(before.turn[0] - '1')
	return bytes.Replace(line, next[0], []byte(`"next_state":"`+wrong(before, after, mover).String()+`"`), 1)
}

package newgod

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const squares = 25

// hop is the god's name.
const hop = "hopper"

// state is a position.
type state struct {
	heights [squares]int8
	mover   int8
	winner  int8 // 1 or 2, 0 for none
	players [2]player
}

// player is one side. The workers are in the order of the board.
type player struct {
	hopper  bool
	left    int8 // jumps
	last    int8 // square of the last jump, -1 for none
	placed  bool
	workers [2]int8
}

// steps are the eight directions.
var steps = [8][2]int8{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}

// to is the square next to s in direction d, -1 outside of the board.
func to(s int8, d [2]int8) int8 {
	x, y := s%5+d[0], s/5+d[1]
	if x < 0 || x > 4 || y < 0 || y > 4 {
		return -1
	}
	return y*5 + x
}

// free reports whether a worker may stand or a block may be put on s.
func (p *state) free(s int8) bool {
	if s < 0 || p.heights[s] > 3 {
		return false
	}
	for i := range p.players {
		if o := &p.players[i]; o.placed && (o.workers[0] == s || o.workers[1] == s) {
			return false
		}
	}
	return true
}

// turns are all next states, some of them twice. fault is the engine's.
func (p *state) turns(fault string) []state {
	me := &p.players[p.mover]
	if !me.placed {
		return p.placements()
	}
	var next []state
	for w, from := range me.workers {
		for _, d := range steps {
			if at := to(from, d); at >= 0 && p.free(at) && p.heights[at] <= p.heights[from]+1 {
				next = p.moved(next, w, at, false)
			}
			over := to(from, d)
			if !me.hopper || me.left == 0 || over < 0 || over != me.workers[1-w] {
				continue
			}
			climb := int8(1)
			if fault == FaultClimb {
				climb = 2
			}
			if at := to(over, d); at >= 0 && p.free(at) && p.heights[at] <= p.heights[from]+climb {
				next = p.moved(next, w, at, true)
			}
		}
	}
	return next
}

// moved adds the states after worker w went to at: all builds, or the win.
func (p *state) moved(next []state, w int, at int8, jump bool) []state {
	q := *p
	me := &q.players[p.mover]
	from := me.workers[w]
	me.workers[w] = at
	slices.Sort(me.workers[:])
	if jump {
		me.left, me.last = me.left-1, at
	}
	q.mover = 1 - p.mover
	if q.heights[at] == 3 && p.heights[from] < 3 {
		q.winner = p.mover + 1
		return append(next, q)
	}
	for _, d := range steps {
		if b := to(at, d); b >= 0 && q.free(b) {
			built := q
			built.heights[b]++
			next = append(next, built)
		}
	}
	return next
}

func (p *state) placements() []state {
	var next []state
	for a := range int8(squares) {
		for b := a + 1; b < squares; b++ {
			if p.free(a) && p.free(b) {
				q := *p
				q.players[p.mover].placed, q.players[p.mover].workers = true, [2]int8{a, b}
				q.mover = 1 - p.mover
				next = append(next, q)
			}
		}
	}
	return next
}

// blocked is the state after a mover without a turn: he has lost.
func (p *state) blocked() state {
	q := *p
	q.winner = 2 - p.mover
	return q
}

func name(s int8) string { return string([]byte{'A' + byte(s%5), '5' - byte(s/5)}) }

func square(text string) (int8, error) {
	if len(text) == 2 && text[0] >= 'A' && text[0] <= 'E' && text[1] >= '1' && text[1] <= '5' {
		return int8('5'-text[1])*5 + int8(text[0]-'A'), nil
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 0 && n < squares {
		return int8(n), nil
	}
	return 0, fmt.Errorf("%q is not a square", text)
}

// text is the position as the engine with a fault writes it.
func (p *state) text(fault string) string {
	square, other := name, fault == FaultIndices
	if other {
		square = func(s int8) string { return strconv.Itoa(int(s)) }
	}
	var b strings.Builder
	for _, h := range p.heights {
		b.WriteByte('0' + byte(h))
	}
	fmt.Fprintf(&b, "/%d", p.mover+1)
	for i := range p.players {
		o := &p.players[i]
		b.WriteByte('/')
		if int(p.winner) == i+1 && !other {
			b.WriteByte('#')
		}
		switch {
		case !o.hopper:
			b.WriteString("mortal")
		case o.last < 0:
			b.WriteString(hop)
		default:
			fmt.Fprintf(&b, "%s[%d|%s]", hop, o.left, square(o.last))
		}
		if int(p.winner) == i+1 && other {
			b.WriteByte('#')
		}
		switch {
		case o.placed && other:
			fmt.Fprintf(&b, ":%s,%s", square(o.workers[1]), square(o.workers[0]))
		case o.placed:
			fmt.Fprintf(&b, ":%s,%s", square(o.workers[0]), square(o.workers[1]))
		}
	}
	return b.String()
}

// parse reads what text wrote.
func parse(text string) (state, error) {
	fields := strings.Split(text, "/")
	if len(fields) != 4 || len(fields[0]) != squares || fields[1] != "1" && fields[1] != "2" {
		return state{}, errors.New("not a position")
	}
	p := state{mover: int8(fields[1][0] - '1')}
	for i, c := range fields[0] {
		if c < '0' || c > '4' {
			return state{}, fmt.Errorf("height %q", c)
		}
		p.heights[i] = int8(c - '0')
	}
	for i := range p.players {
		o := &p.players[i]
		section := strings.Replace(fields[2+i], "#", "", 1)
		if section != fields[2+i] {
			p.winner = int8(i + 1)
		}
		head, workers, placed := strings.Cut(section, ":")
		god, own, bracket := strings.Cut(head, "[")
		o.hopper, o.left, o.last, o.placed = god == hop, 3, -1, placed
		if !o.hopper && god != "mortal" {
			return state{}, fmt.Errorf("unknown god %q", god)
		}
		if bracket {
			left, last, _ := strings.Cut(strings.TrimSuffix(own, "]"), "|")
			n, err := strconv.Atoi(left)
			if err != nil || n < 0 || n > 3 || !o.hopper {
				return state{}, fmt.Errorf("state %q", own)
			}
			at, err := square(last)
			if err != nil {
				return state{}, err
			}
			o.left, o.last = int8(n), at
		}
		if !placed {
			continue
		}
		words := strings.Split(workers, ",")
		if len(words) != 2 {
			return state{}, fmt.Errorf("%d workers", len(words))
		}
		for k, word := range words {
			at, err := square(word)
			if err != nil {
				return state{}, err
			}
			o.workers[k] = at
		}
		slices.Sort(o.workers[:])
	}
	return p, nil
}

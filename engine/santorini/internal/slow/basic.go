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

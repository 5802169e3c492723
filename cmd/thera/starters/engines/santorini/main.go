// A small Santorini engine for mortals: it looks one turn ahead.
//
// The protocol is one line in, one line out; docs/santorini.md in Thera's
// repository describes it. Replace choose by your own search. Build this file
// with `go build santorini.go`, check it with `thera check -- ./santorini` and
// play it with `thera vs builtin ./santorini`.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// position has the heights of 25 squares, 0 is A5 and 24 is E1, and two workers a side.
type position struct {
	heights [25]byte
	turn    int // 0 or 1
	gods    [2]string
	workers [2][]int
	squares bool // the question names squares as A5, not as 0
	winner  int  // -1: none
}

type action map[string]any

// turn is a next state with the actions that lead to it.
type turn struct {
	Next    string   `json:"next_state"`
	Actions []action `json:"actions"`
	score   int
}

func name(at int) string { return string("ABCDE"[at%5]) + string("54321"[at/5]) }

func parse(text string) (*position, error) {
	fields := strings.Split(text, "/")
	if len(fields) != 4 || len(fields[0]) != 25 || (fields[1] != "1" && fields[1] != "2") {
		return nil, fmt.Errorf("bad position %q", text)
	}
	p := &position{turn: int(fields[1][0] - '1'), winner: -1}
	for i := range 25 {
		p.heights[i] = fields[0][i] - '0'
	}
	for side, field := range fields[2:] {
		if strings.Contains(field, "#") {
			p.winner = side
		}
		god, workers, _ := strings.Cut(strings.ReplaceAll(field, "#", ""), ":")
		p.gods[side] = god
		for w := range strings.SplitSeq(workers, ",") {
			at, err := strconv.Atoi(w)
			if err != nil {
				p.squares = true
				for at = 0; at < 25 && name(at) != w; at++ {
				}
			}
			if at < 0 || at > 24 {
				return nil, fmt.Errorf("bad worker %q", w)
			}
			p.workers[side] = append(p.workers[side], at)
		}
	}
	return p, nil
}

// String writes a position in the form in which the question was asked.
func (p *position) String() string {
	var b strings.Builder
	for _, h := range p.heights {
		b.WriteByte('0' + h)
	}
	fmt.Fprintf(&b, "/%d", p.turn+1)
	for side, god := range p.gods {
		mark := ""
		if p.winner == side {
			mark = "#"
		}
		var workers []string
		for _, at := range slices.Sorted(slices.Values(p.workers[side])) {
			workers = append(workers, fmt.Sprint(p.place(at)))
		}
		if p.squares {
			god = mark + god
		} else {
			god += mark
		}
		fmt.Fprintf(&b, "/%s:%s", god, strings.Join(workers, ","))
	}
	return b.String()
}

func (p *position) place(at int) any {
	if p.squares {
		return name(at)
	}
	return at
}

func (p *position) taken(at int) bool {
	return slices.Contains(p.workers[0], at) || slices.Contains(p.workers[1], at)
}

func near(at int) (list []int) {
	for to := range 25 {
		if dx, dy := to%5-at%5, to/5-at/5; to != at && dx*dx <= 1 && dy*dy <= 1 {
			list = append(list, to)
		}
	}
	return list
}

func (p *position) turns() (list []turn) {
	me := p.turn
	for i, from := range p.workers[me] {
		for _, to := range near(from) {
			if p.taken(to) || p.heights[to] > 3 || p.heights[to] > p.heights[from]+1 {
				continue
			}
			next := *p
			next.workers[me] = slices.Clone(p.workers[me])
			next.workers[me][i] = to
			next.turn = 1 - me
			step := []action{{"type": "select_worker", "value": p.place(from)}, {"type": "move_worker", "value": p.place(to)}}
			if p.heights[to] == 3 && p.heights[from] < 3 { // a step up to level 3 wins, without a build
				next.winner = me
				list = append(list, turn{next.String(), step, 1000})
				continue
			}
			for _, at := range near(to) {
				if next.taken(at) || p.heights[at] > 3 {
					continue
				}
				after := next
				after.heights[at]++
				build := action{"type": "build", "value": p.place(at)}
				list = append(list, turn{after.String(), append(slices.Clone(step), build), after.score(me)})
			}
		}
	}
	return list
}

// score says how good a position is for me, after my turn. Your evaluation goes here.
func (p *position) score(me int) int {
	total := 0
	for side, sign := range [2]int{1 - 2*me, 2*me - 1} {
		for _, at := range p.workers[side] {
			total += sign * 12 * int(p.heights[at])
			for _, to := range near(at) {
				if p.heights[to] <= p.heights[at]+1 {
					total += sign
				}
				if side != me && p.heights[at] == 2 && p.heights[to] == 3 && !p.taken(to) {
					total -= 500 // the opponent wins next
				}
			}
		}
	}
	return total
}

// choose returns the best turn, nil if there is none. Your search goes here.
func choose(p *position) *turn {
	turns := p.turns()
	if p.winner >= 0 || len(turns) == 0 {
		return nil
	}
	best := slices.MaxFunc(turns, func(a, b turn) int { return a.score - b.score })
	return &best
}

func say(message any) {
	text, _ := json.Marshal(message)
	fmt.Println(string(text)) // os.Stdout is not buffered
}

func main() {
	say(action{"type": "started"})
	for in := bufio.NewReader(os.Stdin); ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		command, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch command {
		case "quit":
			return
		case "ping":
			fmt.Println("pong")
		case "set_position", "next_moves":
			p, err := parse(text)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				continue
			}
			best := choose(p)
			switch {
			case p.winner >= 0: // the game is over
			case command == "next_moves" && best == nil:
				// A player without a turn loses: the only state has the opponent marked as the winner.
				// With indices the side to move changes there, with squares it does not.
				p.winner = 1 - p.turn
				if !p.squares {
					p.turn = 1 - p.turn
				}
				blocked := []turn{{p.String(), []action{{"type": "no_moves"}}, 0}}
				say(action{"type": "next_moves", "start_state": text, "next_states": blocked})
			case command == "next_moves":
				say(action{"type": "next_moves", "start_state": text, "next_states": p.turns()})
			case best != nil:
				// start_state is what was asked, byte for byte. The trigger end_of_line says that the
				// engine has finished; without it the referee waits until the time is over.
				meta := action{"calculated_depth": 1, "score": best.score, "actions": best.Actions}
				say(action{"type": "best_move", "start_state": text, "next_state": best.Next, "trigger": "end_of_line", "meta": meta})
			}
		}
		// stop needs no answer: this engine never thinks longer than it takes to answer.
	}
}

package newgod

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Serve runs the engine until quit or the end of its input. fault is one of the
// faults, or FaultNone.
func Serve(fault string, in io.Reader, out, errOut io.Writer) error {
	w := bufio.NewWriter(out)
	say := func(line string) {
		w.WriteString(line + "\n")
		w.Flush()
	}
	say(`{"type":"started"}`)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		word, text, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		switch word {
		case "ping":
			say("pong")
		case "quit":
			return nil
		case "next_moves", "set_position":
			p, err := parse(text)
			switch {
			case err != nil:
				fmt.Fprintf(errOut, "Error: Error parsing FEN: %v\n", err)
			case p.winner != 0:
				fmt.Fprintln(errOut, "Error: terminal state")
			case fault == FaultUnplaced && !(p.players[0].placed && p.players[1].placed):
				fmt.Fprintln(errOut, "Error: Error parsing FEN: Invalid position")
			case word == "next_moves" && fault == FaultDies && p.blocks() >= 8:
				return errors.New("gave up")
			case word == "next_moves":
				say(nextMoves(&p, fault))
			default:
				say(bestMove(&p, fault))
			}
		}
	}
	return lines.Err()
}

func (p *state) blocks() int {
	n := 0
	for _, h := range p.heights {
		n += int(h)
	}
	return n
}

// action is what the arena reads of an action: this engine names none but no_moves.
type action struct {
	Type string `json:"type"`
}

type entry struct {
	Next    string   `json:"next_state"`
	Actions []action `json:"actions"`
}

func nextMoves(p *state, fault string) string {
	list := []entry{}
	for _, q := range p.turns(fault) {
		list = append(list, entry{q.text(fault), []action{}})
	}
	if len(list) == 0 {
		q := p.blocked()
		list = append(list, entry{q.text(fault), []action{{"no_moves"}}})
	}
	return line(struct {
		Type  string  `json:"type"`
		Start string  `json:"start_state"`
		Next  []entry `json:"next_states"`
	}{"next_moves", p.text(fault), list})
}

type meta struct {
	Depth int `json:"calculated_depth"`
	Score int `json:"score"`
}

func bestMove(p *state, fault string) string {
	q, score := p.best(fault)
	return line(struct {
		Type    string `json:"type"`
		Start   string `json:"start_state"`
		Next    string `json:"next_state"`
		Trigger string `json:"trigger"`
		Meta    meta   `json:"meta"`
	}{"best_move", p.text(fault), q.text(fault), "end_of_line", meta{2, score}})
}

func line(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data only
	}
	return string(text)
}

const won = 1000

// best is the turn with the best worst reply. Placements are judged by themselves.
func (p *state) best(fault string) (next state, score int) {
	turns := p.turns(fault)
	if len(turns) == 0 {
		return p.blocked(), -won
	}
	score = -won - 1
	for i := range turns {
		q := &turns[i]
		worst := q.value(p.mover)
		if q.winner == 0 && p.players[1-p.mover].placed && p.players[p.mover].placed {
			replies := q.turns(fault)
			if worst = won; len(replies) > 0 {
				for k := range replies {
					if worst = min(worst, replies[k].value(p.mover)); worst <= score {
						break
					}
				}
			}
		}
		if worst > score {
			next, score = *q, worst
		}
	}
	return next, score
}

// value is how good a state is for a side: height, with the centre and the reach of
// its workers.
func (p *state) value(side int8) int {
	if p.winner != 0 {
		if p.winner == side+1 {
			return won
		}
		return -won
	}
	v := 0
	for i := range p.players {
		o := &p.players[i]
		if !o.placed {
			continue
		}
		sum := 0
		for _, w := range o.workers {
			sum += 10 * int(p.heights[w])
			for _, d := range steps {
				if at := to(w, d); at >= 0 && p.free(at) && p.heights[at] <= p.heights[w]+1 {
					sum += 1 + 2*int(p.heights[at])
				}
			}
		}
		if int8(i) == side {
			v += sum
		} else {
			v -= sum
		}
	}
	return v
}

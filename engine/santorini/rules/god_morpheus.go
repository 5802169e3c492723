package rules

import (
	"fmt"
	"strconv"
)

func morpheusPower() power {
	return power{
		name:  "morpheus",
		text:  "gains one build each turn and may use any number of those saved",
		state: memory{text: "[2]: builds saved; always written", sample: "2", parse: parseBank, format: formatBank},
		turns: morpheusTurns,
		hints: hints{value: morpheusValue},
	}
}

func morpheusTurns(g *generator) {
	g.stepAndBuild(func(q *State, at int, hint Move) {
		if g.winsOnly {
			return
		}
		q.GodState[g.me]++
		g.morpheusBuilds(*q, g.neighbours(at), hint)
	})
}

func (g *generator) morpheusBuilds(q State, set uint32, hint Move) {
	g.emit(&q, false, hint)
	if q.GodState[g.me] == 0 {
		return
	}
	for sites := g.buildable(&q, set); sites != 0; sites &= sites - 1 {
		s := lowest(sites)
		next := q
		g.raise(&next, s)
		next.GodState[g.me]--
		g.do(act(Build, s))
		g.morpheusBuilds(next, set&^(Bit(s)-1), hint&^noBuild|Move(s)<<10)
		g.undo(1)
	}
}

// morpheusMax is the largest number of builds saved. The opponent builds a level
// each turn, and there are 100 of them.
const morpheusMax = 99

func parseBank(text string) (uint32, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > morpheusMax || strconv.Itoa(n) != text {
		return 0, fmt.Errorf("[%s], want the number of builds saved, 0 to %d", text, morpheusMax)
	}
	return uint32(n), nil
}

func formatBank(value uint32) string { return fmt.Sprintf("[%d]", value) }

// morpheusValue rates the first few saved builds.
func morpheusValue(p *State, me int) int { return 15 * int(min(p.GodState[me&1], 4)) }

package santorini

import (
	"fmt"
	"strconv"
)

func morpheusPower() power {
	return power{
		name:    "morpheus",
		text:    "banks one build a turn, and builds as often as the bank allows",
		workers: 2,
		keeps:   "[2]: builds banked; always written",
		sample:  "2",
		turns:   morpheusTurns,
		player:  sense{common: true, value: morpheusValue},
		read:    morpheusRead,
		show:    func(kept uint32) string { return fmt.Sprintf("[%d]", kept) },
	}
}

func morpheusTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		if t.winsOnly {
			return
		}
		q.power[t.me]++
		t.morpheusBuilds(*q, t.beside(at), hint)
	})
}

func (t *turns) morpheusBuilds(q state, set uint32, hint move) {
	t.emit(&q, false, hint)
	if q.power[t.me] == 0 {
		return
	}
	for sites := t.buildable(&q, set); sites != 0; sites &= sites - 1 {
		s := lowest(sites)
		next := q
		t.raise(&next, s)
		next.power[t.me]--
		t.do(act(Build, s))
		t.morpheusBuilds(next, set&^(bit(s)-1), hint&^noBuild|move(s)<<10)
		t.undo(1)
	}
}

// morpheusMost: the opponent builds a level a turn, and there are 100.
const morpheusMost = 99

func morpheusRead(text string) (uint32, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > morpheusMost || strconv.Itoa(n) != text {
		return 0, fmt.Errorf("[%s], want how many builds are banked, 0 to %d", clip(text), morpheusMost)
	}
	return uint32(n), nil
}

// morpheusValue: a few builds in the bank are worth having, more hardly.
func morpheusValue(p *state, me int) int { return 15 * int(min(p.power[me&1], 4)) }

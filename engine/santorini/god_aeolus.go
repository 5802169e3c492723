package santorini

import "fmt"

func aeolusPower() power {
	return power{
		name:    "aeolus",
		text:    "sets a wind: nobody may move in its direction; once set it stays or ends",
		workers: 2,
		keeps:   "[n], [ne] … [nw]: the wind; nothing: none",
		sample:  "sw",
		turns:   aeolusTurns,
		rules:   aeolusWind,
		limit:   aeolusWind,
		read:    aeolusRead,
		show:    aeolusShow,
	}
}

// aeolusWind: it is kept as the direction plus one, 0 for none.
func aeolusWind(t *turns, side uint8) {
	if kept := t.p.power[side]; kept != 0 {
		t.winds[side] = int(kept - 1)
	}
}

// aeolusTurns: while no wind is set he may set any direction after his build,
// else only leave it or end it.
func aeolusTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		t.buildOn(q, t.sites(q, at), hint, func(q *state, _ int, hint move) {
			next, kept := *q, q.power[t.me]
			for d := range uint32(9) {
				if d == kept || d != 0 && kept != 0 {
					continue
				}
				next.power[t.me] = d
				t.do(Action{Kind: SetWind, At: windAction(d), To: noSquare})
				t.emit(&next, false, hint)
				t.undo(1)
			}
		})
	})
}

// windAction is the direction in an action, noSquare for no wind.
func windAction(kept uint32) int {
	if kept == 0 {
		return noSquare
	}
	return int(kept - 1)
}

var windNames = [8]string{"n", "ne", "e", "se", "s", "sw", "w", "nw"}

func aeolusRead(text string) (uint32, error) {
	for d, name := range windNames {
		if text == name {
			return uint32(d + 1), nil
		}
	}
	return 0, fmt.Errorf("[%s], want a direction n, ne, e, se, s, sw, w or nw, or no brackets", clip(text))
}

func aeolusShow(kept uint32) string {
	if kept == 0 {
		return ""
	}
	return "[" + windNames[kept-1] + "]"
}

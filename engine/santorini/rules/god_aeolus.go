package rules

import (
	"fmt"
)

func aeolusPower() power {
	return power{
		name:          "aeolus",
		text:          "sets a wind: nobody may move in its direction; once set, it stays or ends",
		state:         memory{text: "[n], [ne] … [nw]: the wind; nothing: none", sample: "sw", parse: parseWind, format: formatWind},
		turns:         aeolusTurns,
		hints:         hints{irregular: true},
		limitSelf:     aeolusWind,
		limitOpponent: aeolusWind,
	}
}

// aeolusWind forbids a direction. The state is the direction plus one, 0 for none.
func aeolusWind(g *generator, side uint8) {
	if value := g.p.GodState[side]; value != 0 {
		g.winds[side] = int(value - 1)
	}
}

// aeolusTurns: after his build, aeolus may set any wind if there is none, and end
// it if there is one.
func aeolusTurns(g *generator) {
	g.afterBuild(func(q *State, _, _ int, hint Move) {
		next, value := *q, q.GodState[g.me]
		for d := range uint32(9) {
			if d == value || d != 0 && value != 0 {
				continue
			}
			next.GodState[g.me] = d
			g.end(Action{Kind: SetWind, At: windAction(d), To: NoSquare}, &next, hint)
		}
	})
}

// windAction is the direction in an action, NoSquare for no wind.
func windAction(value uint32) int {
	if value == 0 {
		return NoSquare
	}
	return int(value - 1)
}

var windNames = [8]string{"n", "ne", "e", "se", "s", "sw", "w", "nw"}

func parseWind(text string) (uint32, error) {
	for d, name := range windNames {
		if text == name {
			return uint32(d + 1), nil
		}
	}
	return 0, fmt.Errorf("[%s], want a direction n, ne, e, se, s, sw, w or nw, or no brackets", text)
}

func formatWind(value uint32) string {
	if value == 0 {
		return ""
	}
	return "[" + windNames[value-1] + "]"
}

package rules

import (
	"fmt"
	"strings"
)

func clioPower() power {
	return power{
		name: "clio",
		text: "her first three blocks carry coins, which are domes to the opponent",
		state: memory{
			text: "[1|B5,D4]: coins left, squares of those placed; nothing: [3|]", sample: "1|D5,C3", initial: 3 << Squares,
			parse: parseCoins, format: formatCoins, tokens: func(value uint32) uint32 { return value & Board },
		},
		limitOpponent: func(g *generator, side uint8) { g.closed |= g.p.GodState[side] & Board },
		coins:         true,
		check:         checkCoins,
	}
}

// coin puts a coin on a block or dome on s. The state has the squares of clio's coins
// and, above them, the number of coins left. A block on a coin hides it.
func (g *generator) coin(q *State, s int) {
	state := &q.GodState[g.me]
	*state &^= Bit(s)
	if *state>>Squares > 0 {
		*state = *state - 1<<Squares | Bit(s)
	}
}

func parseCoins(text string) (uint32, error) {
	left, coins, ok := strings.Cut(text, "|")
	if !ok || len(left) != 1 || left[0] < '0' || left[0] > '3' {
		return 0, fmt.Errorf("[%s], want the coins left from 0 to 3, then | and the squares of those placed", text)
	}
	value := uint32(left[0]-'0') << Squares
	for name := range strings.SplitSeq(coins, ",") {
		s := ParseSquare(name)
		switch {
		case coins == "":
			return value, nil
		case s == NoSquare:
			return 0, fmt.Errorf("[%s]: coin %q is not a square from A5 to E1", text, name)
		case value&Bit(s) != 0:
			return 0, fmt.Errorf("[%s]: two coins on %s", text, name)
		}
		value |= Bit(s)
	}
	if n := int(value >> Squares); n+size(value&Board) > 3 {
		return 0, fmt.Errorf("[%s]: %d coins left and %d placed, she has 3", text, n, size(value&Board))
	}
	return value, nil
}

func formatCoins(value uint32) string {
	if value == 3<<Squares {
		return ""
	}
	out := []byte{'[', '0' + byte(value>>Squares), '|'}
	for i, coins := 0, value&Board; coins != 0; i, coins = i+1, coins&(coins-1) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, SquareName(lowest(coins))...)
	}
	return string(append(out, ']'))
}

func checkCoins(p *State, me int) error {
	coins := p.GodState[me] & Board
	if bad := coins &^ p.Above[0]; bad != 0 {
		return fmt.Errorf("a coin on %s, which is the ground", SquareName(lowest(bad)))
	}
	return nil
}

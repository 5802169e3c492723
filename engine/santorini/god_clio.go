package santorini

import (
	"fmt"
	"strings"
)

func clioPower() power {
	return power{
		name:    "clio",
		text:    "her first three blocks carry coins, which are domes to the opponent",
		workers: 2,
		keeps:   "[1|B5,D4]: coins left, squares of those placed; nothing: [3|]",
		sample:  "1|D5,C3",
		turns:   commonTurns,
		player:  sense{common: true},
		limit:   func(t *turns, side uint8) { t.closed |= t.p.power[side] & board },
		coins:   true,
		start:   3 << squares,
		token:   func(kept uint32) uint32 { return kept & board },
		read:    clioRead,
		show:    clioShow,
		check:   clioCheck,
	}
}

// coin: she keeps the squares of her coins, and above them how many are
// left. A block over a coin hides it.
func (t *turns) coin(q *state, s int) {
	kept := &q.power[t.me]
	*kept &^= bit(s)
	if *kept>>squares > 0 && q.up[3]&bit(s) == 0 {
		*kept = *kept - 1<<squares | bit(s)
	}
}

func clioRead(text string) (uint32, error) {
	left, coins, ok := strings.Cut(text, "|")
	if !ok || len(left) != 1 || left[0] < '0' || left[0] > '3' {
		return 0, fmt.Errorf("[%s], want the coins left from 0 to 3, then | and the squares of those placed", clip(text))
	}
	kept := uint32(left[0]-'0') << squares
	for name := range strings.SplitSeq(coins, ",") {
		s := squareOf(name)
		switch {
		case coins == "":
			return kept, nil
		case s == noSquare:
			return 0, fmt.Errorf("[%s]: coin %q is not a square from A5 to E1", clip(text), clip(name))
		case kept&bit(s) != 0:
			return 0, fmt.Errorf("[%s]: two coins on %s", clip(text), name)
		}
		kept |= bit(s)
	}
	if n := int(kept >> squares); n+size(kept&board) > 3 {
		return 0, fmt.Errorf("[%s]: %d coins left and %d placed, she has 3", clip(text), n, size(kept&board))
	}
	return kept, nil
}

func clioShow(kept uint32) string {
	if kept == 3<<squares {
		return ""
	}
	out := []byte{'[', '0' + byte(kept>>squares), '|'}
	for i, coins := 0, kept&board; coins != 0; i, coins = i+1, coins&(coins-1) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, squareName(lowest(coins))...)
	}
	return string(append(out, ']'))
}

func clioCheck(p *state, me int) error {
	coins := p.power[me] & board
	if bad := coins &^ p.up[0]; bad != 0 {
		return fmt.Errorf("a coin on %s, which is the ground", squareName(lowest(bad)))
	}
	if bad := coins & p.up[3]; bad != 0 {
		return fmt.Errorf("a coin on %s, which is a dome", squareName(lowest(bad)))
	}
	return nil
}

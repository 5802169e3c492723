package pyrat

import (
	"context"
	"time"
)

// The strategies of the built-in player.
const (
	greedy   = "Greedy"   // to the nearest cheese
	balanced = "Balanced" // to the best cheese, the opponent in mind
	search   = "Search"   // plays the game out many times
)

// brain is the built-in player of one board. It is used by one goroutine.
type brain struct {
	*paths
	strategy string
	depth    int // of the tree, in choices of a target
	playouts int // 0: as many as there is time for
	tree     tree
}

// thought is a move and what led to it.
type thought struct {
	move   uint8
	target int16   // the cell it goes for, -1 for none
	nodes  int     // playouts
	depth  int     // of the tree
	score  float64 // expected cheese ahead at the end, own view
	line   []uint8 // the way to the target
}

func newBrain(b *board, strategy string, depth, playouts int) *brain {
	return &brain{paths: newPaths(b), strategy: strategy, depth: depth, playouts: playouts}
}

// think chooses a move for player i (0 rat, 1 python). It returns soon after
// ctx ends and uses about the time given; report, if not nil, hears of every
// better look.
func (b *brain) think(ctx context.Context, p *position, i int, limit time.Duration, report func(thought)) thought {
	best := thought{move: stay, target: -1}
	set := b.left(p)
	if p.timer[i] > 0 || set.empty() {
		return best // stuck: the request is ignored
	}
	var k int16
	switch b.strategy {
	case greedy:
		k = b.nearest(set, p.at[i])
		best.depth = 1
	case balanced:
		k = b.weigh(p, set, i)
		best.depth = 1
	default:
		return b.search(ctx, p, set, i, limit, report)
	}
	b.head(&best, p, i, k)
	if report != nil {
		report(best)
	}
	return best
}

// head turns t towards cheese k.
func (b *brain) head(t *thought, p *position, i int, k int16) {
	cell := p.at[i]
	t.move, t.target, t.line = b.to(k, cell), b.order[k], t.line[:0]
	for cell != b.order[k] && len(t.line) < 32 {
		move := b.to(k, cell)
		if move == stay {
			break // out of reach
		}
		t.line = append(t.line, move)
		cell = b.next[int(cell)*moves+int(move)]
	}
}

// weigh finds the cheese with the best yield: few turns away, not lost to the
// opponent, with more cheese around it.
func (b *brain) weigh(p *position, set numbers, i int) int16 {
	n := len(b.order)
	best, value := int16(-1), -1.0
	for _, k := range b.near[int(p.at[i])*n : int(p.at[i])*n+n] {
		if !set.has(k) || b.turns(k, p.at[i]) >= far {
			continue
		}
		mine := float64(b.turns(k, p.at[i]))
		theirs := float64(b.turns(k, p.dest[1-i]) + int32(p.timer[1-i]))
		worth := 1.0
		switch {
		case theirs < mine:
			worth = 0.3
		case theirs == mine:
			worth = 0.6
		}
		for _, other := range b.near[int(b.order[k])*n : int(b.order[k])*n+n] {
			d := b.turns(other, b.order[k])
			if d > 8 {
				break
			}
			if other != k && set.has(other) {
				worth += 0.3 / float64(d)
			}
		}
		if v := worth / (mine + 1); v > value {
			best, value = k, v
		}
	}
	if best < 0 {
		return b.nearest(set, p.at[i])
	}
	return best
}

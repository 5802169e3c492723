// Package player is the built-in player of PyRat: to the nearest cheese, or by
// a search.
//
// It gets a position and a time and returns a move. It knows no protocol and
// does not say anything to anybody; the rules are those of package rules.
package player

import (
	"context"
	"math/rand/v2"
	"time"

	"thera/engine/pyrat/rules"
)

// The strategies.
const (
	Random = "Random" // any move
	Greedy = "Greedy" // to the nearest cheese
	Search = "Search" // a search of the game tree
)

// Defaults and bounds of the options.
const (
	DefaultDepth = 40
	MaxDepth     = 100
	MaxPlayouts  = 100_000_000
)

// Options say how a player plays.
type Options struct {
	Strategy string
	Depth    int  // most choices of targets in a row in the tree of Search
	Playouts int  // of Search, for a move; 0: as many as there is time for
	Plain    bool // Search as before 0.2, for baselines: it forgets more and wants no more than to win
	Until    int  // choices in a row after which Search ends, or at the end of the game; 0: time ends it
}

// Player plays on one board. It is used by one goroutine at a time.
type Player struct {
	Options // may be changed between moves
	*paths
	tree tree
}

// Analysis is a move and what led to it.
type Analysis struct {
	Move   rules.Move
	Target rules.Cell   // of the cheese it goes for, -1 for none
	Nodes  int          // playouts
	Depth  int          // of the tree
	Score  float64      // expected lead at the end, in cheese
	PV     []rules.Move // the way to the target
}

// New returns a player. It computes all shortest ways, which takes about 0.1 s
// on the largest preset.
func New(b *rules.Board, options Options) *Player {
	return &Player{Options: options, paths: newPaths(b)}
}

// Think chooses a move for a side, 0 for the rat or 1 for the python. Search
// uses about the time given, unless the playouts are limited, and returns soon
// after ctx ends. Unless it is nil, report is called with every better
// analysis, the last of which is the one returned.
func (p *Player) Think(ctx context.Context, pos *rules.Position, side int, limit time.Duration, report func(Analysis)) Analysis {
	best := Analysis{Move: rules.Stay, Target: -1}
	s, cheese := pos.State(), p.left(pos)
	from := s.At[side]
	k := p.nearestOf(cheese, from)
	switch {
	case s.Timer[side] > 0 || k < 0:
		return best // in mud, where moves are ignored, or nothing to go for
	case p.Strategy == Random:
		drawn := rand.NewPCG(uint64(s.Turn)<<1|uint64(side), uint64(s.At[0])<<16|uint64(s.At[1]))
		best.Move = rules.Move(drawn.Uint64() % rules.NumMoves)
		return best
	case p.Strategy == Search:
		return p.search(ctx, pos, cheese, side, limit, report)
	}
	best.Depth = 1
	p.aim(&best, from, k)
	if report != nil {
		report(best)
	}
	return best
}

// aim lets a go for cheese k.
func (p *Player) aim(a *Analysis, from rules.Cell, k int16) {
	target := p.board.Cheese[k]
	a.Move, a.Target, a.PV = p.to(k, from), target, a.PV[:0]
	for from != target && len(a.PV) < 32 {
		move := p.to(k, from)
		if move == rules.Stay {
			break // out of reach
		}
		a.PV = append(a.PV, move)
		from, _ = p.board.Next(from, move)
	}
}

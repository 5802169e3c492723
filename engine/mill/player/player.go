// Package player is the built-in engine of Nine Men's Morris without its
// protocol: the evaluation, the board that package search walks on, and what
// the engine's options and limits mean for a search.
//
// It reads and prints no commands and loads no tables: package mill does.
package player

import (
	"context"
	"slices"
	"time"

	"thera/engine/mill/player/net"
	"thera/engine/mill/rules"
	"thera/engine/search"
)

// Result is what a search finds.
type Result = search.Result[rules.Move]

// Player is an engine. What it learns in a game it keeps until Clear. It runs
// one search at a time.
type Player struct {
	Off search.Feature // heuristics to do without, for measurements
	Net *net.Net       // evaluates in place of the embedded net; may be nil

	engine *search.Engine[rules.Move]
	hash   int // MiB of table already allocated
}

// New returns a player.
func New() *Player {
	return &Player{engine: search.New(func() search.Board[rules.Move] { return &board{} })}
}

// Clear forgets what was learned in a game.
func (p *Player) Clear() { p.engine.Clear() }

// Prepare allocates the search's table, so that the first search need not. It
// clears the player if it does.
func (p *Player) Prepare(ctx context.Context, o *Options) {
	if p.hash == o.Hash {
		return
	}
	p.hash = o.Hash
	p.Think(ctx, rules.Start(rules.Default()), o, &Goal{Depth: 1}, nil)
	p.Clear()
}

// Think searches pos, which must not be over, until ctx ends or the goal is
// reached. It calls report with each better or deeper result; report may be nil.
func (p *Player) Think(ctx context.Context, pos *rules.Position, o *Options, g *Goal, report func(Result)) Result {
	begin := time.Now()
	st := p.configure(o, g)
	t := o.endings(pos)
	root := pos.State()
	if v, ok := t.Lookup(&root); ok && v == 0 {
		st.drawn = true
		st.salt ^= drawnSalt
	}
	l := limits(pos, o, g, perfect(pos, o, g, t))
	if l.Time > 0 {
		l.Time = max(l.Time-time.Since(begin), 1) // tables may have been unpacked
	}
	set := func(b search.Board[rules.Move]) { b.(*board).set(pos, st, t) }
	return p.engine.Search(ctx, set, l, report)
}

// limits turns a goal into the limits of the search, which considers those moves, or all
// if none of them is legal.
func limits(pos *rules.Position, o *Options, g *Goal, consider []rules.Move) search.Limits {
	s := pos.State()
	l := search.Limits{Depth: g.Depth, Nodes: g.Nodes, Time: g.budget(s.Turn, o.MoveTime)}
	if g.Depth == 0 && !g.Infinite && o.Skill < FullStrength {
		l.Depth = skillDepth(o.Skill)
	}
	if g.Left[s.Turn] > 0 && g.Time == 0 {
		l.Soft = l.Time / 2
	}
	r := pos.Rules()
	illegal := func(m rules.Move) bool { return !s.Legal(&r, m) }
	if allowed := slices.DeleteFunc(slices.Clone(consider), illegal); len(allowed) > 0 {
		l.Allow = func(tag uint32) bool { return slices.Contains(allowed, rules.Move(tag)) }
	}
	return l
}

package mill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"thera/engine/search"
)

var errSetup = errors.New("position: want startpos or fen")

func plyError(n int, err error) error { return fmt.Errorf("ply %d: %w", n+1, err) }

// player is the built-in engine without its protocol: options and the search.
type player struct {
	engine *search.Engine[move]
	tables *Tables
	root   func(m move) // sees each root move that is tried
	warmed int          // the MiB of table that are there already
}

func newPlayer() *player {
	p := &player{}
	p.engine = search.New(func() search.Board[move] {
		return &walker{root: func(m move) {
			if p.root != nil {
				p.root(m)
			}
		}}
	})
	return p
}

// clear forgets all that was learned in a game.
func (p *player) clear() { p.engine.Clear() }

// warm makes the search's table before the clock runs.
func (p *player) warm(ctx context.Context, s *settings) {
	if p.warmed == s.hash || s.algorithm >= mcts {
		return
	}
	p.warmed = s.hash
	p.root = nil
	p.think(ctx, newPosition(Position{state: startState(), rules: &defaultRules}), s, &goal{depth: 1}, nil)
	p.clear()
}

// mcts is the first of the algorithms that use no table.
const mcts = 3

// The algorithms, by the option's value.
var drivers = [...]struct {
	driver search.Driver
	name   string
}{
	{search.AlphaBeta, "alpha-beta"},
	{search.PVS, "PVS"},
	{search.MTDF, "MTD(f)"},
	{search.MCTS, "MCTS"},
	{search.Random, "random"},
}

// fullStrength is the SkillLevel without handicap.
const fullStrength = 30

// skillDepth and skillNoise are a level's handicap: the deepest look, and the
// largest error of a judgement in hundredths of a man.
func skillDepth(level int) int { return 1 + level/3 }

func skillNoise(level int) int {
	below := fullStrength - level
	return below * (below + 8) / 2
}

// lazyDepth is how deep a lazy engine looks that is a man ahead.
const lazyDepth = 4

// fullDepth is the deepest fixed depth that is searched to the full.
const fullDepth = 10

// configure brings the search in line with options and goal.
//
// A fixed depth is searched to the full, so that alpha-beta, PVS and MTD(f)
// find the same score: nothing selective, and nothing that depends on the way
// to a position. Beyond fullDepth, and under all other limits, the search may
// choose what it looks at.
func (p *player) configure(s *settings, g *goal) style {
	o := &p.engine.Options
	o.Driver = drivers[s.algorithm].driver
	o.Table = int64(s.hash) << 20
	o.Seed = uint64(s.seed)
	o.Noise = 0
	if s.skill < fullStrength {
		o.Noise = skillNoise(s.skill)
	}
	o.Features = search.All
	st := style{mobility: s.mobility, human: s.human, paths: true}
	if g.depth > 0 && g.depth <= fullDepth {
		o.Features &^= search.Selective | search.Extensions
		st.paths = false
	}
	for _, n := range []int{b2i(st.mobility), b2i(st.human), b2i(st.paths), b2i(s.database), o.Noise, s.seed} {
		st.salt = (st.salt + uint64(n) + 1) * 0x9e3779b97f4a7c15
	}
	return st
}

// limits turns the goal into the search's limits.
func (p *player) limits(pos *Position, s *settings, g *goal) search.Limits {
	l := search.Limits{Depth: g.depth, Nodes: g.nodes, Time: g.budget(pos.turn, s.moveTime)}
	if g.depth == 0 && !g.infinite {
		if s.skill < fullStrength {
			l.Depth = skillDepth(s.skill)
		}
		if ahead := pos.left(pos.turn) - pos.left(pos.turn^1); s.lazy && ahead > 0 && (l.Depth == 0 || l.Depth > lazyDepth) {
			l.Depth = lazyDepth
		}
	}
	if !s.deepening {
		l.First = l.Depth // without a depth there is nothing but deepening
	}
	if g.left[pos.turn] > 0 && g.time == 0 {
		l.Soft = l.Time / 2
	}
	if allowed := p.allowed(pos, g.moves); allowed != nil {
		l.Allow = func(tag uint32) bool { return slices.Contains(allowed, move(tag)) }
	}
	return l
}

// allowed are the legal ones of searchmoves; none restricts nothing.
func (p *player) allowed(pos *Position, moves []move) []move {
	var legal []move
	for _, m := range moves {
		if pos.legal(pos.rules, m) {
			legal = append(legal, m)
		}
	}
	return legal
}

// think searches pos. report may be nil.
func (p *player) think(ctx context.Context, pos *Position, s *settings, g *goal, report func(search.Result[move])) search.Result[move] {
	st := p.configure(s, g)
	var tables *Tables
	if s.database {
		tables = p.tables
	}
	set := func(b search.Board[move]) { b.(*walker).set(pos, st, tables) }
	return p.engine.Search(ctx, set, p.limits(pos, s, g), report)
}

// infoEvery is the least time between two info lines of one depth.
const infoEvery = 100 * time.Millisecond

package player

import (
	"thera/engine/mill/player/net"
	"thera/engine/mill/player/tables"
	"thera/engine/search"
)

// Options are the options of the engine that change its search.
type Options struct {
	Algorithm Algorithm
	Skill     int            // from 0 to FullStrength
	MoveTime  int            // the time of a search without a limit is MoveTime*640+10 ms
	Tables    *tables.Tables // nil for no more than those of Endings
	Endings   bool           // at full strength, tables of few men are part of the player
	Threads   int            // that search together; with more than one, results are not reproducible
	Human     bool           // a position that occurred once before is a draw
	Mobility  bool           // the evaluation counts slides
	Net       bool           // the net evaluates, where Mobility is on
	Hash      int            // transposition table, MiB
	Seed      int            // of everything random
	Random    bool           // any move, without a search
}

// Algorithm is a search algorithm, by its number in the written protocol.
type Algorithm int

// The algorithms.
const (
	AlphaBeta Algorithm = iota
	PVS
	MTDF
)

var algorithms = [...]struct {
	driver search.Driver
	name   string
}{
	AlphaBeta: {search.AlphaBeta, "alpha-beta"},
	PVS:       {search.PVS, "PVS"},
	MTDF:      {search.MTDF, "MTD(f)"},
}

func (a Algorithm) String() string { return algorithms[a].name }

// FullStrength is the skill without a handicap.
const FullStrength = 30

// skillDepth returns the most plies that a skill level looks ahead.
func skillDepth(level int) int { return 1 + level/3 }

// skillNoise returns the largest error of a skill level's evaluation, in
// hundredths of a man.
func skillNoise(level int) int {
	below := FullStrength - level
	return below * (below + 8) / 2
}

// fullDepth is the deepest fixed depth that is searched in full width.
const fullDepth = 10

// style is what options change on the board of the search.
type style struct {
	mobility bool
	human    bool
	net      *net.Net // nil to evaluate by hand
	paths    bool     // repetitions within the search count, so a value depends on the path to it
	noisy    bool     // the evaluation has an error, another one for each image of a position
	drawn    bool     // the root is a draw by the tables
	salt     uint64   // keeps the table's entries of other styles apart
}

// configure sets up the engine for options and goal.
//
// A fixed depth is searched in full width, so that alpha-beta, PVS and MTD(f)
// find the same score: nothing is selective, and no value depends on the path to
// a position. Beyond fullDepth, and under all other limits, the search is
// selective.
func (p *Player) configure(o *Options, g *Goal) style {
	s := &p.engine.Options
	s.Driver = algorithms[o.Algorithm].driver
	s.Table = int64(o.Hash) << 20
	s.Seed, s.Random = uint64(o.Seed), o.Random
	s.Threads = max(1, o.Threads)
	s.Noise = 0
	if o.Skill < FullStrength {
		s.Noise = skillNoise(o.Skill)
	}
	s.Features = search.All &^ p.Off
	st := style{mobility: o.Mobility, human: o.Human, paths: true, noisy: s.Noise > 0}
	if g.Depth > 0 && g.Depth <= fullDepth {
		s.Features &^= search.Selective | search.Extensions
		st.paths = false
	}
	bit := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	if o.Net && o.Mobility {
		if st.net = p.Net; st.net == nil {
			st.net = net.Embedded()
		}
	}
	for _, n := range []int{bit(st.net != nil), bit(st.mobility), bit(st.human), bit(st.paths), bit(o.Tables != nil), s.Noise, o.Seed} {
		st.salt = (st.salt + uint64(n) + 1) * 0x9e3779b97f4a7c15
	}
	return st
}

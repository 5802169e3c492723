package player

import (
	"slices"

	"thera/engine/mill/player/tables"
	"thera/engine/mill/rules"
	"thera/engine/search"
)

// fewLeft is the number of men of both sides from which on the tables that are part of the
// player are unpacked. They hold up to seven.
const fewLeft = 8

// endings returns the tables to play a position with, or nil.
func (o *Options) endings(pos *rules.Position) *tables.Tables {
	s := pos.State()
	switch {
	case o.Tables != nil:
		return o.Tables
	case !o.Endings || o.Skill < FullStrength || !pos.Rules().Flying:
	case s.Left(rules.White)+s.Left(rules.Black) > fewLeft:
	default:
		return tables.Embedded()
	}
	return nil
}

// perfect returns the moves to consider where tables know the position: those that keep its
// value, among the goal's if it names any. A win takes as few turns as possible, so no
// position of it repeats.
func perfect(pos *rules.Position, o *Options, g *Goal, t *tables.Tables) []rules.Move {
	if t == nil {
		return g.Moves
	}
	s := pos.State()
	best := t.Best(&s)
	if len(g.Moves) == 0 {
		return best
	}
	both := slices.DeleteFunc(slices.Clone(best), func(m rules.Move) bool { return !slices.Contains(g.Moves, m) })
	if len(both) == 0 {
		return g.Moves
	}
	return both
}

// drawnShare is the part of its evaluation that a position is worth which tables know to be
// a draw: a draw with more chances is better.
const drawnShare = 16

// drawnSalt keeps the table's entries of searches from draws apart.
const drawnSalt = 0x2545f4914f6cdd1d

// lookup returns the tables' score. A win that takes more turns than quiet plies
// are left is not certain. Most games end with a mill and its removal: in plies, one more
// than in turns. Where the root is a draw the search goes on through draws: the
// opponent may not know them.
func (b *board) lookup() (score int, ok bool) {
	v, ok := b.tables.Lookup(&b.State)
	switch {
	case !ok:
		return 0, false
	case v == 0 && b.style.drawn:
		return 0, false
	case v == 0:
		return b.Evaluate() / drawnShare, true
	case v.Turns() > b.rules.QuietPlies-b.quiet || v.Turns() >= search.MaxPly-1:
		return 0, false
	case v.Won():
		return search.WinIn(v.Turns() + 1), true
	}
	return search.LossIn(v.Turns() + 1), true
}

package tournament

import (
	"cmp"
	"maps"
	"slices"

	"thera/arena"
)

// figures are the totals over the finished pairs, and what is known of the engines.
type figures struct {
	plan     *arena.Plan
	rows     byKey[rowKey, arena.Row]
	aside    map[[2]int32]aside // unrated pairs, by pairing
	ends     byKey[endKey, arena.EndCount]
	warnings byKey[string, arena.WarningCount] // by kind
	seen     map[openingKey]struct{}
	before   *figures // the figures that these extend, read-only
	course   samples[arena.ScoreSample]
	engines  []account

	pairs    int // finished
	games    int // in the rows
	repeated int // games from an earlier opening under node or depth limits: not counted
	shared   int // the same under other limits: counted
	voided   arena.Voided
}

type aside struct{ pairs, games int }

type rowKey struct {
	a, b  int32
	leg   int
	roles [2]string
}

type endKey struct {
	source         arena.Source
	engine, reason string
}

// openingKey is an opening of a pairing, or of one seat if games are single.
type openingKey struct {
	a, b int32
	leg  int8 // -1 for a pair
	hash uint64
}

// mostKinds bounds the kinds of warnings of a run, since their texts come from
// engines.
const mostKinds = 1000

func newFigures(plan *arena.Plan) *figures {
	return &figures{
		plan: plan, engines: make([]account, len(plan.Engines)),
		rows: byKey[rowKey, arena.Row]{}, aside: map[[2]int32]aside{}, ends: byKey[endKey, arena.EndCount]{},
		warnings: byKey[string, arena.WarningCount]{}, seen: map[openingKey]struct{}{},
	}
}

// onward returns a copy of f that can be added to.
func (f *figures) onward() *figures {
	n := *f
	n.course.list, n.before, n.seen = slices.Clone(f.course.list), f, map[openingKey]struct{}{}
	n.engines, n.aside = slices.Clone(f.engines), maps.Clone(f.aside)
	n.rows, n.ends, n.warnings = f.rows.clone(), f.ends.clone(), f.warnings.clone()
	return &n
}

// fresh records the opening of a pair's game and reports whether it is new.
func (f *figures) fresh(s *slot, leg int8, game *arena.Game) bool {
	k := openingKey{s.a, s.b, leg, game.StartHash}
	_, known := f.seen[k]
	if f.before != nil && !known {
		_, known = f.before.seen[k]
	}
	f.seen[k] = struct{}{}
	return !known
}

// unrated reports whether a game of the pair is. It could not be judged: the rules of the
// two engines differ, or the engine that is asked for them failed. It is also if both engines
// failed in it: there is no point to win. Its pair leaves every score and every test, whatever
// the other game says: otherwise the loser of that game could buy half a point. It is
// not played again, for it would end in the same way.
func (s *slot) unrated() bool {
	return slices.ContainsFunc(s.games[:], func(g *arena.Game) bool { return g != nil && cannotJudge(g) })
}

func cannotJudge(game *arena.Game) bool { return game.Source == arena.Unrated || game.Both() }

// pair adds a finished pair, or, without its second game, an unfinished one, and reports
// whether it counts: a repetition and an unrated pair do not.
func (f *figures) pair(fold *Fold, s *slot, failed func(int, *arena.Game)) (counts bool) {
	first, leg, n := s.games[0], int8(-1), 2
	if first == nil {
		first = s.games[1]
	}
	whole := s.games[0] != nil && s.games[1] != nil
	if s.Single > 0 {
		leg = int8(s.Single - 1)
	}
	if !whole {
		n = 1
	}
	if whole || s.Single > 0 {
		f.pairs++
	}
	f.void(s)
	f.enter(s, failed)
	unrated := s.unrated()
	if unrated && !whole && s.Single == 0 {
		return false // its pair will be
	}
	if !f.fresh(s, leg, first) {
		if fold.repeats(int(s.a), int(s.b)) {
			f.repeated += n
			return false
		}
		f.shared += n
	}
	if unrated {
		f.setAside(s, n)
		return false
	}
	for _, game := range s.games {
		if game == nil {
			continue
		}
		f.row(s, game).CountGame(game, s.Single > 0)
		f.ended(game, s)
		if fold.counted != nil {
			fold.counted(game, !whole && s.Single == 0)
		}
	}
	if whole {
		f.row(s, first).CountPair([2]int{first.Winner(), s.games[1].Winner()})
	}
	f.games += n
	f.course.add(f.games, f.standing)
	return true
}

// setAside counts an unrated pair, and how the games ended that could not be judged.
func (f *figures) setAside(s *slot, n int) {
	pairing := [2]int32{s.a, s.b}
	f.aside[pairing] = aside{f.aside[pairing].pairs + 1, f.aside[pairing].games + n}
	for _, game := range s.games {
		if game == nil || !cannotJudge(game) {
			continue
		}
		f.ended(game, s)
		if game.Both() {
			row := f.row(s, game)
			row.Both++
			for i := range row.Sides {
				row.Sides[i].Add(game.Side(i))
			}
		}
	}
}

// pairing are the names of a pair's engines.
func (f *figures) pairing(s *slot) [2]string {
	return [2]string{f.plan.Engines[s.a].Name, f.plan.Engines[s.b].Name}
}

// row returns the row of a game.
func (f *figures) row(s *slot, game *arena.Game) *arena.Row {
	row := f.rows.of(rowKey{s.a, s.b, game.Leg, game.Roles})
	row.Pairing, row.Leg, row.Roles = f.pairing(s), game.Leg, game.Roles
	return row
}

// ended counts how a game ended and what its warnings are about.
func (f *figures) ended(game *arena.Game, s *slot) {
	pairing := f.pairing(s)
	k := endKey{source: game.Source, reason: game.End()}
	if game.Guilty() >= 0 {
		k.engine = pairing[game.Guilty()]
	}
	end := f.ends.of(k)
	if end.Games++; end.Games == 1 {
		end.Source, end.Engine, end.Reason, end.Example = k.source, k.engine, k.reason, game.ID
	}
	var kinds []string // of this game
	for _, text := range game.Warnings {
		kind := arena.GameWarningKind(text, pairing[:]...)
		if slices.Contains(kinds, kind) {
			continue
		}
		kinds = append(kinds, kind)
		if f.warnings[kind] == nil && len(f.warnings) >= mostKinds {
			kind = "other warnings"
		}
		w := f.warnings.of(kind)
		if w.Count++; w.Count == 1 {
			w.Kind, w.Example = kind, text
		}
	}
}

// table returns the rows without those of dead engines, in the order of the plan's engines,
// and the number of games in these.
func (f *figures) table() (rows []arena.Row, annulled int) {
	keys := slices.SortedFunc(maps.Keys(f.rows), func(x, y rowKey) int {
		return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b), cmp.Compare(x.leg, y.leg),
			cmp.Compare(x.roles[0], y.roles[0]), cmp.Compare(x.roles[1], y.roles[1]))
	})
	for _, k := range keys {
		if f.living(int(k.a), int(k.b)) {
			rows = append(rows, *f.rows[k])
		} else {
			annulled += f.rows[k].Total()
		}
	}
	return rows, annulled
}

package tournament

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"thera/arena"
	"thera/arena/rating"
)

// figures has the totals over the finished pairs, and what is known of the engines.
type figures struct {
	director *Director
	rows     byKey[rowKey, arena.Row]
	ends     byKey[arena.EndCount, arena.EndCount] // by what has no number
	warnings byKey[string, arena.WarningCount]     // by kind
	seen     map[openingKey]struct{}
	before   *figures // the figures that these extend, read-only
	course   samples[arena.ScoreSample]
	engines  []account

	pairs    int // finished pairs
	games    int // games in the rows
	repeated int // games from an earlier opening under node or depth limits, which are not counted
	shared   int // the same under other limits, which are counted
	voided   arena.Voided
}

type rowKey struct {
	a, b, leg int
	roles     [2]string
}

// openingKey is an opening of a pairing, or of one seat if games are single.
type openingKey struct {
	a, b, single int
	hash         uint64
}

// mostKinds bounds the kinds of warnings of a run, since their texts come from
// engines.
const mostKinds = 1000

func newFigures(director *Director) *figures {
	return &figures{
		director: director, engines: make([]account, len(director.left)), rows: byKey[rowKey, arena.Row]{},
		ends: byKey[arena.EndCount, arena.EndCount]{}, warnings: byKey[string, arena.WarningCount]{}, seen: map[openingKey]struct{}{},
	}
}

// onward returns a copy of f that can be added to.
func (f *figures) onward() *figures {
	n := *f
	n.course.list, n.before, n.seen = slices.Clone(f.course.list), f, map[openingKey]struct{}{}
	n.engines = slices.Clone(f.engines)
	n.rows, n.ends, n.warnings = f.rows.clone(), f.ends.clone(), f.warnings.clone()
	return &n
}

// isNew records the opening of a pair's game and reports whether it is new.
func (f *figures) isNew(s *series, game *arena.Game) bool {
	k := openingKey{s.A, s.B, s.Single, game.StartHash}
	_, known := f.seen[k]
	if f.before != nil && !known {
		_, known = f.before.seen[k]
	}
	f.seen[k] = struct{}{}
	return !known
}

// unrated reports whether a game of the pair is unrated. A game is unrated if the rules of the two
// engines differ, if the engine that decides the rules failed, or if both engines failed, because
// then nobody won. The pair leaves every score and every test, whatever its other game says.
// Otherwise the loser of that game could gain half a point. The game is not played again, because
// it would end in the same way.
func (s *series) unrated() bool {
	return slices.ContainsFunc(s.games[:], func(g *arena.Game) bool { return g != nil && cannotJudge(g) })
}

func cannotJudge(game *arena.Game) bool { return game.Source == arena.Unrated || game.Both() }

// pair adds a finished pair, or an unfinished one, which has no second game. It reports whether the
// pair counts. Repetitions and unrated pairs do not.
func (f *figures) pair(s *series) (counts bool) {
	games := slices.DeleteFunc(slices.Clone(s.games[:]), func(g *arena.Game) bool { return g == nil })
	n, single := len(games), s.Single > 0
	half := n == 1 && !single
	f.pairs += btoi(!half)
	f.void(s)
	f.enter(s)
	unrated := s.unrated()
	if unrated && half {
		return false // its pair will be
	}
	if !f.isNew(s, games[0]) {
		if f.director.repeats(s.A, s.B) {
			f.repeated += n
			return false
		}
		f.shared += n
	}
	if unrated {
		row := f.row(s, games[0])
		row.Unrated, row.UnratedGames = row.Unrated+1, row.UnratedGames+n
	}
	for _, game := range games {
		switch {
		case !unrated:
			f.row(s, game).CountGame(game, single)
		case !cannotJudge(game):
			continue
		case game.Both():
			row := f.row(s, game)
			for i := range row.Sides {
				row.Sides[i].Add(game.Side(i))
			}
		}
		f.ended(s, game)
	}
	if unrated {
		return false
	}
	if n == 2 {
		f.row(s, games[0]).CountPair(s.winners())
	}
	if f.director.counted != nil {
		f.director.counted(games, half)
	}
	f.games += n
	if len(f.engines) == 2 {
		f.course.add(f.games, f.standing)
	}
	return true
}

// pairing returns the names of a pair's engines.
func (f *figures) pairing(s *series) [2]string {
	return [2]string{f.director.name(s.A), f.director.name(s.B)}
}

// row returns the row of a game.
func (f *figures) row(s *series, game *arena.Game) *arena.Row {
	row := f.rows.of(rowKey{s.A, s.B, game.Leg, game.Roles})
	row.Pairing, row.Leg, row.Roles = f.pairing(s), game.Leg, game.Roles
	return row
}

// ended counts how a game ended, and its warnings by kind.
func (f *figures) ended(s *series, game *arena.Game) {
	pairing := f.pairing(s)
	kind := arena.EndCount{Source: game.Source, Reason: game.End()}
	if game.Guilty() >= 0 {
		kind.Engine = pairing[game.Guilty()]
	}
	end := f.ends.of(kind)
	if end.Games == 0 {
		*end = kind
		end.Example = game.ID
	}
	end.Games++
	var kinds []string // of this game
	for _, text := range game.Warnings {
		kind := warningKind(text, pairing[:]...)
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

// table returns the rows, in the order of the plan's engines and without those of dead engines, and
// the number of games in the rows of dead engines.
func (f *figures) table() (rows []arena.Row, annulled int) {
	keys := slices.SortedFunc(maps.Keys(f.rows), func(x, y rowKey) int {
		return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b), cmp.Compare(x.leg, y.leg), slices.Compare(x.roles[:], y.roles[:]))
	})
	for _, k := range keys {
		if row := f.rows[k]; f.living(k.a, k.b) {
			rows = append(rows, *row)
		} else {
			annulled += row.Total() + row.UnratedGames
		}
	}
	return rows, annulled
}

// standing is how a run of two engines stands now, for its course, and whether a game counts.
func (f *figures) standing() (arena.ScoreSample, bool) {
	var first rating.Counts
	for k, row := range f.rows {
		if k.a != k.b && f.living(k.a, k.b) {
			first = first.Add(row.Counts)
		}
	}
	s, e := arena.ScoreSample{Games: int(first.Games.Games())}, first.Estimate()
	if e.Score != nil {
		s.Score, s.Lo, s.Hi = *e.Score, *e.BoundLo, *e.BoundHi
		if e.ScoreError != nil {
			s.Lo, s.Hi = s.Score-*e.ScoreError, s.Score+*e.ScoreError
		}
	}
	return s, s.Games > 0
}

// courseSize is about the number of samples that are kept of a run's course. A plot shows no more,
// and a run of a million games costs no more than one of a thousand.
const courseSize = 256

// samples has the states after numbers of games or pairs. It keeps every nth, and doubles n each
// time that there are too many. A state that is none is left out.
type samples[T any] struct {
	list  []T
	last  int // the number at the last one
	every int
}

func (s *samples[T]) add(at int, state func() (T, bool)) {
	if len(s.list) > 0 && at-s.last < s.every {
		return
	}
	now, ok := state()
	if !ok {
		return
	}
	s.list, s.last = append(s.list, now), at
	if n := len(s.list); n >= 2*courseSize {
		thin := s.list[:0]
		for i := 1 - n%2; i < n; i += 2 { // the last one stays
			thin = append(thin, s.list[i])
		}
		s.list, s.every = thin, 2*max(1, s.every)
	}
}

// upTo returns the samples and the last state.
func (s *samples[T]) upTo(at int, state func() (T, bool)) []T {
	out := slices.Clone(s.list)
	if len(out) > 0 && s.last >= at {
		return out
	}
	if now, ok := state(); ok {
		out = append(out, now)
	}
	return out
}

// numbers of a warning differ from game to game.
var numbers = arena.Pattern(`\b\d+\b`)

// warningKind is how tables count a warning: what stands before its colon, with the
// name of the engine if it begins with one of engines, and with N for each whole number.
func warningKind(text string, engines ...string) string {
	kind, rest, _ := strings.Cut(text, ": ")
	if slices.Contains(engines, kind) && rest != "" {
		what, _, _ := strings.Cut(rest, ":")
		kind += ": " + numbers().ReplaceAllString(what, "N")
	} else {
		kind = numbers().ReplaceAllString(kind, "N")
	}
	return arena.Cut(kind, 60)
}

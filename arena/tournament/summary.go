package tournament

import (
	"cmp"
	"fmt"
	"slices"

	"thera/arena"
)

// Summarize returns all decisions about a stored run from its games, in any
// order. The plan is the one that
// arena.RunInfo.PlanOf makes. If its format is unknown, as for imported games,
// all games count.
func Summarize(plan *arena.Plan, info arena.RunInfo, done []arena.Game) (*arena.Summary, error) {
	return Counted(plan, info, done, nil)
}

// Counted is like Summarize, and calls each with the games of all finished pairs
// that count, pair by pair, their pairings named in the plan's order. each may be
// nil.
func Counted(plan *arena.Plan, info arena.RunInfo, done []arena.Game, each func(*arena.Game)) (*arena.Summary, error) {
	if plan.Format.Name == "" || len(plan.Engines) == 0 {
		return nil, fmt.Errorf("run %s has no format or no engines", info.Name)
	}
	begin := func(*Fold) format { return imported{} }
	if k := kindOf(plan.Format.Name); k != nil {
		begin = k.begin
	}
	f := newFold(plan, info.Plan.Earlier, begin)
	f.counted = each
	f.AddAll(done)
	return f.Summary(info), nil
}

// Summary returns all decisions so far. Before the end of the run all games
// count, afterwards those up to the stop. Its cost is proportional to the number
// of rows and of games after the first missing one.
func (f *Fold) Summary(info arena.RunInfo) *arena.Summary {
	figures, surplus, voids, pairs := f.figures, f.sum.surplus, f.voids, f.sum.pairs
	if f.low < len(f.pairs) {
		var beyond, more int
		voids = voids.clone()
		figures, beyond, more = f.beyond(voids)
		surplus, pairs = surplus+beyond, pairs+more
	}
	figures = figures.conclude(f)
	sum := f.figuresOf(figures)
	sum.Run = info
	if f.stop != nil {
		stop := *f.stop
		sum.Stop = &stop
	}
	sum.Dead, sum.Annulled = figures.theDead(f.plan.Engines), figures.annulled
	sum.Drops, sum.Ties = slices.Clone(f.drops), slices.Clone(f.ties)
	sum.Surplus, sum.Repeated, sum.Voided = surplus, figures.repeated, voids.Voided
	sum.Doubt = voids.doubt(pairs, f.plan.Engines)
	sum.Unrated = figures.unrated
	if t, ok := f.format.(interface {
		standings(dead []bool) []arena.Standing
	}); ok {
		sum.Standings = t.standings(figures.dead())
	}
	if t, ok := f.format.(*sprt); ok {
		sum.Tests = t.states()
		sum.Course.LLR = t.course.upTo(t.sample().Pairs, t.sample)
	}
	f.warn(sum, figures)
	Rate(sum)
	return sum
}

// beyond adds the games after the prefix, ordered by the numbers of their pairs,
// and returns how many of them do not count, and how many pairs are finished.
func (f *Fold) beyond(voids *voids) (all *figures, surplus, pairs int) {
	var open []*held
	for i := range f.pairs[f.low:] {
		if h := &f.pairs[f.low+i]; !h.folded {
			open = append(open, h)
		}
	}
	all = f.figures
	if f.stop == nil {
		all = f.figures.onward()
		slices.SortFunc(open, func(x, y *held) int {
			return cmp.Or(cmp.Compare(x.key.number, y.key.number), cmp.Compare(x.key.a, y.key.a), cmp.Compare(x.key.b, y.key.b))
		})
	}
	for _, h := range open {
		if f.stop != nil || !f.mayCount(h) {
			surplus += btoi(h.games[0] != nil) + btoi(h.games[1] != nil)
			continue
		}
		voids.add(h)
		if h.games == ([2]*arena.Game{}) {
			continue
		}
		pairs += btoi(all.loose(f, h))
	}
	return all, surplus, pairs
}

// mayCount reports whether a pair after the prefix counts, as far as is known.
func (f *Fold) mayCount(h *held) bool {
	p := Pair{A: int(h.key.a), B: int(h.key.b), Number: int(h.key.number)}
	if f.left[p.A] || f.left[p.B] || f.line(&p).used {
		return false
	}
	round, ok := f.format.(interface{ playing(k key) bool })
	return !ok || round.playing(h.key)
}

// loose adds the games of a pair after the prefix and reports whether it is finished.
func (f *figures) loose(fold *Fold, h *held) (finished bool) {
	p := Pair{A: int(h.key.a), B: int(h.key.b), Number: int(h.key.number)}
	_, free := fold.format.(imported)
	both := h.games[0] != nil && h.games[1] != nil
	game := h.games[0]
	if game == nil {
		game = h.games[1]
	}
	switch {
	case both:
		f.pair(fold, &p, h)
	case free || !fold.format.has(h.key, 1-game.Leg): // it has no second game
		p.Single = game.Leg + 1
		f.pair(fold, &p, h)
	default:
		f.lone(fold, h, game)
		return false
	}
	return true
}

// figuresOf returns the figures as lists, in the order of the plan's engines.
func (f *Fold) figuresOf(all *figures) *arena.Summary {
	sum := &arena.Summary{Engines: f.plan.Engines, Counted: all.counted, Course: all.progress.total(), Rows: f.rows(all)}
	sum.Figures.Ends, sum.Figures.Noted = []arena.EndCount{}, []arena.WarningCount{}
	for _, end := range all.ends {
		sum.Figures.Ends = append(sum.Figures.Ends, *end)
	}
	for _, w := range all.warnings {
		sum.Figures.Noted = append(sum.Figures.Noted, *w)
	}
	sources := []arena.Source{arena.Natural, arena.Adjudicated, arena.Faulted, arena.Unrated}
	slices.SortFunc(sum.Figures.Ends, func(a, b arena.EndCount) int {
		return cmp.Or(cmp.Compare(slices.Index(sources, a.Source), slices.Index(sources, b.Source)), cmp.Compare(a.Engine, b.Engine),
			cmp.Compare(b.Games, a.Games), cmp.Compare(a.Reason, b.Reason))
	})
	slices.SortFunc(sum.Figures.Noted, func(a, b arena.WarningCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind))
	})
	return sum
}

// rows returns the rows in the order of the plan's engines.
func (f *Fold) rows(all *figures) []arena.Row {
	var rows []arena.Row
	for _, row := range all.rows {
		rows = append(rows, *row)
	}
	slices.SortFunc(rows, func(x, y arena.Row) int {
		return cmp.Or(cmp.Compare(f.places[x.Pairing[0]], f.places[y.Pairing[0]]), cmp.Compare(f.places[x.Pairing[1]], f.places[y.Pairing[1]]),
			cmp.Compare(x.Leg, y.Leg), cmp.Compare(x.Roles[0], y.Roles[0]), cmp.Compare(x.Roles[1], y.Roles[1]))
	})
	return rows
}

// warn adds the warnings about the figures.
func (f *Fold) warn(sum *arena.Summary, figures *figures) {
	add := func(kind arena.WarningKind, n int, text string, args ...any) {
		if n > 0 {
			sum.Warnings = append(sum.Warnings, arena.Warningf(kind, n, text, args...))
		}
	}
	if sum.Counted+sum.Annulled == 0 {
		sum.Warnings = append(sum.Warnings, arena.Warningf(arena.WarnNoGames, 0, "no games yet"))
	}
	// Give the hint only if it is about at least 5 % of the games.
	hint := func(n int) string {
		if 20*n < sum.Counted+sum.Repeated {
			return ""
		}
		return fmt.Sprintf(" (hint: %s)", f.hint())
	}
	add(arena.WarnHalfPairs, figures.half, "%s of unfinished pairs: in the score, in no error bar and no test", games(figures.half))
	add(arena.WarnRepeated, figures.repeated, "%s from an opening that its engines had before: under a limit of nodes or depth it counts once%s",
		games(figures.repeated), hint(figures.repeated))
	if _, free := f.format.(imported); free {
		figures.shared = 0
	}
	add(arena.WarnShared, figures.shared, "%s from an opening that its engines had before: all count, error bars take them as independent%s",
		games(figures.shared), hint(figures.shared))
	add(arena.WarnSurplus, sum.Surplus, "%s beyond the end of the run or of an engine that had left it: in no figure", games(sum.Surplus))
	if v := sum.Voided; v.Pairs > 0 {
		pairs := "1 pair was"
		if v.Pairs > 1 {
			pairs = fmt.Sprintf("%d pairs were", v.Pairs)
		}
		add(arena.WarnVoided, v.Games, "%s void because the machine stalled, and played again (%s; thera games --all shows them)", pairs, games(v.Games))
	}
	add(arena.WarnUnrated, figures.aside, "%d of %d pairs unrated: the rules of the engines differ, the engine asked for the rules failed, or both engines were at fault (thera games shows which)",
		figures.unrated, units(sum))
	add(arena.WarnUnknown, f.unknown, "%s of engines or pairs that the plan does not have: in no figure", games(f.unknown))
	sum.Warnings = append(sum.Warnings, afterLook(f.plan, f.earlier)...)
}

func games(n int) string { return arena.Plural(n, "game") }

// imported is the format of games without a plan: nothing is left to play and
// all games count. Two games with the same number and different legs are a pair.
type imported struct{}

func (imported) next(int) (Pair, Readiness)    { return Pair{}, Wait }
func (imported) add(Pair, *result) *arena.Stop { return nil }
func (imported) has(key, int) bool             { return true }
func (imported) total() int                    { return 0 }
func (imported) most(int) int                  { return 0 }
func (imported) end() *arena.Stop              { return nil }

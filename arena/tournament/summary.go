package tournament

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"

	"thera/arena"
)

// Summarize returns all decisions about a stored run. Its void games must come before the others,
// which may be in any order. The plan is that of arena.RunInfo.PlanOf. If its format is unknown, as
// for imported games, all games count. Summarize calls each with the games of each pair in the
// figures. Their pairings are in the plan's order. half is true if the other game of the pair is not
// among games. each may be nil.
func Summarize(
	plan *arena.Plan, info arena.RunInfo, games iter.Seq[*arena.Game], each func(pair []*arena.Game, half bool),
) (*arena.Summary, error) {
	if plan.Format.Name == "" || len(plan.Engines) == 0 {
		return nil, fmt.Errorf("run %s has no format or no engines", info.Name)
	}
	begin := func(*Director) format { return imported{} }
	if k := kindOf(plan.Format.Name); k != nil {
		begin = k.begin
	}
	f := newDirector(plan, begin)
	var calls []func(dead []arena.Dead)
	if each != nil {
		f.counted = func(pair []*arena.Game, half bool) {
			calls = append(calls, func(dead []arena.Dead) {
				if !slices.ContainsFunc(dead, func(d arena.Dead) bool { return slices.Contains(pair[0].Pairing[:], d.Engine) }) {
					each(pair, half)
				}
			})
		}
	}
	f.AddAll(games)
	sum := f.Summary(info)
	for _, call := range calls {
		call(sum.Dead)
	}
	return sum, nil
}

// Summary returns all decisions so far. Before the end of the run all games count, afterwards those up
// to the stop. Its cost is proportional to the number of rows and of games after the first missing
// one.
func (d *Director) Summary(info arena.RunInfo) *arena.Summary {
	all, beyond := d.beyond()
	info.Plan = *d.plan
	sum := &arena.Summary{
		Run: info, Dead: all.dead(), Drops: append([]arena.Drop{}, d.drops...), Warnings: []arena.Warning{},
		Surplus: d.surplus + beyond, Repeated: all.repeated, Voided: all.voided, Doubt: all.doubt(),
	}
	if d.stop != nil {
		sum.Stop = new(*d.stop)
	}
	half, unrated := 0, 0 // games of unfinished and of unrated pairs
	sum.Rows, sum.Annulled = all.table()
	for _, row := range sum.Rows {
		sum.Counted += row.Total()
		half += row.Half()
		sum.Unrated += row.Unrated
		unrated += row.UnratedGames
	}
	sum.Figures.Ends, sum.Figures.Noted = all.listed()
	if len(all.engines) == 2 {
		sum.Course.Scores = all.course.upTo(all.games, all.standing)
	}
	if t, ok := d.format.(ranker); ok {
		sum.Standings = t.standings(all)
	}
	if t, ok := d.format.(*knockout); ok {
		sum.Bracket = t.duels()
	}
	if t, ok := d.format.(*sprt); ok {
		if sum.Doubt == nil {
			sum.Test = d.Test()
		}
		sum.Course.LLR = t.course.upTo(int(t.rated().Pairs()), t.sample)
	}
	d.warn(sum, all, half, unrated)
	Rate(sum)
	return sum
}

// beyond returns the figures with the games after the prefix, in the order of the numbers of their
// pairs, and how many of these games do not count.
func (d *Director) beyond() (all *figures, surplus int) {
	var open []*series
	for _, s := range d.open {
		n := btoi(s.games[0] != nil) + btoi(s.games[1] != nil)
		switch round, ok := d.format.(rounder); {
		case n+len(s.voids) == 0:
		case d.stop != nil || d.left[s.A] || d.left[s.B] || ok && !round.playing(s.key()):
			surplus += n
		default:
			open = append(open, s)
		}
	}
	if len(open) == 0 {
		return d.figures, surplus
	}
	slices.SortFunc(open, func(x, y *series) int {
		return cmp.Or(cmp.Compare(x.Number, y.Number), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	all = d.figures.onward()
	_, free := d.format.(imported)
	for _, s := range open {
		if s.games == ([2]*arena.Game{}) {
			all.void(s)
			continue
		}
		loose := series{Pair: Pair{A: s.A, B: s.B, Number: s.Number}, games: s.games, voids: s.voids}
		for leg, game := range s.games { // a game without a second one counts as single
			if game != nil && s.games[1-leg] == nil && (free || !d.format.has(s.key(), 1-leg)) {
				loose.Single = leg + 1
			}
		}
		all.pair(&loose)
	}
	return all, surplus
}

// listed returns lists of how games ended and of their warnings.
func (f *figures) listed() (ends []arena.EndCount, noted []arena.WarningCount) {
	ends, noted = []arena.EndCount{}, []arena.WarningCount{}
	for _, end := range f.ends {
		ends = append(ends, *end)
	}
	for _, w := range f.warnings {
		noted = append(noted, *w)
	}
	sources := []arena.Source{arena.Natural, arena.Adjudicated, arena.Faulted, arena.Unrated}
	slices.SortFunc(ends, func(a, b arena.EndCount) int {
		return cmp.Or(cmp.Compare(slices.Index(sources, a.Source), slices.Index(sources, b.Source)), cmp.Compare(a.Engine, b.Engine),
			cmp.Compare(b.Games, a.Games), cmp.Compare(a.Reason, b.Reason))
	})
	slices.SortFunc(noted, func(a, b arena.WarningCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind))
	})
	return ends, noted
}

// warn adds the warnings about the figures.
func (d *Director) warn(sum *arena.Summary, all *figures, half, unrated int) {
	add := func(kind arena.WarningKind, n int, text string, args ...any) {
		if n > 0 {
			sum.Warn(arena.Warningf(kind, n, text, args...))
		}
	}
	if sum.Counted+sum.Annulled == 0 {
		sum.Warn(arena.Warningf(arena.WarnNoGames, 0, "no games yet"))
	}
	// Give the hint only if it is about at least 5 % of the games.
	hint := func(n int) string {
		if 20*n < sum.Counted+sum.Repeated {
			return ""
		}
		return fmt.Sprintf(" (hint: %s)", d.hint())
	}
	add(arena.WarnHalfPairs, half, "%s of unfinished pairs: in the score, in no error bar and no test", games(half))
	add(arena.WarnRepeated, all.repeated,
		"%s from an opening that its engines had before: under a limit of nodes or depth it counts once%s",
		games(all.repeated), hint(all.repeated))
	if _, free := d.format.(imported); !free {
		add(arena.WarnShared, all.shared,
			"%s from an opening that its engines had before: all count, error bars take them as independent%s",
			games(all.shared), hint(all.shared))
	}
	add(arena.WarnSurplus, sum.Surplus, "%s beyond the end of the run or of an engine that had left it: in no figure",
		games(sum.Surplus))
	if v := sum.Voided; v.Pairs > 0 {
		pairs := "1 pair was"
		if v.Pairs > 1 {
			pairs = fmt.Sprintf("%d pairs were", v.Pairs)
		}
		add(arena.WarnVoided, v.Games,
			"%s void because the machine stalled, and played again (%s; thera games --all shows them)",
			pairs, games(v.Games))
	}
	add(arena.WarnUnrated, unrated, "%d of %d pairs unrated: the rules of the engines differ, "+
		"the engine asked for the rules failed, or both engines were at fault (thera games shows which)",
		sum.Unrated, units(sum))
	add(arena.WarnUnknown, d.unknown, "%s of engines or pairs that the plan does not have: in no figure", games(d.unknown))
	afterLook(sum)
}

// units returns the number of finished pairs or single games, including unrated ones.
func units(sum *arena.Summary) (n int) {
	for _, row := range sum.Rows {
		n += row.Finished() + int(row.Singles.Games()) + row.Unrated
	}
	return n
}

// imported is the format of games without a plan. Nothing is left to play, and all games count. Two
// games with the same number and different legs are a pair.
type imported struct{}

func (imported) next(int) (Pair, Readiness) { return Pair{}, Wait }
func (imported) add(*series) *arena.Stop    { return nil }
func (imported) has(key, int) bool          { return true }
func (imported) total() int                 { return 0 }
func (imported) end() *arena.Stop           { return nil }

// worker has what one worker did.
type worker struct {
	arena.WorkerRow
	seconds float64
}

// Workers returns what the workers of a run did, from all of its games and from the incidents.
func Workers(games iter.Seq[*arena.Game], incidents []arena.Incident) []arena.WorkerRow {
	all := byKey[string, worker]{}
	for g := range games {
		name := "" // of this machine
		if g.By != nil {
			name = g.By.Worker
		}
		w := all.of(name)
		switch {
		case g.Status == arena.StatusExcluded:
			w.Excluded++
		case g.Status == arena.StatusVoid:
			w.Voided += btoi(g.Source == arena.Stalled)
		default:
			w.Games++
			w.Moves += g.Sides[0].Moves + g.Sides[1].Moves
			w.Faults += btoi(g.Source == arena.Faulted)
			w.seconds += g.Seconds
		}
	}
	for _, i := range incidents {
		w := all.of(i.Worker)
		w.Refused += btoi(i.Kind == arena.GameRefused)
		w.Expelled = w.Expelled || i.Kind == arena.Expelled || i.Kind == arena.Excluded
		w.Audited += btoi(i.Kind == arena.AuditEqual || i.Kind == arena.AuditDiffers || i.Kind == arena.AuditUndecided)
		w.Differ += btoi(i.Kind == arena.AuditDiffers || i.Kind == arena.AuditFalse)
		w.Undecided += btoi(i.Kind == arena.AuditUndecided)
	}
	var out []arena.WorkerRow
	for _, name := range slices.Sorted(maps.Keys(all)) {
		w := all[name]
		w.Worker = name
		w.MovesPerSecond = ratio(float64(w.Moves), w.seconds)
		out = append(out, w.WorkerRow)
	}
	return out
}

package tournament

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"thera/arena"
	"thera/arena/rating"
)

// Against adds the changes since an earlier run to a summary. It
// refuses a run with another game or other rules; for any other difference in
// the conditions it adds a warning.
func Against(sum, base *arena.Summary) error {
	fault := func(err error) error {
		return fmt.Errorf("comparing run %s with %s: %w", sum.Run.Name, base.Run.Name, err)
	}
	warn := func(text string, args ...any) {
		sum.Warnings = append(sum.Warnings, arena.Warningf(arena.WarnBaseline, 0, text, args...))
	}
	for _, s := range []*arena.Summary{sum, base} {
		if s.Doubt != nil {
			return fault(fmt.Errorf("%s is unrated: %s", s.Run.Name, s.Doubt.Text))
		}
	}
	if sum.Run.Game != base.Run.Game {
		return fault(fmt.Errorf("one is of the game %s, the other of %s", sum.Run.Game, base.Run.Game))
	}
	if is, was := sum.Run.Plan.Rules, base.Run.Plan.Rules; is != was {
		return fault(fmt.Errorf("the rules differ: %s, earlier %s", is, was))
	}
	was, is := base.Run.Plan.Conditions(base.Run.Game, base.Engines), sum.Run.Plan.Conditions(sum.Run.Game, sum.Engines)
	if lines := was.Differences(is); len(lines) > 0 {
		warn("other conditions than in %s: %s", base.Run.Name, strings.Join(lines, "; "))
	}
	sum.Baseline, sum.Changes = base.Run.Name, []arena.Change{}
	if err := ratingChanges(sum, "engine", meetings(sum.Rows), meetings(base.Rows)); err != nil {
		return fault(err)
	}
	now, before := matchups(rolesMet(sum.Rows)), matchups(rolesMet(base.Rows))
	if err := ratingChanges(sum, "role", between(now), between(before)); err != nil {
		return fault(err)
	}
	scoreChanges(sum, now, before)
	slices.SortStableFunc(sum.Changes, func(a, b arena.Change) int { return cmp.Compare(a.P, b.P) })
	holm(sum.Changes)
	if len(sum.Changes) == 0 {
		warn("nothing in this run can be compared with %s: no engine, role or match-up played in both", base.Run.Name)
	}
	return nil
}

// ratingChanges rates both runs over the players that both have. Ratings are
// relative, so they can only be compared among the same players.
func ratingChanges(sum *arena.Summary, kind string, is, was []rating.Meeting) error {
	names := func(results []rating.Meeting) map[string]bool {
		m := map[string]bool{}
		for _, x := range results {
			m[x.A], m[x.B] = true, true
		}
		return m
	}
	now, before := names(is), names(was)
	unshared := func(x rating.Meeting) bool { return !(now[x.A] && before[x.A] && now[x.B] && before[x.B]) }
	tables := [2]*rating.Ratings{}
	for i, results := range [][]rating.Meeting{was, is} {
		t, err := rating.Fit(slices.DeleteFunc(slices.Clone(results), unshared), nil)
		if err != nil {
			return err
		}
		tables[i] = t
	}
	for i := range tables[1].Players {
		p := &tables[1].Players[i]
		if c, ok := tables[1].Change(tables[0], p.Name); ok {
			k, _ := tables[0].Find(p.Name)
			change(sum, kind, p.Name, c, [2]int64{tables[0].Players[k].Games, p.Games})
		}
	}
	return nil
}

// scoreChanges compares match-ups of roles.
func scoreChanges(sum *arena.Summary, is, was []matchup) {
	before := map[[2]string]matchup{}
	for _, d := range was {
		before[[2]string{d.A, d.B}] = d
	}
	for _, d := range is {
		b := before[[2]string{d.A, d.B}]
		if c, ok := rating.ScoreChange(b.Counts, d.Counts); ok {
			change(sum, "matchup", d.A+" - "+d.B, c, [2]int64{b.Games.Games(), d.Games.Games()})
		}
	}
}

func change(sum *arena.Summary, kind, name string, c rating.Change, games [2]int64) {
	sum.Changes = append(sum.Changes, arena.Change{
		Kind: kind, Name: name, Was: c.Was, Is: c.Is, Change: c.Is - c.Was, Error: c.Error, P: c.P, Games: games,
	})
}

// holm marks the changes that are significant at 5 % after correction for
// multiple comparisons (Holm 1979). The list is sorted by P.
func holm(changes []arena.Change) {
	for i := range changes {
		if changes[i].P > 0.05/float64(len(changes)-i) {
			return
		}
		changes[i].Firm = true
	}
}

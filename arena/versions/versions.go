// Package versions plays versions of an engine against each other: a test of one
// commit against another, a search for the commit that changed the strength, and the
// tuning of options.
//
// Each step is a separate run. Its name follows from what is played. Stored runs are the
// only state: a search that is begun again reads what is finished and goes on from there.
// The caller plays the runs and shows them. Package source builds commits.
package versions

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"slices"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/rating"
	"thera/arena/report"
	"thera/arena/session"
	"thera/arena/store"
	"thera/arena/tournament"
	"thera/arena/versions/source"
	"thera/engine/game"
)

// Contest is how versions are played.
type Contest struct {
	*config.Contest
	Builder *session.Builder
	Say     func(text string)
}

// Games plays runs, of which nobody looks at the steps of a search. Store has the runs of
// earlier starts.
type Games struct {
	Store *store.Store
	Play  func(plan *arena.Plan, step bool) (*arena.Summary, error)

	runs map[string]arena.RunInfo // of earlier starts, by name
}

func (c *Contest) say(format string, args ...any) { c.Say(fmt.Sprintf(format, args...)) }

// stage plays one test to its end and adds it to the verdict.
func (c *Contest) stage(play Games, plan *arena.Plan, verdict *report.Verdict) (passed bool, err error) {
	required, err := tournament.Requirements(plan, []string{"h1"})
	if err != nil {
		return false, err
	}
	sum, err := play.Play(plan, false)
	if err != nil {
		return false, err
	}
	passed = tournament.Met(required, sum, c.Say)
	return passed, addStage(verdict, sum, passed)
}

// look reads which runs there are.
func (g *Games) look(ctx context.Context) error {
	list, err := g.Store.Runs(ctx)
	g.runs = map[string]arena.RunInfo{}
	for _, run := range list {
		g.runs[run.Name] = run
	}
	return err
}

// stored returns the summary of a run that is finished with this number of rounds, or nil.
func (g *Games) stored(ctx context.Context, name string, rounds int, of game.Game) (sum *arena.Summary, err error) {
	run := g.runs[name]
	if run.State != "finished" || run.Plan.Format.Rounds < rounds {
		return nil, nil
	}
	err = g.Store.Load(ctx, run.ID, func(run arena.RunInfo, games iter.Seq[*arena.Game]) (err error) {
		sum, err = tournament.Summarize(run.PlanOf(of), run, games, nil)
		return err
	})
	return sum, err
}

// conditionsKey is equal for plans of one contest: games under other conditions
// are not counted.
func conditionsKey(plan *arena.Plan) string {
	e := slices.DeleteFunc(plan.ConditionsOf(&plan.Engines[0]), func(one arena.Condition) bool { return one.Key == "name" })
	return keyOf(plan.Conditions(), e, plan.Engines[0].Fetch, plan.Engines[0].Build)
}

// keyOf is a short name of values.
func keyOf(values ...any) string {
	return fmt.Sprintf("%x", sha256.Sum256(arena.JSON(values)))[:8]
}

// pairsOf are the finished pairs of a run of two engines, from the view of one.
func pairsOf(sum *arena.Summary, engine string) rating.Penta {
	var pairs rating.Penta
	for _, row := range sum.Rows {
		t := row.Tally
		if row.Pairing[0] != engine {
			t = t.Swapped()
		}
		pairs = pairs.Add(t.Pairs)
	}
	return pairs
}

// Test plays the sequential test of one commit against another, in one stage or several, one
// after the other as long as they are passed. bounds are those of all stages, nil: those of
// the file. with is called with the verdict so far, and only if there is something to play.
func (c *Contest) Test(
	ctx context.Context, head, base source.Commit, bounds *[2]float64, v *report.Verdict, with func(play func(Games) error) error,
) error {
	var stages []*arena.Plan
	match := config.Match{Commits: []string{head.Hash, base.Hash}, Format: "sprt", Bounds: bounds}
	for match.Stage = range c.Stages { // all are checked before the first build
		plan, err := c.Plan(match)
		if err != nil {
			return err
		}
		stages = append(stages, plan)
	}
	v.Stages, v.Planned, v.Warnings = []report.VerdictStage{}, len(stages), []string{}
	exact := true
	for i, plan := range stages {
		plan, built, err := c.Builder.Build(ctx, plan)
		if err != nil {
			return err
		}
		plan.Name = testName(plan, i, c.Stages)
		stages[i], exact = plan, exact && plan.Limit.Exact()
		for i, one := range []*report.VersionOf{&v.Head, &v.Base} {
			b := built[i]
			one.Commit, one.Subject, one.Signature, one.Announced = b.Hash, b.Subject, b.Signature, b.Announced
		}
	}
	timed := false
	play := func(play Games) error {
		for _, plan := range stages {
			if v.Verdict == sameMoves && plan.Limit.Exact() {
				continue
			}
			timed = timed || !plan.Limit.Exact()
			if passed, err := c.stage(play, plan, v); err != nil || !passed && v.Verdict != sameMoves {
				return err
			}
		}
		return nil
	}
	// With one signature the same nodes make the same games.
	if v.Head.Signature == "" || v.Head.Signature != v.Base.Signature || !exact {
		if err := with(play); err != nil {
			return err
		}
	}
	conclude(v, timed)
	return nil
}

// testName tells tests of different commits, games, limits and bounds apart: each
// is a separate run, which the same command resumes.
func testName(plan *arena.Plan, stage, stages int) string {
	name := fmt.Sprintf("test %s v %s, %s, %s, [%g, %g]",
		plan.Engines[0].Name, plan.Engines[1].Name, plan.Game.Name(), plan.Limit.Text(), plan.SPRT.Elo0, plan.SPRT.Elo1)
	if stages > 1 {
		name += fmt.Sprintf(", stage %d of %d", stage+1, stages)
	}
	return name
}

// Commits finds the commits of a test: args are base and head, of which either may be
// missing.
func Commits(ctx context.Context, repo *source.Repo, args []string) (head, base source.Commit, err error) {
	ref := "HEAD"
	if len(args) > 1 {
		ref = args[1]
	}
	if head, err = repo.Commit(ctx, ref); err != nil {
		return head, base, err
	}
	if len(args) > 0 {
		base, err = repo.Commit(ctx, args[0])
	} else {
		base, err = repo.Base(ctx, head)
	}
	if err == nil && base.Hash == head.Hash {
		err = fmt.Errorf("%s and %s are the same commit, %s: nothing to test", args[0], ref, head.Short())
	}
	return head, base, err
}

// Verdicts that are none of the test.
const (
	sameMoves = "no functional change"
	slowed    = "stronger by nodes, slower"
	faulted   = "faults"
)

// addStage adds the result of a test between head and base. passed says whether
// the run met what the verdict requires of it.
func addStage(v *report.Verdict, sum *arena.Summary, passed bool) error {
	test := sum.Test
	if test == nil || len(sum.Run.Plan.Engines) != 2 {
		return fmt.Errorf("run %s is no test of two engines", sum.Run.Name)
	}
	s := report.VerdictStage{
		Run: sum.Run.Name, Game: sum.Run.Game, Limit: sum.Run.Plan.Limit.Text(), Test: *test, Speed: test.Speed, Slower: test.Slower,
	}
	for _, p := range sum.Figures.Pairings { // at most one, from the head's view
		s.Score = p.Score
	}
	s.Pairs = cmp.Or(s.Pairs, &rating.Penta{})
	for _, e := range sum.Figures.Engines {
		for i := range sum.Run.Plan.Engines {
			if e.Name == sum.Run.Plan.Engines[i].Name {
				s.Faults[i] = e.Faults
			}
		}
	}
	v.Stages = append(v.Stages, s)
	for _, w := range sum.Warnings {
		// Surplus games are those that were played at the same time; there is no ranking.
		if w.Kind != arena.WarnSurplus && w.Kind != arena.WarnRating {
			v.Warnings = append(v.Warnings, w.Text)
		}
	}
	v.Verdict, v.Passed = test.Decision, passed
	switch {
	case sum.Stop != nil && sum.Stop.Kind == arena.StopSame:
		v.Verdict = sameMoves
	case test.Decision == rating.Continue:
		v.Verdict = "undecided"
	case test.Decision == rating.H1 && !passed:
		v.Verdict = faulted
	}
	return nil
}

// conclude fills in the sentence and what the figures hide. timed says that a stage had
// a limit of time, so that strength has the speed in it.
func conclude(v *report.Verdict, timed bool) {
	if v.Head.Signature != "" && v.Head.Signature == v.Base.Signature {
		if len(v.Stages) == 0 {
			v.Verdict = sameMoves
		}
		v.Warnings = append(v.Warnings, "no functional change: both versions have the signature "+v.Head.Signature)
	}
	for _, one := range []*report.VersionOf{&v.Head, &v.Base} {
		if one.Signature != "" && one.Announced != "" && one.Signature != one.Announced {
			v.Warnings = append(v.Warnings, fmt.Sprintf("%s has the signature %s, and its commit message announces %s",
				arena.Short(one.Commit), one.Signature, one.Announced))
		}
		if one.Dirty > 0 {
			changed := arena.Plural(one.Dirty, "file")
			v.Warnings = append(v.Warnings, "dirty tree: "+changed+" changed in the working tree and not tested")
		}
	}
	head := fmt.Sprintf("%s (%s)", arena.Short(v.Head.Commit), v.Head.Subject)
	base := fmt.Sprintf("%s (%s)", arena.Short(v.Base.Commit), v.Base.Subject)
	if len(v.Stages) == 0 {
		v.Sentence = fmt.Sprintf("%s plays like %s: no functional change, no game was played.", head, base)
		return
	}
	last := &v.Stages[len(v.Stages)-1]
	speed := ""
	if !timed {
		v.Warnings = append(v.Warnings, "limits of nodes and depth hide slowdowns")
		if last.Speed != nil {
			speed = fmt.Sprintf(" It makes %.2f times the nodes a second of the base.", *last.Speed)
		}
		if last.Slower && v.Verdict == rating.H1 && !v.Slow {
			v.Verdict, v.Passed = slowed, false
		}
	}
	bounds := fmt.Sprintf("(H0: %g or less, H1: %g or more, %s Elo)", last.Test.Elo0, last.Test.Elo1, last.Test.Model)
	failed := head + " does not pass against " + base
	switch v.Verdict {
	case rating.H1:
		v.Sentence = fmt.Sprintf("%s passes against %s: H1 is accepted %s.", head, base, bounds)
	case slowed:
		v.Sentence = fmt.Sprintf("%s: H1 is accepted %s, but it is slower, and no limit of time was tested (--allow-slower).", failed, bounds)
	case sameMoves:
		v.Sentence = fmt.Sprintf("%s plays like %s: no functional change, the two games of each of %d pairs are the same.", head, base, last.Games/2)
	case rating.H0:
		v.Sentence = fmt.Sprintf("%s: H0 is accepted %s.", failed, bounds)
	case faulted:
		v.Sentence = fmt.Sprintf("%s: H1 is accepted, and engines were at fault in %s.", failed, arena.Plural(last.Faults[0]+last.Faults[1], "game"))
	default:
		v.Sentence = fmt.Sprintf("It is undecided whether %s passes against %s %s.", head, base, bounds)
	}
	v.Sentence += speed
}

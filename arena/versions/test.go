package versions

import (
	"context"
	"fmt"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/report"
	"thera/arena/versions/source"
)

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
			if passed, err := c.stage(ctx, play, plan, v); err != nil || !passed && v.Verdict != sameMoves {
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

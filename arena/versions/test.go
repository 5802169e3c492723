package versions

import (
	"context"
	"fmt"
	"slices"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/report"
	"thera/arena/versions/source"
)

// Test is a sequential test of one commit against another, in one stage or several.
type Test struct {
	*Contest
	stages  []*arena.Plan
	verdict *report.Verdict
}

// NewTest builds the commits. bounds are those of all stages, "" for those of the file.
func (c *Contest) NewTest(ctx context.Context, head, base source.Commit, bounds string) (*Test, error) {
	t := &Test{Contest: c}
	match := config.Match{Commits: []string{head.Hash, base.Hash}, Format: "sprt", SPRT: bounds}
	for match.Stage = range c.Stages { // all are checked before the first build
		plan, err := c.Plan(match)
		if err != nil {
			return nil, err
		}
		named := *plan
		named.Name = testName(plan, match.Stage, c.Stages)
		t.stages = append(t.stages, &named)
	}
	var built []*source.Built // the same in all stages
	for i := range t.stages {
		var err error
		if t.stages[i], built, err = c.Builder.Build(ctx, t.stages[i]); err != nil {
			return nil, err
		}
	}
	t.verdict = &report.Verdict{
		Head: versionOf(built[0]), Base: versionOf(built[1]), Stages: []report.VerdictStage{}, Planned: len(t.stages), Warnings: []string{},
	}
	timed := slices.ContainsFunc(t.stages, func(p *arena.Plan) bool { return !p.Limit.Exact() })
	if same := t.verdict.Head.Signature; same != "" && same == t.verdict.Base.Signature && !timed {
		t.stages = nil // the same nodes make the same games
	}
	return t, nil
}

// Plays reports whether there is anything to play.
func (t *Test) Plays() bool { return len(t.stages) > 0 }

// Run plays the stages one after the other, as long as they are passed. dirty is how
// many files of the working tree are not in the head; with slower, a head may make fewer
// nodes a second.
func (t *Test) Run(ctx context.Context, play Games, dirty int, slower bool) (*report.Verdict, error) {
	v := t.verdict
	v.Head.Dirty, v.Slow = dirty, slower
	timed := false
	for _, plan := range t.stages {
		if v.Verdict == sameMoves && plan.Limit.Exact() {
			continue
		}
		timed = timed || !plan.Limit.Exact()
		passed, err := t.stage(ctx, play, plan, v)
		if err != nil {
			return nil, err
		}
		if !passed && v.Verdict != sameMoves {
			break
		}
	}
	conclude(v, timed)
	return v, nil
}

// testName tells tests of different commits, games, limits and bounds apart: each
// is a run of its own, which the same command resumes.
func testName(plan *arena.Plan, stage, stages int) string {
	name := fmt.Sprintf("test %s v %s, %s, %s, [%g, %g]", plan.Engines[0].Name, plan.Engines[1].Name, plan.Game.Name(), plan.Limit.Text(), plan.SPRT.Elo0, plan.SPRT.Elo1)
	if stages > 1 {
		name += fmt.Sprintf(", stage %d of %d", stage+1, stages)
	}
	return name
}

func versionOf(b *source.Built) report.VersionOf {
	return report.VersionOf{Commit: b.Hash, Subject: b.Subject, Signature: b.Signature, Announced: b.Announced}
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

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/report"
	"thera/arena/source"
	"thera/arena/store"
)

// testCommand plays the sequential test of one commit against another.
func testCommand() *cobra.Command {
	var v versions
	var form string
	var gain, noLoss, asJSON bool
	cmd := &cobra.Command{
		Use:   "test [BASE] [HEAD]",
		Short: "Test one version of an engine against another, from their commits: one verdict",
		Long: "Builds two commits of an engine and plays a sequential test of HEAD against BASE, as thera.yaml in the\n" +
			"engine's repository says. BASE is by default the commit at which HEAD left main. The exit status is 0\n" +
			"if every stage accepts H1, and 3 otherwise. The same command resumes a test that was stopped.",
		Example: "  thera test\n  thera test main~3 main --gain\n  thera test v1.2 HEAD --no-loss --format markdown",
		Args:    cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch form, err := formatOf(form); {
			case err != nil:
				return err
			case form == report.CSV:
				return errors.New("--format csv: a verdict is text, markdown or --json")
			case gain && noLoss:
				return errors.New("--gain and --no-loss together, expected one of them")
			}
			bounds := ""
			if gain {
				bounds = gainBounds
			}
			if noLoss {
				bounds = noLossBounds
			}
			verdict, err := v.test(cmd, args, bounds)
			if verdict != nil {
				if asJSON {
					err = errors.Join(err, report.NewJSON(cmd.OutOrStdout()).Encode(verdict))
				} else {
					form, _ := formatOf(form)
					err = errors.Join(err, verdict.Write(cmd.OutOrStdout(), form))
				}
			}
			if err == nil && !verdict.Passed {
				err = &exitError{code: exitNotMet}
			}
			return err
		},
	}
	v.flags(cmd)
	cmd.Flags().StringVar(&v.play.events, "events", "", "write events to `FILE`, one JSON object a line")
	cmd.Flags().BoolVar(&gain, "gain", false, "bounds for a change that should gain strength: normalized Elo 0 and 10")
	cmd.Flags().BoolVar(&noLoss, "no-loss", false, "bounds for a change that should lose none: normalized Elo -10 and 0")
	cmd.Flags().StringVar(&form, "format", string(report.Terminal), "text or markdown")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// The bounds by name.
const (
	gainBounds   = "elo0=0,elo1=10"
	noLossBounds = "elo0=-10,elo1=0"
)

// versions are the flags of commands that play commits against each other.
type versions struct {
	file string
	play playOptions
}

func (v *versions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&v.file, "file", "thera.yaml", "how versions are played")
	v.playFlags(cmd)
}

// playFlags adds the flags of commands whose games a contest describes.
func (v *versions) playFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	dbFlag(cmd, &v.play.db)
	f.StringVar(&v.play.sandbox, "sandbox", "", "auto, require or off, for builds and engines (default: as the engine's key says)")
	f.StringArrayVar(&v.play.sets, "set", nil, "override `key.path=value` of the file, as limit.nodes=1000 (repeatable)")
}

// open reads the file and finds the engine's repository.
func (v *versions) open(ctx context.Context) (config.Host, *config.Contest, *source.Repo, error) {
	host, err := thisHost()
	if err != nil {
		return host, nil, nil, err
	}
	contest, err := config.LoadContest(v.file, v.play.sets, host)
	if err != nil {
		return host, nil, nil, err
	}
	repo, err := source.OpenRepo(ctx, contest.Repo())
	return host, contest, repo, err
}

// test plays the stages of a test. The verdict is nil if there is none.
func (v *versions) test(cmd *cobra.Command, args []string, bounds string) (*report.Verdict, error) {
	ctx, errOut := cmd.Context(), cmd.ErrOrStderr()
	host, contest, repo, err := v.open(ctx)
	if err != nil {
		return nil, showProblems(cmd, err)
	}
	head, base, err := headAndBase(ctx, repo, args)
	if err != nil {
		return nil, err
	}
	v.play.again = "thera " + strings.Join(quoteAll(append([]string{"test", base.Short(), head.Short()}, v.words(bounds)...)), " ")
	match := config.Match{Commits: []string{head.Hash, base.Hash}, Format: "sprt", SPRT: bounds}
	var stages []*arena.Plan // all are checked before the first game
	for match.Stage = range contest.Stages {
		plan, err := contest.Plan(match)
		if err != nil {
			return nil, showProblems(cmd, err)
		}
		plan.Name = testName(plan, match.Stage, contest.Stages)
		stages = append(stages, plan)
	}
	built, err := v.build(ctx, stages, errOut)
	if err != nil {
		return nil, err
	}
	verdict := &report.Verdict{Head: versionOf(built[0]), Base: versionOf(built[1]), Stages: []report.VerdictStage{}, Planned: len(stages), Warnings: []string{}}
	if len(args) < 2 || args[1] == "HEAD" {
		if verdict.Head.Dirty, err = repo.Dirty(ctx); err != nil {
			return nil, err
		}
	}
	timed := slices.ContainsFunc(stages, func(p *arena.Plan) bool { return !p.Limit.Exact() })
	if built[0].Signature != "" && built[0].Signature == built[1].Signature && !timed {
		verdict.Conclude() // the same nodes make the same games
		return verdict, nil
	}
	for _, plan := range stages {
		passed, err := v.stage(cmd, plan, host.Cores, verdict)
		if err != nil {
			return nil, err
		}
		if !passed {
			break
		}
	}
	verdict.Conclude()
	return verdict, nil
}

// stage plays one test to its end and adds it to the verdict.
func (v *versions) stage(cmd *cobra.Command, plan *arena.Plan, cores int, verdict *report.Verdict) (passed bool, err error) {
	sum, err := v.played(cmd, plan, cores, "h1")
	var status *exitError
	if errors.As(err, &status) && status.code == exitNotMet {
		err = nil
	} else {
		passed = err == nil
	}
	if err != nil {
		return false, err
	}
	return passed, verdict.AddStage(sum, passed)
}

// played plays a plan and returns what it came to, also if it does not meet what is
// required.
func (v *versions) played(cmd *cobra.Command, plan *arena.Plan, cores int, require ...string) (sum *arena.Summary, err error) {
	o := v.play
	o.require = require
	o.show = func(_ context.Context, _ io.Writer, _ *store.Store, s *arena.Summary) error {
		sum = s
		return nil
	}
	err = play(cmd, plan, cores, &o)
	return sum, err
}

// quietly is played without a word of progress, for games that are steps of a search.
func (v *versions) quietly(ctx context.Context, plan *arena.Plan, cores int) (*arena.Summary, error) {
	quiet := &cobra.Command{}
	quiet.SetContext(ctx)
	quiet.SetOut(io.Discard)
	quiet.SetErr(io.Discard)
	return v.played(quiet, plan, cores)
}

// headAndBase finds the commits of a test.
func headAndBase(ctx context.Context, repo *source.Repo, args []string) (head, base source.Commit, err error) {
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

// testName tells tests of different commits, games, limits and bounds apart: each
// is a run of its own, which the same command resumes.
func testName(plan *arena.Plan, stage, stages int) string {
	name := fmt.Sprintf("test %s v %s, %s, %s, [%g, %g]", plan.Engines[0].Name, plan.Engines[1].Name, plan.Game.Name(), plan.Limit.Text(), plan.SPRT.Elo0, plan.SPRT.Elo1)
	if stages > 1 {
		name += fmt.Sprintf(", stage %d of %d", stage+1, stages)
	}
	return name
}

// build builds the engines of the first plan, and gives them to all.
func (v *versions) build(ctx context.Context, plans []*arena.Plan, errOut io.Writer) ([]*source.Built, error) {
	cache, err := source.Open("")
	if err != nil {
		return nil, err
	}
	var all []*source.Built
	for i := range plans[0].Engines {
		built, err := buildEngine(ctx, cache, &plans[0].Engines[i], v.play.sandbox, errOut)
		if err != nil {
			return nil, err
		}
		for _, plan := range plans[1:] {
			if err := built.Apply(&plan.Engines[i]); err != nil {
				return nil, err
			}
		}
		all = append(all, built)
	}
	return all, nil
}

func versionOf(b *source.Built) report.VersionOf {
	return report.VersionOf{Commit: b.Hash, Subject: b.Subject, Signature: b.Signature, Announced: b.Announced}
}

// words are the flags that resume.
func (v *versions) words(bounds string) []string {
	var words []string
	switch bounds {
	case gainBounds:
		words = append(words, "--gain")
	case noLossBounds:
		words = append(words, "--no-loss")
	}
	if v.file != "thera.yaml" {
		words = append(words, "--file", v.file)
	}
	return append(words, v.play.words()...)
}

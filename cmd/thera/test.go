package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/report"
	"thera/arena/sandbox"
	"thera/arena/session"
	"thera/arena/store"
	"thera/arena/versions"
	"thera/arena/versions/source"
)

// testCommand plays the sequential test of one commit against another.
func testCommand() *cobra.Command {
	v := versionFlags{apart: true}
	var answer answerFlags
	var gain, noLoss bool
	cmd := &cobra.Command{
		Use:   "test [BASE] [HEAD]",
		Short: "Test one version of an engine against another, from their commits",
		Args:  cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var bounds *[2]float64
			switch {
			case gain:
				bounds = &[2]float64{0, 10}
			case noLoss:
				bounds = &[2]float64{-10, 0}
			}
			verdict, err := v.test(cmd, args, bounds)
			if err != nil {
				return hinted(showProblems(cmd, err))
			}
			verdict.Width = columns(cmd)
			return answer.verdict(cmd.OutOrStdout(), verdict, verdict.Passed)
		},
	}
	v.flags(cmd)
	eventsFlag(cmd, &v.play.events)
	cmd.Flags().BoolVar(&v.slower, "allow-slower", false,
		"pass also with fewer nodes a second where no stage has a limit of time")
	cmd.Flags().BoolVar(&gain, "gain", false, "bounds for a change that should gain strength: normalized Elo 0 and 10")
	cmd.Flags().BoolVar(&noLoss, "no-loss", false, "bounds for a change without a loss: normalized Elo -10 and 0")
	cmd.MarkFlagsMutuallyExclusive("gain", "no-loss")
	answer.flags(cmd, proseForms, "")
	return cmd
}

// versionFlags are the flags of commands that play versions against each other.
type versionFlags struct {
	file string
	env  []string // variables of this machine that the file may use
	sets []string
	play playOptions

	slower bool // --allow-slower
	apart  bool // builds share no cache: the commits may be of different people
}

func (v *versionFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&v.file, "file", "thera.yaml", "how versions are played")
	f.StringArrayVar(&v.env, "env", nil,
		"a variable of this machine, by `NAME`, that the file and fetch may use (repeatable)")
	v.playFlags(cmd, sandbox.Require)
}

// playFlags adds the flags of commands whose games a contest describes.
func (v *versionFlags) playFlags(cmd *cobra.Command, mode string) {
	dbFlag(cmd, &v.play.db)
	sandboxFlag(cmd, &v.play.sandbox, mode)
	setFlag(cmd, &v.sets)
}

// open reads the file and finds the engine's repository. What it builds may be a
// stranger's.
func (v *versionFlags) open(cmd *cobra.Command) (*versions.Contest, *source.Repo, error) {
	host, err := thisHost()
	if err != nil {
		return nil, nil, err
	}
	contest, err := config.LoadTheirs(v.file, v.sets, host, v.env)
	if err != nil {
		return nil, nil, err
	}
	c := v.contest(cmd, contest)
	c.Builder.Pass, c.Builder.Apart, c.Builder.Inside = append([]string{}, v.env...), v.apart, true
	repo, err := source.OpenRepo(cmd.Context(), contest.Repo)
	return c, repo, err
}

// contest is a contest whose words go to stderr.
func (v *versionFlags) contest(cmd *cobra.Command, contest *config.Contest) *versions.Contest {
	say := func(text string) { tell(cmd.ErrOrStderr(), "%s", text) }
	return &versions.Contest{Contest: contest, Say: say, Builder: &session.Builder{Mode: v.play.sandbox, Say: say}}
}

// test plays the stages of a test. The verdict is nil if there is none.
func (v *versionFlags) test(cmd *cobra.Command, args []string, bounds *[2]float64) (verdict *report.Verdict, err error) {
	ctx := cmd.Context()
	contest, repo, err := v.open(cmd)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, repo.Close()) }()
	verdict = &report.Verdict{Slow: v.slower}
	if len(args) < 2 || args[1] == "HEAD" {
		if verdict.Head.Dirty, err = repo.Dirty(ctx); err != nil {
			return nil, err
		}
		if dirty := verdict.Head.Dirty; dirty > 0 {
			contest.Say("uncommitted changes are not tested: " + arena.Plural(dirty, "file"))
		}
	}
	head, base, err := versions.Commits(ctx, repo, args)
	if err != nil {
		return nil, err
	}
	err = contest.Test(ctx, head, base, bounds, verdict, func(play func(versions.Games) error) error { return v.games(cmd, play) })
	if err != nil {
		return nil, err
	}
	return verdict, nil
}

// games lets a search play runs: its steps without a word, others as thera run does.
func (v *versionFlags) games(cmd *cobra.Command, do func(versions.Games) error) error {
	ctx, cores := cmd.Context(), allowedCores()
	return v.play.withRuns(ctx, func(db *store.Store) error {
		return do(versions.Games{Store: db, Play: func(plan *arena.Plan, step bool) (sum *arena.Summary, err error) {
			errOut := cmd.ErrOrStderr()
			if step {
				errOut = io.Discard
				sum, err = session.Play(ctx, plan, session.Options{Store: db, Sandbox: v.play.sandbox, Cores: cores})
			} else {
				sum, err = v.play.session(cmd, db, plan, cores, nil)
			}
			if err != nil {
				return nil, v.play.resumable(errOut, db, err)
			}
			return sum, v.play.finding(sum, false)
		}})
	})
}

// hinted says how to play on a machine without a sandbox.
func hinted(err error) error {
	if errors.As(err, new(*sandbox.MissingError)) {
		err = fmt.Errorf("%w (commits may be a stranger's; for your own, --sandbox auto takes what there is)", err)
	}
	return err
}

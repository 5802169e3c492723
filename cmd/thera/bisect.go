package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/bisect"
	"thera/arena/config"
	"thera/arena/rating"
	"thera/arena/report"
	"thera/arena/source"
	"thera/arena/store"
)

// bisectCommand finds the commit that changed an engine's strength.
func bisectCommand() *cobra.Command {
	var v versions
	var asJSON bool
	batch, most := 32, 20_000
	form := string(report.Terminal)
	cmd := &cobra.Command{
		Use:   "bisect GOOD BAD",
		Short: "Find the commit that lost (or won) strength, by games between versions",
		Long: "Plays versions of an engine between two commits, as thera.yaml in its repository says, until one commit\n" +
			"has a probability of 95 %. It assumes that one commit changed the strength, and chooses the versions to\n" +
			"play by what their games are expected to tell. All games count, also those of earlier searches in the\n" +
			"database; the same command resumes. The exit status is 3 if no commit is found.",
		Example: "  thera bisect v1.2 main\n  thera bisect HEAD~40 HEAD --json",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			form, err := proseOf(form)
			switch {
			case err != nil:
				return err
			case batch < 2 || batch%2 != 0:
				return fmt.Errorf("--batch %d: expected an even number from 2", batch)
			}
			b := &bisection{versions: &v, cmd: cmd, batch: batch / 2, most: most, built: map[string]*source.Built{}, failed: map[string]bool{}, pairs: map[[2]string]rating.Penta{}}
			found, err := b.run(args[0], args[1])
			if err != nil {
				return err
			}
			if asJSON {
				err = report.NewJSON(cmd.OutOrStdout()).Encode(found)
			} else {
				err = found.Write(cmd.OutOrStdout(), form)
			}
			if err == nil && found.Commit == "" {
				err = &exitError{code: exitNotMet}
			}
			return err
		},
	}
	v.flags(cmd)
	cmd.Flags().IntVar(&batch, "batch", batch, "games between two versions before the next two are chosen")
	cmd.Flags().IntVar(&most, "games", most, "give up after so many games")
	cmd.Flags().StringVar(&form, "format", form, "text or markdown")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// enough is the probability at which a search ends, after at least one batch.
const enough = 0.95

// bisection is one search.
type bisection struct {
	*versions
	cmd     *cobra.Command
	batch   int // pairs
	most    int // games
	host    config.Host
	contest *config.Contest
	cache   *source.Cache
	commits []source.Commit
	key     string // of the playing conditions
	built   map[string]*source.Built
	failed  map[string]bool
	pairs   map[[2]string]rating.Penta // by the hashes of the older and the newer version
}

func (b *bisection) run(good, bad string) (*report.Bisection, error) {
	ctx := b.cmd.Context()
	if err := b.prepare(ctx, good, bad); err != nil {
		return nil, err
	}
	cut, err := b.load(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range cut { // finish what was stopped: then all goes on as without a stop
		if err := b.more(ctx, p.older, p.newer, p.rounds); err != nil {
			return nil, err
		}
	}
	for {
		line := b.line()
		search := b.search(line)
		posterior := search.Posterior()
		step, probability := posterior.Best()
		if done := b.games(); done > 0 && probability >= enough || done >= b.most {
			return b.answer(line, &posterior), nil
		}
		i, j := search.Next(b.batch)
		older, newer := line[i], line[j]
		if done := b.games(); done > 0 {
			b.say("%d games, most likely %s %s with %.1f %%", done, line[step].Short(), line[step].Subject, 100*probability)
		}
		b.say("next: %s v %s", older.Short(), newer.Short())
		if err := b.more(ctx, older, newer, int(search.Pairs(i, j).Pairs())+b.batch); err != nil {
			return nil, err
		}
	}
}

func (b *bisection) say(format string, args ...any) {
	tell(b.cmd.ErrOrStderr(), "bisect: "+format, args...)
}

// prepare finds the commits and checks the file.
func (b *bisection) prepare(ctx context.Context, good, bad string) error {
	host, contest, repo, err := b.open(ctx)
	if err != nil {
		return showProblems(b.cmd, err)
	}
	b.host, b.contest = host, contest
	var ends [2]source.Commit
	for i, ref := range []string{good, bad} {
		if ends[i], err = repo.Commit(ctx, ref); err != nil {
			return err
		}
	}
	if b.commits, err = repo.Between(ctx, ends[0], ends[1]); err != nil {
		return err
	}
	plan, err := b.plan(ends[0], ends[1], 1)
	if err != nil {
		return showProblems(b.cmd, err)
	}
	b.key = conditionsKey(plan)
	b.cache, err = source.Open("")
	return err
}

// conditionsKey is equal for plans of one contest: games under other conditions
// are not counted.
func conditionsKey(plan *arena.Plan) string {
	c := plan.Conditions()
	e := c.Engines[0].List
	e = slices.DeleteFunc(slices.Clone(e), func(one arena.Condition) bool { return one.Key == "name" })
	text, err := json.Marshal([]any{c.Common, e, plan.Engines[0].Fetch, plan.Engines[0].Build})
	if err != nil {
		panic(fmt.Sprintf("conditions cannot be written: %v", err)) // plain data only
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))[:8]
}

func (b *bisection) plan(older, newer source.Commit, rounds int) (*arena.Plan, error) {
	plan, err := b.contest.Plan(config.Match{Name: "bisect", Commits: []string{older.Hash, newer.Hash}, Format: "round-robin", Rounds: rounds})
	if err == nil {
		plan.Name = b.name(older, newer)
	}
	return plan, err
}

func (b *bisection) name(older, newer source.Commit) string {
	return fmt.Sprintf("bisect %s v %s, %s", older.Short(), newer.Short(), b.key)
}

// unfinished are games that were begun and not finished.
type unfinished struct {
	older, newer source.Commit
	rounds       int
}

// load reads the games that are in the database.
func (b *bisection) load(ctx context.Context) (cut []unfinished, err error) {
	if _, err := os.Stat(b.play.db); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	db, err := store.Existing(ctx, b.play.db)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	runs, err := db.Runs(ctx)
	if err != nil {
		return nil, err
	}
	byName := map[string]arena.RunInfo{}
	for _, run := range runs {
		byName[run.Name] = run
	}
	for i, older := range b.commits {
		for _, newer := range b.commits[i+1:] {
			run, ok := byName[b.name(older, newer)]
			if !ok {
				continue
			}
			sum, err := summaryOf(ctx, db, run)
			if err != nil {
				return nil, err
			}
			b.pairs[[2]string{older.Hash, newer.Hash}] = pairsOf(sum, older.Short())
			if run.State != "finished" {
				cut = append(cut, unfinished{older, newer, run.Plan.Format.Rounds})
			}
		}
	}
	return cut, nil
}

// pairsOf are the finished pairs of a run of two engines, from the view of one.
func pairsOf(sum *arena.Summary, engine string) rating.Penta {
	var pairs rating.Penta
	for _, row := range sum.Rows {
		t := row.Tally
		if row.Pairing[0] != engine {
			t = t.Swapped()
		}
		for c, n := range t.Pairs {
			pairs[c] += int64(n)
		}
	}
	return pairs
}

// more plays two versions until they have so many pairs. It plays nothing if one
// of them cannot be built, which line then leaves out.
func (b *bisection) more(ctx context.Context, older, newer source.Commit, rounds int) error {
	plan, err := b.plan(older, newer, rounds)
	if err != nil {
		return err
	}
	for i, commit := range []source.Commit{older, newer} {
		if ok, err := b.build(ctx, commit, &plan.Engines[i]); !ok {
			return err
		}
	}
	sum, err := b.quietly(ctx, plan, b.host.Cores)
	if err != nil {
		if ctx.Err() != nil {
			b.say("interrupted; the same command resumes")
		}
		return err
	}
	b.pairs[[2]string{older.Hash, newer.Hash}] = pairsOf(sum, older.Short())
	return nil
}

// build makes spec start a commit. It is false if that cannot be built, with an
// error for the ends of the line.
func (b *bisection) build(ctx context.Context, commit source.Commit, spec *arena.EngineSpec) (bool, error) {
	if built := b.built[commit.Hash]; built != nil {
		return true, built.Apply(spec)
	}
	built, err := buildEngine(ctx, b.cache, spec, b.play.sandbox, b.cmd.ErrOrStderr())
	var failed *source.BuildError
	switch end := commit == b.commits[0] || commit == b.commits[len(b.commits)-1]; {
	case err == nil:
		b.built[commit.Hash] = built
		return true, nil
	case !errors.As(err, &failed) || end:
		return false, err
	}
	b.say("left out: %v", err)
	b.failed[commit.Hash] = true
	return false, nil
}

// line is the commits that can be built, as far as is known.
func (b *bisection) line() []source.Commit {
	return slices.DeleteFunc(slices.Clone(b.commits), func(c source.Commit) bool { return b.failed[c.Hash] })
}

func (b *bisection) search(line []source.Commit) *bisect.Search {
	s := bisect.New(len(line))
	for i, older := range line {
		for j, newer := range line[i+1:] {
			if pairs := b.pairs[[2]string{older.Hash, newer.Hash}]; pairs.Pairs() > 0 {
				s.Set(i, i+1+j, pairs)
			}
		}
	}
	return s
}

func (b *bisection) games() int {
	n := 0
	for _, pairs := range b.pairs {
		n += 2 * int(pairs.Pairs())
	}
	return n
}

// answer describes the end of a search.
func (b *bisection) answer(line []source.Commit, p *bisect.Posterior) *report.Bisection {
	played := map[string]int{}
	for at, pairs := range b.pairs {
		played[at[0]] += 2 * int(pairs.Pairs())
		played[at[1]] += 2 * int(pairs.Pairs())
	}
	const z95 = 1.96
	last := len(line) - 1
	step, probability := p.Best()
	out := &report.Bisection{Probability: probability, Elo: p.Elo[last], EloError: z95 * p.Error[last], Games: b.games(), Unbuilt: []string{}}
	if probability >= enough {
		out.Commit, out.Subject = line[step].Hash, line[step].Subject
	}
	at := 0 // in line
	for _, c := range b.commits {
		row := report.BisectRow{Commit: c.Hash, Subject: c.Subject, Games: played[c.Hash]}
		if b.failed[c.Hash] {
			row.Note = "(cannot be built)"
			if at == step && out.Commit != "" { // between the last version before the step and the first after it
				out.Unbuilt = append(out.Unbuilt, c.Hash)
			}
			out.Commits = append(out.Commits, row)
			continue
		}
		elo, e := p.Elo[at], z95*p.Error[at]
		row.Elo, row.EloError = &elo, &e
		if at > 0 {
			row.Probability = &p.Step[at-1]
		}
		at++
		out.Commits = append(out.Commits, row)
	}
	return out
}

package versions

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/rating"
	"thera/arena/report"
	"thera/arena/versions/source"
	"thera/engine/game"
)

// enough is the probability at which a search ends, after at least one batch.
const enough = 0.95

// Bisection is a search for the commit that changed the strength.
type Bisection struct {
	*Contest
	commits []source.Commit // the oldest first
	failed  []bool          // those that cannot be built
	game    game.Game
	key     string                  // of the playing conditions
	pairs   map[[2]int]rating.Penta // of the older and the newer commit
}

// NewBisection prepares a search among the commits of a line, the oldest first.
func (c *Contest) NewBisection(commits []source.Commit) (*Bisection, error) {
	b := &Bisection{Contest: c, commits: commits, failed: make([]bool, len(commits)), pairs: map[[2]int]rating.Penta{}}
	plan, err := b.plan(0, len(commits)-1, 1)
	if err != nil {
		return nil, err
	}
	b.game, b.key = plan.Game, conditionsKey(plan)
	return b, nil
}

// Run plays until one commit is likely enough, or so many games were played. All games
// between the commits count, also those of other searches. batch is how many pairs two
// versions play before the next two are chosen.
func (b *Bisection) Run(ctx context.Context, play Games, batch, most int) (*report.Bisection, error) {
	if err := b.load(ctx, play); err != nil {
		return nil, err
	}
	for {
		search, at := b.line()
		posterior := search.posterior()
		step, probability := posterior.best()
		done := b.games()
		if done > 0 && probability >= enough || done >= most {
			return b.answer(at, &posterior), nil
		}
		if done > 0 {
			likely := b.commits[at[step]]
			b.say("bisect: %d games, most likely %s %s with %.1f %%", done, likely.Short(), likely.Subject, 100*probability)
		}
		i, j := search.next()
		older, newer := at[i], at[j]
		b.say("bisect: next: %s v %s", b.commits[older].Short(), b.commits[newer].Short())
		if err := b.more(ctx, play, older, newer, int(b.pairs[[2]int{older, newer}].Pairs())+batch); err != nil {
			return nil, err
		}
	}
}

// plan is the run of two versions.
func (b *Bisection) plan(older, newer, rounds int) (*arena.Plan, error) {
	plan, err := b.Plan(config.Match{
		Name: "bisect", Commits: []string{b.commits[older].Hash, b.commits[newer].Hash}, Format: "round-robin", Rounds: rounds,
	})
	if err != nil {
		return nil, err
	}
	named := *plan
	named.Name = b.name(older, newer)
	return &named, nil
}

func (b *Bisection) name(older, newer int) string {
	return fmt.Sprintf("bisect %s v %s, %s", b.commits[older].Short(), b.commits[newer].Short(), b.key)
}

// load reads the games that are in the database, and finishes what was stopped: then all
// goes on as without a stop.
func (b *Bisection) load(ctx context.Context, play Games) error {
	runs, err := play.runs(ctx)
	if err != nil {
		return err
	}
	for older := range b.commits {
		for newer := older + 1; newer < len(b.commits); newer++ {
			run, ok := runs[b.name(older, newer)]
			switch {
			case !ok:
				continue
			case run.State != "finished":
				err = b.more(ctx, play, older, newer, run.Plan.Format.Rounds)
			default:
				var sum *arena.Summary
				if sum, err = play.stored(ctx, run, b.game); err == nil {
					b.pairs[[2]int{older, newer}] = pairsOf(sum, b.commits[older].Short())
				}
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// more plays two versions until they have so many pairs. It plays nothing if one
// of them cannot be built, which line then leaves out.
func (b *Bisection) more(ctx context.Context, play Games, older, newer, rounds int) error {
	plan, err := b.plan(older, newer, rounds)
	if err != nil {
		return err
	}
	plan, _, err = b.Builder.Build(ctx, plan)
	var failed *source.BuildError
	if errors.As(err, &failed) {
		at := slices.Index(b.commits, failed.Commit)
		if at > 0 && at < len(b.commits)-1 {
			b.say("bisect: left out: %v", err)
			b.failed[at] = true
			return nil
		}
	}
	if err != nil {
		return err
	}
	sum, err := play.Step(ctx, plan)
	if err != nil {
		if ctx.Err() != nil {
			b.say("bisect: interrupted; the same command resumes")
		}
		return err
	}
	b.pairs[[2]int{older, newer}] = pairsOf(sum, b.commits[older].Short())
	return nil
}

// line is the search among the commits that can be built, as far as is known, and which these are.
func (b *Bisection) line() (search *line, at []int) {
	for i, failed := range b.failed {
		if !failed {
			at = append(at, i)
		}
	}
	search = newLine(len(at))
	for i, older := range at {
		for j, newer := range at {
			if pairs := b.pairs[[2]int{older, newer}]; pairs.Pairs() > 0 {
				search.played[[2]int{i, j}] = pairs
			}
		}
	}
	return search, at
}

func (b *Bisection) games() (n int) {
	for _, pairs := range b.pairs {
		n += 2 * int(pairs.Pairs())
	}
	return n
}

// answer describes the end of a search among the commits at.
func (b *Bisection) answer(at []int, p *posterior) *report.Bisection {
	z95 := rating.T95(math.Inf(1)) // of a posterior
	step, probability := p.best()
	last := len(at) - 1
	out := &report.Bisection{
		Probability: probability, Elo: p.Elo[last], EloError: z95 * p.Error[last], Games: b.games(), Unbuilt: []string{},
	}
	for _, c := range b.commits {
		out.Commits = append(out.Commits, report.BisectRow{Commit: c.Hash, Subject: c.Subject, Note: "(cannot be built)"})
	}
	for pair, pairs := range b.pairs {
		for _, i := range pair {
			out.Commits[i].Games += 2 * int(pairs.Pairs())
		}
	}
	for k, i := range at {
		row := &out.Commits[i]
		elo, e := p.Elo[k], z95*p.Error[k]
		row.Note, row.Elo, row.EloError = "", &elo, &e
		if k > 0 {
			row.Probability = &p.Step[k-1]
		}
	}
	if probability >= enough {
		found := b.commits[at[step]]
		out.Commit, out.Subject = found.Hash, found.Subject
		for _, c := range b.commits[at[step-1]+1 : at[step]] {
			out.Unbuilt = append(out.Unbuilt, c.Hash)
		}
	}
	return out
}

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
	game    game.Game
	key     string // of the playing conditions
	failed  map[string]bool
	pairs   map[[2]string]rating.Penta // by the hashes of the older and the newer version
}

// NewBisection prepares a search among the commits of a line, the oldest first.
func (c *Contest) NewBisection(commits []source.Commit) (*Bisection, error) {
	b := &Bisection{Contest: c, commits: commits, failed: map[string]bool{}, pairs: map[[2]string]rating.Penta{}}
	plan, err := b.plan(commits[0], commits[len(commits)-1], 1)
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
		line := b.line()
		search := b.search(line)
		posterior := search.posterior()
		step, probability := posterior.best()
		if done := b.games(); done > 0 && probability >= enough || done >= most {
			return b.answer(line, &posterior), nil
		}
		i, j := search.next()
		older, newer := line[i], line[j]
		if done := b.games(); done > 0 {
			b.say("%d games, most likely %s %s with %.1f %%", done, line[step].Short(), line[step].Subject, 100*probability)
		}
		b.say("next: %s v %s", older.Short(), newer.Short())
		if err := b.more(ctx, play, older, newer, int(search.between(i, j).Pairs())+batch); err != nil {
			return nil, err
		}
	}
}

func (b *Bisection) say(format string, args ...any) { b.Contest.say("bisect: "+format, args...) }

// plan is the run of two versions.
func (b *Bisection) plan(older, newer source.Commit, rounds int) (*arena.Plan, error) {
	plan, err := b.Plan(config.Match{Name: "bisect", Commits: []string{older.Hash, newer.Hash}, Format: "round-robin", Rounds: rounds})
	if err != nil {
		return nil, err
	}
	named := *plan
	named.Name = b.name(older, newer)
	return &named, nil
}

// load reads the games that are in the database, and finishes what was stopped: then all
// goes on as without a stop.
func (b *Bisection) load(ctx context.Context, play Games) error {
	runs, err := play.runs(ctx)
	if err != nil {
		return err
	}
	for i, older := range b.commits {
		for _, newer := range b.commits[i+1:] {
			run, ok := runs[b.name(older, newer)]
			if !ok {
				continue
			}
			if run.State != "finished" {
				if err := b.more(ctx, play, older, newer, run.Plan.Format.Rounds); err != nil {
					return err
				}
				continue
			}
			sum, err := play.stored(ctx, run, b.game)
			if err != nil {
				return err
			}
			b.pairs[[2]string{older.Hash, newer.Hash}] = pairsOf(sum, older.Short())
		}
	}
	return nil
}

func (b *Bisection) name(older, newer source.Commit) string {
	return fmt.Sprintf("bisect %s v %s, %s", older.Short(), newer.Short(), b.key)
}

// more plays two versions until they have so many pairs. It plays nothing if one
// of them cannot be built, which line then leaves out.
func (b *Bisection) more(ctx context.Context, play Games, older, newer source.Commit, rounds int) error {
	plan, err := b.plan(older, newer, rounds)
	if err != nil {
		return err
	}
	plan, _, err = b.Builder.Build(ctx, plan)
	var failed *source.BuildError
	switch {
	case errors.As(err, &failed) && failed.Commit != b.commits[0] && failed.Commit != b.commits[len(b.commits)-1]:
		b.say("left out: %v", err)
		b.failed[failed.Commit.Hash] = true
		return nil
	case err != nil:
		return err
	}
	sum, err := play.Step(ctx, plan)
	if err != nil {
		if ctx.Err() != nil {
			b.say("interrupted; the same command resumes")
		}
		return err
	}
	b.pairs[[2]string{older.Hash, newer.Hash}] = pairsOf(sum, older.Short())
	return nil
}

// line is the commits that can be built, as far as is known.
func (b *Bisection) line() []source.Commit {
	return slices.DeleteFunc(slices.Clone(b.commits), func(c source.Commit) bool { return b.failed[c.Hash] })
}

func (b *Bisection) search(line []source.Commit) *line {
	s := newLine(len(line))
	for i, older := range line {
		for j, newer := range line[i+1:] {
			if pairs := b.pairs[[2]string{older.Hash, newer.Hash}]; pairs.Pairs() > 0 {
				s.set(i, i+1+j, pairs)
			}
		}
	}
	return s
}

func (b *Bisection) games() int {
	n := 0
	for _, pairs := range b.pairs {
		n += 2 * int(pairs.Pairs())
	}
	return n
}

// answer describes the end of a search.
func (b *Bisection) answer(line []source.Commit, p *posterior) *report.Bisection {
	played := map[string]int{}
	for at, pairs := range b.pairs {
		played[at[0]] += 2 * int(pairs.Pairs())
		played[at[1]] += 2 * int(pairs.Pairs())
	}
	z95 := rating.T95(math.Inf(1)) // of a posterior
	last := len(line) - 1
	step, probability := p.best()
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

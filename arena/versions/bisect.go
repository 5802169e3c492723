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
	line
	commits []source.Commit // the oldest first
	game    game.Game
	key     string // of the playing conditions
}

// NewBisection prepares a search among the commits of a line, the oldest first.
func (c *Contest) NewBisection(commits []source.Commit) (*Bisection, error) {
	b := &Bisection{Contest: c, line: newLine(len(commits)), commits: commits}
	plan, err := b.plan(0, len(commits)-1, 1)
	if err != nil {
		return nil, err
	}
	b.game, b.key = plan.Game, conditionsKey(plan)
	return b, nil
}

// Run plays until one commit is likely enough, or most games were played. All games
// between the commits count, also those of other searches. batch is how many pairs two
// versions play before the next two are chosen.
func (b *Bisection) Run(ctx context.Context, play Games, batch, most int) (*report.Bisection, error) {
	if err := b.load(ctx, &play); err != nil {
		return nil, err
	}
	for {
		p := b.posterior()
		step, probability := p.best()
		done := b.games()
		if done > 0 && probability >= enough || done >= most {
			return b.answer(&p), nil
		}
		if done > 0 {
			likely := b.commits[step]
			b.say("bisect: %d games, most likely %s %s with %.1f %%", done, likely.Short(), likely.Subject, 100*probability)
		}
		older, newer := b.next(&p)
		b.say("bisect: next: %s v %s", b.commits[older].Short(), b.commits[newer].Short())
		if err := b.more(ctx, &play, older, newer, int(b.played[[2]int{older, newer}].Pairs())+batch); err != nil {
			return nil, err
		}
	}
}

// plan is the run of two versions.
func (b *Bisection) plan(older, newer, rounds int) (*arena.Plan, error) {
	return b.Plan(config.Match{
		Name: b.name(older, newer), Commits: []string{b.commits[older].Hash, b.commits[newer].Hash}, Format: "round-robin", Rounds: rounds,
	})
}

func (b *Bisection) name(older, newer int) string {
	return fmt.Sprintf("bisect %s v %s, %s", b.commits[older].Short(), b.commits[newer].Short(), b.key)
}

// load reads the games that are in the database, and finishes what was stopped: then all
// goes on as without a stop.
func (b *Bisection) load(ctx context.Context, play *Games) error {
	if err := play.look(ctx); err != nil {
		return err
	}
	for older := range b.commits {
		for newer := older + 1; newer < len(b.commits); newer++ {
			run, ok := play.runs[b.name(older, newer)]
			if !ok {
				continue
			}
			if err := b.more(ctx, play, older, newer, run.Plan.Format.Rounds); err != nil {
				return err
			}
		}
	}
	return nil
}

// more plays two versions until they have that many pairs. It plays nothing if one
// of them cannot be built. The search then leaves that one out.
func (b *Bisection) more(ctx context.Context, play *Games, older, newer, rounds int) error {
	sum, err := play.stored(ctx, b.name(older, newer), rounds, b.game)
	if sum == nil && err == nil {
		sum, err = b.play(ctx, play, older, newer, rounds)
	}
	var failed *source.BuildError
	if errors.As(err, &failed) {
		if at := slices.Index(b.commits, failed.Commit); at > 0 && at < len(b.commits)-1 {
			b.say("bisect: left out: %v", err)
			b.failed[at] = true
			return nil
		}
	}
	if err == nil {
		b.played[[2]int{older, newer}] = pairsOf(sum, b.commits[older].Short())
	}
	return err
}

func (b *Bisection) play(ctx context.Context, play *Games, older, newer, rounds int) (*arena.Summary, error) {
	plan, err := b.plan(older, newer, rounds)
	if err != nil {
		return nil, err
	}
	if plan, _, err = b.Builder.Build(ctx, plan); err != nil {
		return nil, err
	}
	sum, err := play.Step(ctx, plan)
	if err != nil && ctx.Err() != nil {
		b.say("bisect: interrupted; the same command resumes")
	}
	return sum, err
}

func (b *Bisection) games() (n int) {
	for _, pairs := range b.played {
		n += 2 * int(pairs.Pairs())
	}
	return n
}

// answer describes the end of a search.
func (b *Bisection) answer(p *posterior) *report.Bisection {
	z95 := rating.T95(math.Inf(1)) // of a posterior
	step, probability := p.best()
	last := len(b.commits) - 1
	out := &report.Bisection{
		Probability: probability, Elo: p.Elo[last], EloError: z95 * p.Error[last], Games: b.games(), Unbuilt: []string{},
	}
	for i, c := range b.commits {
		row := report.BisectRow{Commit: c.Hash, Subject: c.Subject, Note: "(cannot be built)"}
		if !b.failed[i] {
			row.Note, row.Elo, row.EloError = "", new(p.Elo[i]), new(z95*p.Error[i])
			if i > 0 {
				row.Probability = &p.Step[i]
			}
		}
		for pair, pairs := range b.played {
			if slices.Contains(pair[:], i) {
				row.Games += 2 * int(pairs.Pairs())
			}
		}
		out.Commits = append(out.Commits, row)
	}
	if probability >= enough {
		out.Commit, out.Subject = b.commits[step].Hash, b.commits[step].Subject
		for at := step - 1; b.failed[at]; at-- {
			out.Unbuilt = slices.Insert(out.Unbuilt, 0, b.commits[at].Hash)
		}
	}
	return out
}

// Package versions plays versions of an engine against each other: a test of one
// commit against another, a search for the commit that changed the strength, and the
// tuning of options.
//
// Each step is a separate run. Its name follows from what is played. Stored runs are the
// only state: a search that is begun again reads what is finished and goes on from there.
// The caller plays the runs and shows them. Package source builds commits.
package versions

import (
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
		sum, err = tournament.Summarize(run.PlanOf(of), run, games)
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

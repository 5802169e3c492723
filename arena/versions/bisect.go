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
		Name: b.name(older, newer), Commits: []string{b.commits[older].Hash, b.commits[newer].Hash},
		Format: "round-robin", Rounds: rounds,
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
	if failed, ok := errors.AsType[*source.BuildError](err); ok {
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
	sum, err := play.Play(plan, true)
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

// over returns the pairs of versions on both sides of a step, from the view of the newer ones.
func (b *Bisection) over(step int) (pairs rating.Penta) {
	for at, played := range b.played {
		if at[0] < step && step <= at[1] {
			pairs = pairs.Add(played.Flip())
		}
	}
	return pairs
}

// answer describes the end of a search. A step that is found has the Elo of all games over it.
func (b *Bisection) answer(p *posterior) *report.Bisection {
	step, probability := p.best()
	over := rating.OfPairs(b.over(step))
	elo := func(version int) (elo, lo, hi *float64) {
		mean, side := p.Elo[version], rating.T95(math.Inf(1))*p.Error[version]
		switch {
		case probability >= enough && version >= step:
			lo, hi = over.EloBounds()
			return over.Elo, lo, hi
		case probability >= enough:
			mean, side = 0, 0
		}
		return &mean, new(mean - side), new(mean + side)
	}
	out := &report.Bisection{Probability: probability, Games: b.games(), Unbuilt: []string{}}
	out.Elo, out.EloLo, out.EloHi = elo(len(b.commits) - 1)
	for i, c := range b.commits {
		row := report.BisectRow{Commit: c.Hash, Subject: c.Subject, Note: "(cannot be built)"}
		if !b.failed[i] {
			row.Note = ""
			row.Elo, row.EloLo, row.EloHi = elo(i)
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

// The step's size has a prior that is uniform in its logarithm between these
// Elo differences, and equal for gains and losses.
const (
	leastElo = 4.0
	mostElo  = 600.0
	sizes    = 24
)

// prior are the pairs that are assumed before the first one is played: without
// them the spread of results would be unknown.
var prior = rating.Penta{1, 1, 3, 1, 1}

// line is what the games say so far of a line of versions, the oldest first. Step k is
// between version k-1 and version k.
//
// It assumes that one step changed the strength, by an unknown amount up or down, and
// that all others changed nothing. It keeps a posterior over the steps, which all games
// share, and says which two versions to play next: the two with the most to learn from
// their games.
type line struct {
	// failed says which versions cannot be built. A step to one is counted as that to the next
	// version that can.
	failed []bool

	// played has the finished pairs of an older and a newer version, from the view of the
	// older one.
	played map[[2]int]rating.Penta
}

// newLine is a search over a line of at least two versions.
func newLine(versions int) line {
	return line{failed: make([]bool, versions), played: map[[2]int]rating.Penta{}}
}

// posterior is what is known, by version.
type posterior struct {
	Step  []float64 // probability of the step to it
	Elo   []float64 // relative to version 0
	Error []float64 // ... its standard deviation
}

// best is the most likely step and its probability.
func (p *posterior) best() (step int, probability float64) {
	for k, q := range p.Step {
		if q > probability {
			step, probability = k, q
		}
	}
	return step, probability
}

// lead is the sum of the first one's scores in pairs, less one half each, and the sum of their
// squares.
func lead(pairs rating.Penta) (sum, squares float64) {
	for c, n := range pairs {
		x := float64(c)/4 - 0.5
		sum += x * float64(n)
		squares += x * x * float64(n)
	}
	return sum, squares
}

// posterior returns what the games say. The scores of pairs are normal, with the spread that all
// of them have.
func (s *line) posterior() posterior {
	versions := len(s.failed)
	leads, pairs := make([]float64, versions), make([]float64, versions) // of the games of both sides of each step
	_, squares := lead(prior)
	all := float64(prior.Pairs())
	for at, played := range s.played {
		sum, more := lead(played)
		n := float64(played.Pairs())
		squares, all = squares+more, all+n
		for k := at[0] + 1; k <= at[1]; k++ {
			leads[k] += sum
			pairs[k] += n
		}
	}
	variance := squares / all
	type place struct {
		step        int
		elo, weight float64 // of the older version over the newer one
	}
	var places []place
	most := math.Inf(-1)
	for k := range versions {
		for n := range sizes {
			if k == 0 || s.failed[k] {
				break
			}
			elo := leastElo * math.Pow(mostElo/leastElo, float64(n)/(sizes-1))
			for _, elo := range []float64{elo, -elo} {
				mean := rating.Expected(elo) - 0.5
				weight := (mean*leads[k] - mean*mean*pairs[k]/2) / variance
				places, most = append(places, place{k, elo, weight}), max(most, weight)
			}
		}
	}
	p := posterior{Step: make([]float64, versions), Elo: make([]float64, versions), Error: make([]float64, versions)}
	total := 0.0
	for i := range places {
		places[i].weight = math.Exp(places[i].weight - most)
		total += places[i].weight
	}
	for _, at := range places {
		q := at.weight / total
		p.Step[at.step] += q
		for version := at.step; version < versions; version++ {
			p.Elo[version] -= q * at.elo
			p.Error[version] += q * at.elo * at.elo
		}
	}
	for i, square := range p.Error {
		p.Error[i] = math.Sqrt(max(square-p.Elo[i]*p.Elo[i], 0))
	}
	return p
}

// next returns the two versions that play next: the one that parts what is probable
// most evenly, and the first or the last one, whichever it has played less. The step
// is on one of its sides, and these games show how large it is.
func (s *line) next(p *posterior) (older, newer int) {
	last := len(s.failed) - 1
	middle, even, below := last, 0.5, 0.0
	for k, q := range p.Step[:last] {
		below += q
		if off := math.Abs(below - 0.5); off < even && k > 0 && !s.failed[k] {
			middle, even = k, off
		}
	}
	if middle < last && s.played[[2]int{middle, last}].Pairs() < s.played[[2]int{0, middle}].Pairs() {
		return middle, last
	}
	return 0, middle
}

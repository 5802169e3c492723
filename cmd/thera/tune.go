package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/plot"
	"thera/arena/rating"
	"thera/arena/report"
	"thera/arena/spsa"
	"thera/arena/store"
	"thera/engine/game"
)

// tuneCommand tunes options of an engine by games.
func tuneCommand() *cobra.Command {
	t := &tuning{versions: &versions{}, pairs: map[string]rating.Penta{}}
	var asJSON bool
	var svg string
	form := string(report.Terminal)
	cmd := &cobra.Command{
		Use:   "tune FILE",
		Short: "Tune options of an engine by games, then test the tuned values against the old ones",
		Long: "Tunes options of an engine by SPSA, as the part tune of FILE says: each step plays pairs of games between\n" +
			"two settings, a little on both sides of the present one. Then a sequential test plays the tuned values\n" +
			"against the engine as it was. The same command resumes. The exit status is 0 if the test accepts H1, else 3.",
		Example: "  thera tune configs/tune.yaml --svg tune.svg",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			form, err := proseOf(form)
			if err != nil {
				return err
			}
			t.cmd, t.file = cmd, args[0]
			t.play.again = "thera " + strings.Join(quoteAll(append([]string{"tune", t.file}, t.play.words()...)), " ")
			answer, err := t.run()
			if answer != nil && svg != "" {
				err = errors.Join(err, drawTuning(svg, answer))
			}
			if answer == nil || err != nil {
				return err
			}
			if asJSON {
				err = report.NewJSON(cmd.OutOrStdout()).Encode(answer)
			} else {
				err = answer.Write(cmd.OutOrStdout(), form)
			}
			if err == nil && !answer.Passed {
				err = &exitError{code: exitNotMet}
			}
			return err
		},
	}
	t.playFlags(cmd)
	cmd.Flags().StringVar(&form, "format", form, "text or markdown")
	cmd.Flags().StringVar(&svg, "svg", "", "write a plot of the path of each option to `FILE`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func drawTuning(file string, t *report.Tuning) error {
	text, err := plot.Tuning(t)
	if err != nil {
		return err
	}
	return writeWhole(file, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// tuning is one search and its test.
type tuning struct {
	*versions
	cmd  *cobra.Command
	host config.Host

	tune *arena.Tune
	step *arena.Plan // of plus against minus, whose options are to be set
	test *arena.Plan // of tuned against old
	key  string      // of the settings and the playing conditions

	pairs map[string]rating.Penta // of steps, by the names of their runs
	games int
}

func (t *tuning) run() (*report.Tuning, error) {
	ctx := t.cmd.Context()
	if err := t.prepare(ctx); err != nil {
		return nil, showProblems(t.cmd, err)
	}
	if err := t.load(ctx); err != nil {
		return nil, err
	}
	search := spsa.New(t.tune, t.step.Seed)
	for known := true; !search.Done(); {
		pairs, ok, err := t.next(ctx, search, known)
		if err != nil {
			return nil, err
		}
		if known && !ok && search.Steps() > 0 {
			t.say("resumed after %d steps", search.Steps())
		}
		known = ok
		t.games += 2 * int(pairs.Pairs())
		if search.Add(pairs); !known {
			t.say("step %d of %d: %s", search.Steps(), t.tune.Iterations, t.words(search.Path()[search.Steps()]))
		}
	}
	answer := report.NewTuning(t.test, t.tune, search, t.games)
	return answer, t.prove(search.Tuned(), answer)
}

func (t *tuning) say(format string, args ...any) {
	tell(t.cmd.ErrOrStderr(), "tune: "+format, args...)
}

// words are the values of all options.
func (t *tuning) words(values []float64) string {
	var words []string
	for i, x := range values {
		words = append(words, fmt.Sprintf("%s %.4g", t.tune.Options[i].Name, x))
	}
	return strings.Join(words, ", ")
}

// prepare reads the file and builds the engine.
func (t *tuning) prepare(ctx context.Context) error {
	var err error
	if t.host, err = thisHost(); err != nil {
		return err
	}
	contest, err := config.LoadContest(t.file, t.play.sets, t.host)
	if err != nil {
		return err
	}
	if t.tune, err = contest.Tune(); err != nil {
		return err
	}
	if t.step, err = contest.Plan(config.Match{Name: "tune", Alike: []string{"plus", "minus"}, Stage: -1, Format: "round-robin", Rounds: t.tune.Pairs}); err != nil {
		return err
	}
	if t.test, err = contest.Plan(config.Match{Name: "tune", Alike: []string{"tuned", "old"}, Stage: -1, Format: "sprt"}); err != nil {
		return err
	}
	for _, plan := range []*arena.Plan{t.step, t.test} {
		if err := t.play.build(ctx, plan, t.cmd.ErrOrStderr()); err != nil {
			return err
		}
	}
	t.step.Trial = true
	text, err := json.Marshal([]any{t.tune, conditionsKey(t.step)})
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	t.key = fmt.Sprintf("%s, %x", filepath.Base(t.file), sum[:4])
	return nil
}

// load reads the finished steps of earlier starts.
func (t *tuning) load(ctx context.Context) (err error) {
	if _, err := os.Stat(t.play.db); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	db, err := store.Existing(ctx, t.play.db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	runs, err := db.Runs(ctx)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if !run.Plan.Trial || run.State != "finished" || !strings.HasPrefix(run.Name, t.prefix()) {
			continue
		}
		sum, err := summaryOf(ctx, db, run)
		if err != nil {
			return err
		}
		t.pairs[run.Name] = pairsOf(sum, "plus")
	}
	return nil
}

func (t *tuning) prefix() string { return "tune " + t.key + ", step " }

// next returns the pairs of the next step: those that are known, or else played.
// known says that all steps so far were.
func (t *tuning) next(ctx context.Context, search *spsa.Search, known bool) (pairs rating.Penta, stored bool, err error) {
	plus, minus := search.Next()
	if slices.Equal(plus, minus) { // their games would be even
		return pairs, known, nil
	}
	name := fmt.Sprintf("%s%d", t.prefix(), search.Steps()+1)
	if pairs, ok := t.pairs[name]; ok {
		return pairs, true, nil
	}
	plan := *t.step
	plan.Name, plan.Seed = name, seedOf(plan.Seed, search.Steps())
	plan.Engines = slices.Clone(plan.Engines)
	for i, values := range [][]float64{plus, minus} {
		plan.Engines[i].Options = t.set(plan.Engines[i].Options, values)
	}
	sum, err := t.quietly(ctx, &plan, t.host.Cores)
	if err != nil {
		if ctx.Err() != nil {
			t.say("interrupted after %d steps; resume with: %s", search.Steps(), t.play.again)
		}
		return pairs, false, err
	}
	return pairsOf(sum, "plus"), false, nil
}

// seedOf is the seed of a step: each has openings of its own.
func seedOf(seed uint64, step int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "tune %d %d", seed, step))
	return binary.LittleEndian.Uint64(sum[:])
}

// set gives the tuned options values, in their places or after the others.
func (t *tuning) set(options []game.Option, values []float64) []game.Option {
	out := slices.Clone(options)
	for i := range t.tune.Options {
		o := &t.tune.Options[i]
		value := game.Option{Name: o.Name, Value: o.Text(values[i])}
		if at := slices.IndexFunc(out, func(x game.Option) bool { return x.Name == o.Name }); at >= 0 {
			out[at] = value
		} else {
			out = append(out, value)
		}
	}
	return out
}

// prove plays the tuned values against the engine as it was.
func (t *tuning) prove(values []float64, answer *report.Tuning) error {
	unchanged := true
	for i, x := range values {
		unchanged = unchanged && math.Abs(x-t.tune.Options[i].Start) < 1e-9
	}
	if unchanged {
		return nil
	}
	t.test.Engines[0].Options = t.set(t.test.Engines[0].Options, values)
	t.test.Name = "tune " + t.key + ": tuned v old"
	v := &report.Verdict{}
	_, err := t.stage(t.cmd, t.test, t.host.Cores, v)
	if err == nil {
		answer.Take(v)
	}
	return err
}

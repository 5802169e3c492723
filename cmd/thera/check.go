package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/check"
	"thera/arena/config"
	"thera/arena/conn"
	"thera/arena/match"
	"thera/arena/report"
	"thera/arena/sandbox"
	"thera/engine/all"
	"thera/engine/game"
)

// checkCommand checks one engine's protocol.
func checkCommand(machine conn.Machine) *cobra.Command {
	f := checkFlags{machine: machine}
	cmd := &cobra.Command{
		Use:   "check [--game GAME] -- CMD…",
		Short: "Check an engine's protocol, point by point",
		Long: "Starts CMD, talks to it in its game's protocol, and prints a numbered list of findings. Without --game it\n" +
			"tries the protocols of all games in turn. The exit status is 1 if a point fails. With --gods lists may differ\n" +
			"by the rules of an engine's day: what it lacks, and what only the printed rules allow, are named apart, and\n" +
			"neither is a failure.",
		Example: "  thera check -- ./my-engine\n" +
			"  thera check --gods --positions 2780 -- ./my-engine   # or --gods=apollo,pan\n" +
			"  thera check --game gyges --dialect min_move=1s --limit 2s -- ./helios",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args, columns(cmd), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	gameFlag(cmd, &f.game, "", "the engine's game (default: detected)")
	cmd.Flags().StringVar(&f.dir, "dir", "", "working directory of the engine")
	cmd.Flags().StringArrayVar(&f.dialect, "dialect", nil, "setting of the protocol as `key=value`, as under dialect: in a match file (repeatable)")
	ruleFlag(cmd, &f.rules)
	cmd.Flags().StringVar(&f.gods, "gods", "", "check with these gods, `list` or all, instead of mortals only")
	cmd.Flags().Lookup("gods").NoOptDefVal = "all"
	limitFlag(cmd, &f.limit, "")
	cmd.Flags().Lookup("limit").Usage += " (default: up to 100 ms)"
	cmd.Flags().BoolVar(&f.warmup, "warmup", false, "let each new process search once off the clock, as warmup: in a match file")
	optionFlag(cmd.Flags(), &f.options)
	cmd.Flags().IntVar(&f.positions, "positions", 300, "number of positions whose move lists are compared")
	cmd.Flags().DurationVar(&f.start, "start", 10*time.Second, "time to become ready")
	f.engine.flags(cmd)
	jsonFlag(cmd, &f.json, oneObject)
	return cmd
}

type checkFlags struct {
	game, dir               string
	gods, limit             string
	options, dialect, rules []string
	positions               int
	start                   time.Duration
	warmup, json            bool
	engine                  engineFlags
	machine                 conn.Machine
}

func (f *checkFlags) run(ctx context.Context, command []string, width int, out, errOut io.Writer) error {
	spec := arena.EngineSpec{Name: command[0], Command: command, Dir: f.dir, Protocol: f.engine.protocol, Warmup: f.warmup}
	if f.positions < 1 {
		return fmt.Errorf("--positions %d: want at least 1", f.positions)
	}
	for _, o := range f.options {
		name, value, ok := strings.Cut(o, "=")
		if !ok || name == "" {
			return fmt.Errorf("--option %q: want NAME=VALUE", o)
		}
		spec.Options = append(spec.Options, game.Option{Name: name, Value: value})
	}
	for _, o := range f.dialect {
		name, value, ok := strings.Cut(o, "=")
		if !ok || name == "" {
			return fmt.Errorf("--dialect %q: want key=value", o)
		}
		if spec.Dialect == nil {
			spec.Dialect = map[string]string{}
		}
		spec.Dialect[name] = value
	}
	boxes, err := f.engine.boxes(errOut, &spec)
	if err != nil {
		return err
	}
	g, err := f.findGame(ctx, spec, boxes[spec.Name], errOut)
	if err != nil {
		return err
	}
	limit, err := f.bind(&g)
	if err != nil {
		return err
	}
	dialect, err := match.Dialect(g, f.engine.protocol)
	if err != nil {
		return err
	}
	opts := check.Options{
		Game: g, Dialect: dialect, Spec: spec, Limit: limit, Positions: f.positions, Seed: 1, Tolerant: f.gods != "", Box: boxes[spec.Name],
		Machine: f.machine,
	}
	if !f.json {
		opts.Each = func(found check.Finding) { printFinding(out, found, width) }
	}
	result, err := check.Run(ctx, opts)
	if err != nil {
		return err
	}
	if f.json {
		if err := report.NewJSON(out).Encode(result); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(out, report.Wrap(verdictLine(result), width, 2))
	}
	return findings(result.Failed == 0, nil)
}

// bind gives g the rules and gods of the flags, and returns the limits.
func (f *checkFlags) bind(g *game.Game) (arena.Limit, error) {
	limit := arena.Limit{Start: f.start}
	if f.limit != "" {
		var err error
		if limit, err = config.ParseLimit(f.limit); err != nil {
			return limit, fmt.Errorf("--limit: %w", err)
		}
		limit.Start = f.start
	}
	if limit.Clock > 0 {
		return limit, fmt.Errorf("--limit %s: a check has no clock, want a time, nodes, depth or cpu", f.limit)
	}
	if f.gods != "" {
		bound, err := config.Bind(*g, f.rules, []string{"gods.list=[" + f.gods + "]"})
		if err != nil {
			return limit, fmt.Errorf("--gods: %w", err)
		}
		for i := range bound.Starts() {
			pos, err := bound.Start(i, 1)
			if err != nil {
				return limit, err
			}
			if _, foreign := pos.(game.Foreign); foreign {
				return limit, fmt.Errorf("--gods %s: an unknown god: there are no rules to compare an engine with", f.gods)
			}
		}
		*g = bound
	}
	return limit, nil
}

func verdictLine(r *check.Checklist) string {
	count := map[check.Status]int{}
	for _, f := range r.Findings {
		count[f.Status]++
	}
	text := fmt.Sprintf("%d of %d points hold, %d failed, %d do not apply",
		count[check.OK], len(r.Findings), count[check.Failed], count[check.Skipped])
	if n := count[check.Differs]; n > 0 {
		text += fmt.Sprintf(", %d differ by rules", n)
	}
	return text
}

// printFinding prints a point in lines of width columns; 0 is no limit.
func printFinding(out io.Writer, f check.Finding, width int) {
	const indent = 12
	say := func(indent, more int, text string) {
		fmt.Fprintln(out, report.Wrap(strings.Repeat(" ", indent)+text, width, more))
	}
	detail, rest, _ := strings.Cut(report.Lines(f.Detail), "\n")
	if detail != "" {
		detail = ": " + detail
	}
	say(0, indent, fmt.Sprintf("%2d  %-7s %s%s", f.Number, f.Status, f.Name, detail))
	for line := range strings.Lines(rest) {
		say(indent, 2, strings.TrimSuffix(line, "\n"))
	}
	for _, part := range []struct {
		title string
		lines []string
	}{{"last lines to (>) and from (<) the engine:", f.Said}, {"end of its stderr:", f.Stderr}} {
		if len(part.lines) > 0 {
			say(indent, 2, part.title)
		}
		for _, line := range part.lines {
			say(indent+2, 2, report.Printable(line))
		}
	}
}

// findGame returns the named game, or the first one whose protocol the engine
// answers.
func (f *checkFlags) findGame(ctx context.Context, spec arena.EngineSpec, box *sandbox.Box, errOut io.Writer) (game.Game, error) {
	if f.game == "" && f.gods != "" {
		f.game = "santorini"
	}
	if f.game != "" {
		return findGameWith(f.game, f.rules)
	}
	spec.Options, spec.Dialect = nil, nil // those of one game
	var names []string
	for _, g := range all.Games() {
		names = append(names, g.Name())
		dialect, err := match.Dialect(g, f.engine.protocol)
		if err != nil {
			continue
		}
		err = check.Dials(ctx, g, dialect, spec, box)
		var fault *game.Fault
		switch {
		case err == nil:
			tell(errOut, "thera: the engine speaks the protocol of %s", g.Name())
			return findGameWith(g.Name(), f.rules)
		case !errors.As(err, &fault):
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s speaks none of the protocols tried (%s): name its game with --game", spec.Command[0], strings.Join(names, ", "))
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/check"
	"thera/arena/config"
	"thera/arena/player"
	"thera/arena/report"
	"thera/arena/sandbox"
	"thera/engine/game"
)

// checkCommand checks one engine's protocol.
func checkCommand(machine player.Machine) *cobra.Command {
	f := checkFlags{machine: machine}
	cmd := &cobra.Command{
		Use:   "check [--game GAME] -- CMD…",
		Short: "Check an engine's protocol, point by point",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return showProblems(cmd, f.run(cmd.Context(), args, columns(cmd), cmd.OutOrStdout(), cmd.ErrOrStderr()))
		},
	}
	cmd.Flags().StringVar(&f.game, "game", "", "the engine's game (default: detected)")
	cmd.Flags().StringVar(&f.gods, "gods", "", "check with these gods, `list` or all, instead of mortals only")
	cmd.Flags().Lookup("gods").NoOptDefVal = "all"
	limitFlag(cmd, &f.limit, "")
	cmd.Flags().Lookup("limit").Usage += " (default: up to 100 ms)"
	cmd.Flags().IntVar(&f.positions, "positions", 300, "number of positions whose move lists are compared")
	f.flags(cmd)
	jsonFlag(cmd, &f.json, oneObject)
	return cmd
}

type checkFlags struct {
	engineFlags
	gods      string
	positions int
	json      bool
	machine   player.Machine
}

func (f *checkFlags) run(ctx context.Context, command []string, width int, out, errOut io.Writer) error {
	if f.positions < 1 {
		return fmt.Errorf("--positions %d: want at least 1", f.positions)
	}
	opts, err := f.find(ctx, shellquote.Join(command...), errOut)
	if err != nil {
		return err
	}
	if !f.json {
		opts.Each = func(found check.Finding) { printFinding(out, found, width) }
	}
	result, err := check.Run(ctx, *opts)
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

// find returns what to check of the engine in the named game, or in the first one whose
// protocol it answers.
func (f *checkFlags) find(ctx context.Context, command string, errOut io.Writer) (*check.Options, error) {
	if f.game == "" && f.gods != "" {
		f.game = "santorini"
	}
	if f.game != "" {
		if _, err := findGame(f.game); err != nil {
			return nil, err
		}
		return f.options(f.game, command, errOut)
	}
	names := gameNames()
	var refused, ended error
	tried := false
	for _, name := range names {
		opts, err := f.options(name, command, errOut)
		if errors.As(err, new(config.Errors)) { // settings of another game, or no program
			refused = err
			continue
		}
		if err != nil {
			return nil, err
		}
		tried = true
		err = check.Dials(ctx, *opts)
		var fault *game.Fault
		switch {
		case err == nil:
			tell(errOut, "thera: the engine speaks the protocol of %s", name)
			return opts, nil
		case !errors.As(err, &fault):
			return nil, err
		case fault.Kind == game.FaultExited || fault.Kind == game.FaultCrashed:
			ended = err
		}
	}
	if !tried {
		return nil, refused
	}
	err := fmt.Errorf("%s speaks none of the protocols tried (%s): name its game with --game",
		command, strings.Join(names, ", "))
	if ended != nil {
		err = fmt.Errorf("%w; it ended at the start: %w", err, ended)
	}
	return nil, err
}

// options are what to check of the engine in a game.
func (f *checkFlags) options(name, command string, errOut io.Writer) (*check.Options, error) {
	openings := ""
	if f.gods != "" {
		openings = "{gods: {list: [" + f.gods + "]}}"
	}
	plan, boxes, err := f.plan(name, openings, errOut, command)
	if err != nil {
		return nil, err
	}
	spec := plan.Engines[0]
	opts := &check.Options{
		Game: plan.Game, Spec: spec, Positions: f.positions, Seed: 1, Tolerant: f.gods != "",
		Box: boxes[spec.Name], Machine: f.machine,
	}
	if opts.Limit.Start = plan.Limit.Start; f.limit != "" {
		opts.Limit = plan.Limit
	}
	if opts.Limit = opts.Limit.With(spec.Limit); opts.Limit.Clock > 0 {
		return nil, fmt.Errorf("--limit %s: a check has no clock, want a time, nodes, depth or cpu", f.limit)
	}
	return opts, nil
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
	text := fmt.Sprintf("%2d  %-7s %s%s", f.Number, f.Status, f.Name, detail)
	say(0, indent-len(text)+len(strings.TrimLeft(text, " ")), text)
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

// pagePositions is how many positions a check for a page compares.
const pagePositions = 20

// checks check engines of a match file for their pages. A stored run does not start its engines:
// it may come from elsewhere, and it has no values of env.
type checks struct {
	file    string // "": there are no checks
	sets    []string
	plan    *arena.Plan
	secret  []string
	machine player.Machine
	errOut  io.Writer
}

// read reads the match file of a run.
func (c *checks) read(run arena.RunInfo, db string) error {
	if c.file == "" {
		if len(c.sets) > 0 {
			return fmt.Errorf("--set %s without --check", c.sets[0])
		}
		return nil
	}
	host, err := thisHost()
	if err != nil {
		return err
	}
	if c.plan, err = config.Load(c.file, c.sets, host); err != nil {
		return err
	}
	if name := c.plan.Game.Name(); name != run.Game {
		return fmt.Errorf("--check %s: its game is %s, expected %s as in %s", c.file, name, run.Game, run.Name)
	}
	for _, path := range []string{db, c.plan.File} {
		if path, err = filepath.Abs(path); err != nil {
			return err
		}
		c.secret = append(c.secret, path)
	}
	return nil
}

// all is what a check says of each engine of a run, or why there is none. As many run at once as
// games of the match.
func (c *checks) all(ctx context.Context, run arena.RunInfo) (said map[string]string, err error) {
	slots := 1
	if c.plan != nil {
		slots = max(1, c.plan.Concurrency)
	}
	said = map[string]string{}
	turn := make(chan struct{}, slots)
	var mu sync.Mutex
	var running sync.WaitGroup
	say := func(engine, text string) {
		mu.Lock()
		defer mu.Unlock()
		said[engine] = text
	}
	for _, was := range run.Engines() {
		if why := c.missing(&was); why != "" {
			say(was.Name, "not made: "+why)
			continue
		}
		turn <- struct{}{}
		tell(c.errOut, "thera: checking %s", was.Name)
		running.Go(func() {
			say(was.Name, c.of(ctx, *c.plan.Engine(was.Name)))
			<-turn
		})
	}
	running.Wait()
	return said, ctx.Err()
}

// missing is why there is no check of an engine, which played as it was.
func (c *checks) missing(was *arena.EngineSpec) string {
	if c.file == "" {
		return "thera export --check FILE makes it, with the match file"
	}
	switch is := c.plan.Engine(was.Name); {
	case is == nil:
		return c.file + " has no engine of this name"
	case is.Git != "":
		return "the engine is built from a commit, and a check builds nothing"
	case was.Binary != is.Binary:
		return "the engine has changed since its games"
	}
	return ""
}

// of is what a check says of an engine.
func (c *checks) of(ctx context.Context, spec arena.EngineSpec) string {
	opts, err := c.options(spec)
	var found *check.Checklist
	if err == nil {
		found, err = check.Run(ctx, opts)
	}
	if err != nil {
		return report.Lines("not made: " + err.Error())
	}
	var b strings.Builder
	fmt.Fprintln(&b, verdictLine(found))
	for _, f := range found.Findings {
		printFinding(&b, f, 0)
	}
	return b.String()
}

// options are what to check of an engine. The files of the others are hidden from it.
func (c *checks) options(spec arena.EngineSpec) (check.Options, error) {
	others := slices.Clone(c.plan.Engines)
	for i := range others {
		if others[i].Name != spec.Name {
			others[i].Sandbox = sandbox.Off // only its own box is made
		}
	}
	boxes, _, err := sandbox.Boxes(others, c.secret...)
	if err != nil {
		return check.Options{}, err
	}
	limit := c.plan.LimitOf(&spec)
	_, roles := c.plan.Game.(game.RoleCatalog)
	return check.Options{
		Game: c.plan.Game, Spec: spec, Positions: pagePositions, Seed: 1, Tolerant: roles,
		Limit: arena.Limit{Start: limit.Start, Sync: limit.Sync, Grace: limit.Grace, Nodes: limit.Nodes, Depth: limit.Depth},
		Box:   boxes[spec.Name], Machine: c.machine,
	}, nil
}

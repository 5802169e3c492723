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
	"thera/arena/match"
	"thera/arena/report"
	"thera/arena/sandbox"
	"thera/engine/all"
	"thera/engine/game"
)

// checkCommand checks one engine's protocol.
func checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [--game GAME] -- CMD…",
		Short: "Check an engine's protocol, point by point",
		Long: "Starts CMD, talks to it in its game's protocol, and prints a numbered list of findings. Without --game it\n" +
			"tries the protocols of all games in turn. The exit status is 1 if a point fails.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&f.game, "game", "", "the engine's game (default: detected)")
	cmd.Flags().StringVar(&f.protocol, "protocol", "auto", "dialect of the engine")
	cmd.Flags().StringVar(&f.dir, "dir", "", "working directory of the engine")
	cmd.Flags().StringArrayVar(&f.options, "option", nil, "engine option as NAME=VALUE (repeatable)")
	cmd.Flags().IntVar(&f.positions, "positions", 300, "number of positions whose move lists are compared")
	cmd.Flags().DurationVar(&f.start, "start", 10*time.Second, "time to become ready")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the positions")
	f.box.flags(cmd)
	cmd.Flags().BoolVar(&f.json, "json", false, "print the list as one JSON object")
	return cmd
}

type checkFlags struct {
	game, protocol, dir string
	options             []string
	positions           int
	start               time.Duration
	seed                uint64
	json                bool
	box                 boxFlags
}

func (f *checkFlags) run(ctx context.Context, command []string, out, errOut io.Writer) error {
	spec := arena.EngineSpec{Name: command[0], Command: command, Dir: f.dir, Protocol: f.protocol}
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
	boxes, err := f.box.boxes(errOut, &spec)
	if err != nil {
		return err
	}
	g, err := f.findGame(ctx, spec, boxes[spec.Name], errOut)
	if err != nil {
		return err
	}
	dialect, err := match.Dialect(g, f.protocol)
	if err != nil {
		return err
	}
	opts := check.Options{
		Game: g, Dialect: dialect, Spec: spec, Box: boxes[spec.Name], Limit: arena.Limit{Start: f.start}, Positions: f.positions, Seed: f.seed,
	}
	if !f.json {
		opts.Each = func(found check.Finding) { printFinding(out, found) }
	}
	report, err := check.Run(ctx, opts)
	if err != nil {
		return err
	}
	if f.json {
		if err := jsonLines(out).Encode(report); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(out, "%s\n", verdictLine(report))
	}
	return findings(report.Failed == 0, nil)
}

func verdictLine(r *check.Checklist) string {
	skipped := 0
	for _, f := range r.Findings {
		if f.Status == check.Skipped {
			skipped++
		}
	}
	return fmt.Sprintf("%d of %d points hold, %d failed, %d do not apply",
		len(r.Findings)-r.Failed-skipped, len(r.Findings), r.Failed, skipped)
}

func printFinding(out io.Writer, f check.Finding) {
	detail := strings.ReplaceAll(report.Lines(f.Detail), "\n", "\n"+strings.Repeat(" ", 12))
	if detail != "" {
		detail = ": " + detail
	}
	fmt.Fprintf(out, "%2d  %-7s %s%s\n", f.Number, f.Status, f.Name, detail)
}

// findGame returns the named game, or the first one whose protocol the engine
// answers.
func (f *checkFlags) findGame(ctx context.Context, spec arena.EngineSpec, box *sandbox.Box, errOut io.Writer) (game.Game, error) {
	if f.game != "" {
		return findGame(f.game)
	}
	var names []string
	for _, g := range all.Games() {
		names = append(names, g.Name())
		dialect, err := match.Dialect(g, f.protocol)
		if err != nil {
			continue
		}
		err = check.Dials(ctx, g, dialect, spec, box)
		var fault *game.Fault
		switch {
		case err == nil:
			fmt.Fprintf(errOut, "thera: the engine speaks the protocol of %s\n", g.Name())
			return g, nil
		case !errors.As(err, &fault):
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s speaks none of the protocols tried (%s): name its game with --game", spec.Command[0], strings.Join(names, ", "))
}

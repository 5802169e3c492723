package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"thera/arena"
	"thera/arena/check"
	"thera/arena/config"
	"thera/arena/match"
	"thera/arena/player"
	"thera/arena/report"
	"thera/arena/sandbox"
	"thera/engine/game"
)

// pagePositions is how many positions a check for a page compares.
const pagePositions = 20

// checks check engines of a match file for their pages. A stored run does not start its engines:
// it may come from elsewhere, and it has no values of env.
type checks struct {
	file    string // "": there are no checks
	plan    *arena.Plan
	secret  []string
	machine player.Machine
	errOut  io.Writer
}

// read reads the match file of a run.
func (c *checks) read(run arena.RunInfo, db string) error {
	if c.file == "" {
		return nil
	}
	host, err := thisHost()
	if err != nil {
		return err
	}
	if c.plan, err = config.Load(c.file, nil, host); err != nil {
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

// of is what a check says of an engine of a run, or why there is none.
func (c *checks) of(ctx context.Context, run arena.RunInfo, name string) (string, error) {
	if c.file == "" {
		return "not made: thera export --check FILE makes it, with the match file", nil
	}
	was, is := run.Plan.Engine(name), c.plan.Engine(name)
	switch {
	case is == nil:
		return fmt.Sprintf("not made: %s has no engine of this name", c.file), nil
	case is.Git != "":
		return "not made: the engine is built from a commit, and a check builds nothing", nil
	case was == nil || was.Binary != is.Binary:
		return "not made: the engine has changed since its games", nil
	}
	tell(c.errOut, "thera: checking %s", name)
	opts, err := c.options(*is)
	var found *check.Checklist
	if err == nil {
		found, err = check.Run(ctx, opts)
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return report.Lines("not made: " + err.Error()), nil
	}
	var b strings.Builder
	fmt.Fprintln(&b, verdictLine(found))
	for _, f := range found.Findings {
		printFinding(&b, f, 0)
	}
	return b.String(), nil
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
	opts := check.Options{
		Game: c.plan.Game, Spec: spec, Positions: pagePositions, Seed: 1, Tolerant: roles,
		Limit: arena.Limit{Start: limit.Start, Sync: limit.Sync, Grace: limit.Grace}, Box: boxes[spec.Name], Machine: c.machine,
	}
	opts.Dialect, err = match.Dialect(c.plan.Game, spec.Protocol)
	return opts, err
}

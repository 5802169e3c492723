package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/sandbox"
)

// engineFlags describe engines that play no run: as the engines of a match do.
type engineFlags struct {
	game, limit, mode string
	rules, sets       []string
}

func (f *engineFlags) flags(cmd *cobra.Command) {
	ruleFlag(cmd, &f.rules)
	sandboxFlag(cmd, &f.mode, "")
	cmd.Flags().StringArrayVar(&f.sets, "set", nil,
		"a key of an engine as in a match file, `key=value`: protocol=v1, options.hash=64 (repeatable)")
}

// plan is a match of these engines, or of one against the built-in one, with its boxes. What
// does not hold of them is written to errOut.
func (f *engineFlags) plan(
	name, openings string, errOut io.Writer, commands ...string,
) (*arena.Plan, map[string]*sandbox.Box, error) {
	host, err := thisHost()
	if err != nil {
		return nil, nil, err
	}
	sets := []string{"game=" + name}
	if f.limit != "" {
		sets = append(sets, config.Word("limit", f.limit))
	}
	if openings != "" {
		sets = append(sets, "openings="+openings)
	}
	for _, rule := range f.rules {
		sets = append(sets, "rules."+rule)
	}
	for i := range commands {
		for _, set := range f.sets {
			sets = append(sets, fmt.Sprintf("engines.%d.%s", i, set))
		}
		if f.mode != "" {
			sets = append(sets, fmt.Sprintf("engines.%d.sandbox=%s", i, f.mode))
		}
	}
	if len(commands) == 1 {
		commands = append(commands, "builtin")
	}
	plan, _, err := config.Quick{Commands: commands}.Plan("command line", sets, host)
	if err != nil {
		return nil, nil, err
	}
	if err := known(plan.Game); err != nil {
		return nil, nil, err
	}
	boxes, report, err := sandbox.Boxes(plan.Engines)
	if err == nil && len(report.Missing()) > 0 {
		tell(errOut, "sandbox: %v", report)
	}
	return plan, boxes, err
}

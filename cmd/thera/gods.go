package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/report"
	"thera/engine/all"
	"thera/engine/game"
)

// godsCommand lists the gods of Santorini, or shows one of them on a board.
func godsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "gods [NAME]",
		Short: "List the gods: power, state, bans; or show one on a board",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			roles := roles()
			if len(args) == 1 {
				others := func(r game.Role) bool { return r.Name != args[0] }
				if roles = slices.DeleteFunc(roles, others); len(roles) == 0 {
					return game.Unknown("god", args[0], roleNames())
				}
			}
			if len(args) == 1 && !asJSON {
				return showRole(cmd.OutOrStdout(), roles[0], columns(cmd))
			}
			return printList(cmd, asJSON, arena.Map(roles, roleLineOf), report.Catalog(roles), nil)
		},
	}
	jsonFlag(cmd, &asJSON, eachObject)
	return cmd
}

// roles returns the roles of the games that have a catalog of them.
func roles() (roles []game.Role) {
	for _, g := range all.Games() {
		if catalog, ok := g.(game.RoleCatalog); ok {
			roles = append(roles, catalog.Roles()...)
		}
	}
	return roles
}

// showRole draws the god's example and a turn that only this god has.
func showRole(out io.Writer, r game.Role, width int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Name, r.Power)
	if r.State != "" {
		fmt.Fprintf(&b, "in the position text: %s\n", r.State)
	}
	for _, ban := range r.Bans {
		fmt.Fprintf(&b, "not against %s: %s\n", ban.With, ban.Reason)
	}
	fmt.Fprintf(&b, "\n%s\n%s%s\n", r.Example, r.Example.Draw(game.Turn{}, false), r.Note)
	if r.After != nil {
		last := game.By(r.Example.ToMove().Only(), r.After.String())
		fmt.Fprintf(&b, "\na turn that mortal does not have:\n%s\n%s", r.After, r.After.Draw(last, false))
	}
	_, err := io.WriteString(out, report.Wrap(b.String(), width, 2))
	return err
}

// roleLine is a role as JSON.
type roleLine struct {
	Name    string            `json:"name"`
	Power   string            `json:"power"`
	State   string            `json:"state"`
	Bans    map[string]string `json:"bans"`
	Example string            `json:"example"`
	Note    string            `json:"note"`
	After   *string           `json:"after"`
}

func roleLineOf(r game.Role) roleLine {
	line := roleLine{
		Name: r.Name, Power: r.Power, State: r.State, Bans: map[string]string{},
		Example: r.Example.String(), Note: r.Note,
	}
	for _, b := range r.Bans {
		line.Bans[b.With] = b.Reason
	}
	if r.After != nil {
		line.After = new(r.After.String())
	}
	return line
}

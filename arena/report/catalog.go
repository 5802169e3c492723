package report

import (
	"cmp"
	"strings"

	"thera/engine/game"
)

// Catalog lists the roles of a game, each with what it can do.
func Catalog(roles []game.Role) *Table {
	bans := func(r *game.Role) string {
		var names []string
		for _, b := range r.Bans {
			names = append(names, b.With)
		}
		return strings.Join(names, ", ")
	}
	cell := func(s string) Cell { return text(cmp.Or(s, none)) }
	return tableOf("", roles, []column[game.Role]{
		{head: "God", kind: words, cell: func(r *game.Role) Cell { return cell(r.Name) }},
		{head: "Power", kind: folded, cell: func(r *game.Role) Cell { return cell(r.Power) }},
		{head: "State", kind: folded, drop: 2, cell: func(r *game.Role) Cell { return cell(r.State) }},
		{head: "Not against", kind: folded, drop: 1, cell: func(r *game.Role) Cell { return cell(bans(r)) }},
	})
}

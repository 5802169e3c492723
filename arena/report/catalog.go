package report

import (
	"cmp"
	"strings"

	"thera/engine/game"
)

// Catalog lists the roles of a game, each with what it can do.
func Catalog(roles []game.Role) *Table {
	return tableOf("", roles, func(l *line, r *game.Role) {
		var bans []string
		for _, b := range r.Bans {
			bans = append(bans, b.With)
		}
		l.word("God", "", r.Name)
		l.long("Power", "", cmp.Or(r.Power, none))
		l.long("State", "", cmp.Or(r.State, none)).Drop = 2
		l.long("Not against", "", cmp.Or(strings.Join(bans, ", "), none)).Drop = 1
	})
}

package rules

import (
	"fmt"

	"thera/engine/game"
)

// Roles lists all gods, each with an example of its power.
func Roles() []game.Role {
	roles := make([]game.Role, GodCount)
	for g := range GodCount {
		state, _ := g.StateText()
		role := game.Role{Name: g.String(), Power: g.Power(), State: state, Bans: bansOf(g)}
		if g.LimitsOpponent() {
			showLimit(&role, g)
		} else {
			showPower(&role, g)
		}
		if g.ByText() {
			role.Power += " (printed)"
			role.Note += "; printed: its rules are those of the printed text, proved by a second model alone. No engine of today plays it, so `all` leaves it out"
		}
		roles[g] = role
	}
	return roles
}

func bansOf(g God) []game.Ban {
	var list []game.Ban
	for _, b := range g.Bans() {
		list = append(list, game.Ban{With: b.With.String(), Reason: b.Reason})
	}
	return list
}

// showPower sets the example of role to a turn of g that mortal does not have.
func showPower(role *game.Role, g God) {
	l := NewMoveList()
	for _, p := range Examples(g) {
		role.Example = Box(p, V2)
		common := map[State]bool{}
		plain := p
		plain.Gods[0] = Mortal
		for _, q := range NextStates(&plain) {
			q.GodState, q.Gods = [2]uint32{}, p.Gods
			common[q] = true
		}
		l.Generate(&p)
		shown, best := Move(0), 1<<30
		for _, m := range l.Moves {
			q := l.Child(&p, m)
			plain := q
			plain.GodState = [2]uint32{}
			if d := Distance(&p, &q); !common[plain] && d < best {
				shown, best = m, d
			}
		}
		role.Note = fmt.Sprintf("%d turns here, mortal would have %d", len(l.Moves), len(common))
		if best < 1<<30 {
			role.After = &Position{State: l.Child(&p, shown), form: V2, before: &p}
			return
		}
	}
}

// showLimit sets the example of role to a position in which g takes turns from
// mortal.
func showLimit(role *game.Role, g God) {
	most := -1
	l := NewMoveList()
	for _, p := range Examples(g) {
		l.Generate(&p)
		left, wins := len(l.Moves), listedWins(l)
		q := p
		q.Gods[0], q.GodState[0] = Mortal, 0
		l.Generate(&q)
		if lost := difference(len(l.Moves), left) + difference(listedWins(l), wins); lost > most {
			most = lost
			role.Example = Box(p, V2)
			role.Note = fmt.Sprintf("mortal has %d turns here and %d of them win, against mortal %d and %d",
				left, wins, len(l.Moves), listedWins(l))
		}
	}
}

func listedWins(l *MoveList) int {
	n := 0
	for _, m := range l.Moves {
		if m.Wins() {
			n++
		}
	}
	return n
}

func difference(a, b int) int { return max(a, b) - min(a, b) }

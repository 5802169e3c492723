package santorini

import (
	"fmt"

	"thera/engine/game"
)

// Roles are all gods.
func (*Game) Roles() []game.Role {
	roles := make([]game.Role, godCount)
	for g := range godCount {
		p := &gods[g]
		role := game.Role{Name: p.name, Power: p.text, State: p.keeps, Bans: bansOf(g)}
		if p.limit != nil {
			limiting(&role, g)
		} else {
			powerful(&role, g)
		}
		roles[g] = role
	}
	return roles
}

// RolesIn are the gods of both seats.
func (*Game) RolesIn(pos game.Position) [2]string {
	p, _ := unbox(pos)
	return [2]string{p.god[0].String(), p.god[1].String()}
}

func bansOf(g God) []game.Ban {
	var list []game.Ban
	for _, b := range bans {
		switch g {
		case b.a:
			list = append(list, game.Ban{With: b.b.String(), Reason: b.reason})
		case b.b:
			list = append(list, game.Ban{With: b.a.String(), Reason: b.reason})
		}
	}
	return list
}

// exampleBoards are tried in turn until one shows a god's power.
var exampleBoards = []string{
	"0102100120001020100000010",
	"0102102310013020100002010",
	"0012302320011231120000110",
	"4401142310013024100402310",
}

// examplesOf puts god g on boards, against mortal. The third worker of those
// who have three stands on A2.
func examplesOf(g God) []state {
	if text := gods[g].example; text != "" {
		p, _, err := parse(text)
		if err != nil {
			return nil
		}
		return []state{p}
	}
	var list []state
	for _, heights := range exampleBoards {
		p := state{god: [2]God{g, mortal}, power: [2]uint32{gods[g].start}}
		if p.parseHeights(heights) != nil {
			continue
		}
		p.workers = [2]uint32{bit(11) | bit(13), bit(7) | bit(17)}
		if gods[g].workers > 2 {
			p.workers[0] |= bit(15)
		}
		if sample := gods[g].sample; sample != "" {
			p.power[0], _ = gods[g].read(sample)
		}
		if gods[g].limit != nil {
			p.mover = 1
		}
		list = append(list, p)
	}
	return list
}

// powerful looks for a turn of g that mortal does not have.
func powerful(role *game.Role, g God) {
	f := newFrame()
	for _, p := range examplesOf(g) {
		role.Example = box(p, formV2)
		common := map[state]bool{}
		plain := p
		plain.god[0] = mortal
		for _, q := range nextStates(&plain, formV2) {
			q.power, q.god = [2]uint32{}, p.god
			common[q] = true
		}
		f.generate(&p)
		shown, best := move(0), 1<<30
		for _, m := range f.moves {
			q := f.child(&p, m)
			plain := q
			plain.power = [2]uint32{}
			if d := distance(&p, &q); !common[plain] && d < best {
				shown, best = m, d
			}
		}
		role.Note = fmt.Sprintf("%d turns here, mortal would have %d", len(f.moves), len(common))
		if best < 1<<30 {
			role.After = &position{state: f.child(&p, shown), form: formV2, before: &p}
			return
		}
	}
}

// limiting shows what g leaves of mortal's turns.
func limiting(role *game.Role, g God) {
	most := -1
	f := newFrame()
	for _, p := range examplesOf(g) {
		f.generate(&p)
		left, wins := len(f.moves), listedWins(f)
		q := p
		q.god[0], q.power[0] = mortal, 0
		f.generate(&q)
		if lost := abs(len(f.moves)-left) + abs(listedWins(f)-wins); lost > most {
			most = lost
			role.Example = box(p, formV2)
			role.Note = fmt.Sprintf("mortal has %d turns here and %d of them win, against mortal %d and %d",
				left, wins, len(f.moves), listedWins(f))
		}
	}
}

func listedWins(f *frame) int {
	n := 0
	for _, m := range f.moves {
		if m.wins() {
			n++
		}
	}
	return n
}

package player

import (
	"math/bits"
	"slices"

	"thera/engine/santorini/rules"
	"thera/engine/search"
)

// Generate lists the turns, in two stages where that can save work. If the opponent
// threatens to win, it lists only turns that can stop it.
func (b *board) Generate(stage int, list *search.List[rules.Move]) (more bool) {
	p, l := b.now(), b.lists[b.at]
	if rules.FastPath(p) == nil && !p.Placing() {
		return b.listChildren(stage, list)
	}
	if stage > 0 {
		b.ordering.begin(p)
		b.listTurns(list, l.Moves, rules.MoveClimbs)
		return false
	}
	l.Generate(p)
	if len(l.Moves) == 0 {
		return false
	}
	if p.Placing() {
		b.listPlacements(list)
		return false
	}
	if stops := b.stops(p); stops != 0 {
		b.listBlocks(list, stops)
		return false
	}
	b.ordering.begin(p)
	if b.at == 0 { // keep the order: the first of equal turns is played
		b.listTurns(list, l.Moves, 0)
		return false
	}
	climbs := b.climbing(l.Moves)
	if b.lastPly && b.aim < search.Infinity && len(climbs) > 0 { // one is likely to be enough
		b.listTurns(list, climbs, 0)
		return true
	}
	b.listTurns(list, l.Moves, rules.MoveClimbs)
	b.listTurns(list, climbs, 0)
	return false
}

// NoisyMoves lists the turns that may stop a threat, which are forced.
func (b *board) NoisyMoves(list *search.List[rules.Move]) bool {
	p := b.now()
	stops := b.stops(p)
	if stops == 0 {
		return b.listDefence(list)
	}
	if rules.Displaces(p) {
		return false // workers that change places threaten without end
	}
	b.lists[b.at].Generate(p)
	if len(b.lists[b.at].Moves) > 0 {
		b.listBlocks(list, stops)
	}
	return true
}

// listDefence handles a threat to a mover without a fast path. If no turn stops it,
// listDefence lists one of them: all lose.
func (b *board) listDefence(list *search.List[rules.Move]) bool {
	p, l, s := b.now(), b.lists[b.at], &b.scorer
	them := p.Mover&1 ^ 1
	if b.knowledge&knowBlocks == 0 || rules.FastPath(p) != nil || p.Placing() || !rules.WinsKnown(p, them) || rules.WinningSquares(p, them) == 0 {
		return false
	}
	s.begin(b, p, -search.Heuristic)
	if l.Visit(p, b.visit); s.reached >= 0 || len(l.Moves) == 0 {
		return false
	}
	list.AddLoud(l.Moves[0], l.Moves[0].ID(), 0, 0)
	return true
}

// HashMove checks whether a move without a child is legal here.
func (b *board) HashMove(tag uint32) (item search.Item[rules.Move], ok bool) {
	p, m := b.now(), rules.Move(tag)
	if fast := rules.FastPath(p); fast == nil || !fast.Legal(p, m) || b.stops(p) != 0 {
		return item, false
	}
	return search.Item[rules.Move]{Move: m, Tag: tag, Slot: b.slot(m)}, true
}

// stops is the set of squares of which the mover must move to or build on one to stop
// all wins of the opponent. It is empty if there are none, or if that is not known.
func (b *board) stops(p *rules.State) uint32 {
	me := p.Mover & 1
	if b.knowledge&knowBlocks == 0 || rules.FastPath(p) == nil || !rules.WinsKnown(p, me^1) || b.knowledge&knowWins == 0 && rules.WinningSquares(p, me) != 0 {
		return 0
	}
	return rules.StoppingSquares(p, me^1)
}

// listBlocks lists the turns that touch a square of stops.
func (b *board) listBlocks(list *search.List[rules.Move], stops uint32) {
	p, l := b.now(), b.lists[b.at]
	o := &b.ordering
	o.begin(p)
	for _, m := range l.Moves {
		if m.Touches()&stops != 0 {
			list.AddLoud(m, m.ID(), b.slot(m), o.estimate(m))
		}
	}
	if len(list.Items) == 0 { // all turns lose
		list.AddLoud(l.Moves[0], l.Moves[0].ID(), 0, 0)
	}
}

// climbing is the turns of moves that climb, valid until the next call.
func (b *board) climbing(moves []rules.Move) []rules.Move {
	climbs := b.climbs[:0]
	for _, m := range moves {
		if m.Climbs() {
			climbs = append(climbs, m)
		}
	}
	b.climbs = climbs
	return climbs
}

// listTurns lists turns of this position in their order, without those of the kinds in
// skip.
func (b *board) listTurns(list *search.List[rules.Move], turns []rules.Move, skip rules.Move) {
	o := &b.ordering
	side := uint16(b.now().Mover&1) << 15
	at := len(list.Items)
	items := slices.Grow(list.Items, len(turns))[:at+len(turns)]
	for _, m := range turns {
		if m&skip != 0 {
			continue
		}
		item := &items[at] // field by field: a copy would have to wait for its parts
		item.Move, item.Tag, item.Order, item.Slot, item.Loud = m, m.ID(), o.estimate(m), side|slotOf(m), false
		if m.Wins() {
			item.Order, item.Loud = 1<<20, true
		}
		at++
	}
	list.Items = items[:at]
}

// listChildren lists turns that have children, ordered by the scores of these. Stage
// 0 may stop at a turn that is good enough; stage 1 then lists all others.
func (b *board) listChildren(stage int, list *search.List[rules.Move]) (more bool) {
	p, l, s := b.now(), b.lists[b.at], &b.scorer
	if stage == 0 {
		s.begin(b, p, b.aim)
		if l.Visit(p, b.visit); s.reached >= 0 {
			m := l.MoveOf(s.reached)
			b.first[b.at] = l.Children[s.reached]
			if m.Wins() {
				list.AddLoud(m, m.ID(), 0, 1<<20)
			} else {
				list.Add(m, m.ID(), b.slot(m), 0)
			}
			return true
		}
	} else {
		s.begin(b, p, search.Infinity)
		l.Visit(p, b.visit)
	}
	first, before := &b.first[b.at], len(list.Items)
	items := slices.Grow(list.Items, len(l.Moves))
	for _, m := range l.Moves {
		i := m.Child()
		if stage > 0 && l.Children[i] == *first {
			continue
		}
		item := search.Item[rules.Move]{Move: m, Tag: m.ID()}
		switch worth := s.scores[i]; {
		case m.Wins():
			item.Order, item.Loud = 1<<20, true
		case worth == losing:
			continue
		default:
			item.Slot, item.Order = b.slot(m), max(-9000, min(worth*16, 9000))
		}
		items = append(items, item)
	}
	if list.Items = items; len(items) == before && stage == 0 && len(l.Moves) > 0 { // all turns lose
		list.AddLoud(l.Moves[0], l.Moves[0].ID(), 0, 0)
	}
	return false
}

// listPlacements lists placements, central ones first.
func (b *board) listPlacements(list *search.List[rules.Move]) {
	l := b.lists[b.at]
	me := b.now().Mover & 1
	for _, m := range l.Moves {
		child := l.Child(b.now(), m)
		order := int32(0)
		for set := child.Workers[me]; set != 0; set &= set - 1 {
			order += int32(weight.centre[ringOf[bits.TrailingZeros32(set)&31]][0])
		}
		list.Add(m, m.ID(), uint16(m.ID()>>19), order)
	}
}

// slot is the history slot of m: the squares where it begins, ends and builds.
func (b *board) slot(m rules.Move) uint16 {
	return uint16(b.now().Mover&1)<<15 | slotOf(m)
}

func slotOf(m rules.Move) uint16 { return uint16(m>>5&(1<<10-1))<<5 | uint16(m&31) }

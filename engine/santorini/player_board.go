package santorini

import (
	"slices"

	"thera/engine/search"
)

// walker is the board that the search walks: one state and one frame a ply,
// allocated once.
type walker struct {
	states [search.MaxPly + 2]state
	frames [search.MaxPly + 2]*frame
	at     int
	on     knowledge

	guesser guesser

	aim   int  // see HintBound
	last  bool // the turns of this node end the line
	hunt  hunt
	judge func(kid int) (over bool) // hunt's
	tried [search.MaxPly + 2]state  // what the first stage listed
	hurry func(work int) bool
}

// knowledge is a set of what the player knows about this game beyond its
// rules; each part can be switched off.
type knowledge uint8

const (
	knowWins    knowledge = 1 << iota // wins in one are seen without search
	knowBlocks                        // only turns that may stop a threat are tried
	knowHeight                        // evaluation: how high workers stand
	knowReach                         // evaluation: what they can step on next
	knowCentre                        // evaluation: how central they stand
	knowThreats                       // evaluation: wins that the opponent must stop
	knowEnd
	knowAll = knowEnd - 1
)

var knowledgeNames = [...]string{"wins", "blocks", "height", "reach", "centre", "threats"}

func newWalker() *walker {
	w := &walker{on: knowAll, aim: search.Infinity}
	w.judge = w.hunt.see
	for i := range w.frames {
		w.frames[i] = newFrame()
	}
	return w
}

// set puts p at the root.
func (w *walker) set(p *state) { w.at, w.states[0], w.aim = 0, *p, search.Infinity }

func (w *walker) now() *state { return &w.states[w.at] }

// Known is the end of the game, or a win with the next turn.
func (w *walker) Known() (int, bool) {
	p := w.now()
	if p.winner != 0 {
		if p.winner-1 == p.mover&1 {
			return search.WinIn(0), true
		}
		return search.LossIn(0), true
	}
	if w.on&knowWins == 0 {
		return 0, false
	}
	if told(p, p.mover) {
		if winsOf(p, p.mover) != 0 {
			return search.WinIn(1), true
		}
		return 0, false
	}
	if f := w.frames[w.at]; mayWin(p, p.mover&1) {
		if f.winning(p); len(f.moves) > 0 {
			return search.WinIn(1), true
		}
	}
	return 0, false
}

// winsOf is the set of squares where side, a god whose wins are told, could
// win if it were its turn.
func winsOf(p *state, side uint8) uint32 {
	side &= 1
	god := &gods[p.god[side]]
	high := p.workers[side] & p.up[1&^god.player.low]
	if high == 0 || !god.player.drops && p.up[2]&^p.up[3] == 0 {
		return 0
	}
	var set uint32
	if god.player.common {
		for high &^= p.up[2]; high != 0; high &= high - 1 {
			set |= near[lowest(high)&31]
		}
		return set & p.up[2] &^ (p.up[3] | p.workers[0] | p.workers[1])
	}
	for ; high != 0; high &= high - 1 {
		wins, _ := god.fast.reach(p, lowest(high))
		set |= wins
	}
	return set
}

// HintBound is what one of the turns of this node should reach. The deeper the
// search goes on, the more its evaluation must promise.
func (w *walker) HintBound(value, depth int) {
	w.aim, w.last = search.Infinity, depth == 1
	if depth <= aimDepth && value < search.Heuristic {
		w.aim = value + (depth-1)*aimMore
	}
}

const (
	aimDepth = 3
	aimMore  = 40
)

// SetInterrupt is asked while many turns are generated.
func (w *walker) SetInterrupt(hurry func(work int) bool) { w.hurry = hurry }

// Generate lists the turns, those outside the fast path in two stages. Where
// the opponent threatens to win, turns that cannot stop it are left out.
func (w *walker) Generate(stage int, list *search.List[move]) (more bool) {
	p, f := w.now(), w.frames[w.at]
	if fastFor(p) == nil && !p.placing() {
		return w.listKids(stage, list)
	}
	if stage > 0 {
		w.listTurns(list, moveClimbs, 0)
		return false
	}
	f.generate(p)
	if len(f.moves) == 0 {
		return false
	}
	if p.placing() {
		w.listPlacements(list)
		return false
	}
	if stops := w.stops(p); stops != 0 {
		w.listBlocks(list, stops)
		return false
	}
	if w.last && w.aim < search.Infinity { // a climb is likely to do
		if w.listTurns(list, moveClimbs, moveClimbs); len(list.Items) > 0 {
			return true
		}
		w.listTurns(list, moveClimbs, 0)
		return false
	}
	if w.at == 0 { // where the first of equals is played
		w.listTurns(list, 0, 0)
		return false
	}
	w.listTurns(list, moveClimbs, 0)
	w.listTurns(list, moveClimbs, moveClimbs)
	return false
}

// NoisyMoves lists the turns that may stop a threat: the mover has no time for
// anything else.
func (w *walker) NoisyMoves(list *search.List[move]) bool {
	p := w.now()
	stops := w.stops(p)
	if stops == 0 {
		return w.cornered(list)
	}
	w.frames[w.at].generate(p)
	if len(w.frames[w.at].moves) > 0 {
		w.listBlocks(list, stops)
	}
	return true
}

// cornered looks, where the opponent of a mover outside the fast path threatens
// to win, for one turn that stops it. If there is none it lists a turn: all lose.
func (w *walker) cornered(list *search.List[move]) bool {
	p, f, h := w.now(), w.frames[w.at], &w.hunt
	them := p.mover&1 ^ 1
	if w.on&knowBlocks == 0 || fastFor(p) != nil || p.placing() || !told(p, them) || winsOf(p, them) == 0 {
		return false
	}
	h.begin(w, p, -search.Heuristic)
	if f.judged(p, w.judge); h.best >= 0 || len(f.moves) == 0 {
		return false
	}
	list.AddLoud(f.moves[0], f.moves[0].id(), 0, 0)
	return true
}

// HashMove checks a turn of the fast path against the position.
func (w *walker) HashMove(tag uint32) (item search.Item[move], ok bool) {
	p, m := w.now(), move(tag)
	fast := fastFor(p)
	from, to, built := bit(m.from()), bit(m.to()), bit(m.built())
	if fast == nil || m&moveKid != 0 || m.wins() || p.workers[p.mover&1]&from == 0 || w.stops(p) != 0 {
		return item, false
	}
	_, ends := fast.reach(p, m.from())
	closed := (p.occupied() | p.up[3]) &^ from
	if ends&to == 0 || near[m.to()&31]&built&^closed == 0 || m.twice() && (!fast.twice || p.up[1]&built != 0) ||
		m.climbs() != (p.height(m.to()) > p.height(m.from())) {
		return item, false
	}
	return search.Item[move]{Move: m, Tag: tag, Slot: w.slot(m)}, true
}

// stops is the set of squares of which a turn must touch one, by moving or
// building there, to stop all wins of the opponent's next turn; 0 if it has
// none, or if that cannot be told.
func (w *walker) stops(p *state) uint32 {
	me := p.mover & 1
	if w.on&knowBlocks == 0 || fastFor(p) == nil || !told(p, me^1) || w.on&knowWins == 0 && winsOf(p, me) != 0 {
		return 0
	}
	set := winsOf(p, me^1)
	if set == 0 || gods[p.god[me^1]].player.low == 0 {
		return set
	}
	// Two steps can be stopped on the way too.
	for high := p.workers[me^1] & p.up[0]; high != 0; high &= high - 1 {
		set |= near[lowest(high)&31]
	}
	return set
}

// bothFast reports whether the fast path tells all about both sides.
func bothFast(p *state) bool {
	a, b := &gods[p.god[0]], &gods[p.god[1]]
	return a.fast != nil && b.fast != nil && a.limit == nil && b.limit == nil && p.workers[0] != 0 && p.workers[1] != 0
}

func (w *walker) listBlocks(list *search.List[move], stops uint32) {
	p, f := w.now(), w.frames[w.at]
	g := &w.guesser
	g.begin(p)
	for _, m := range f.moves {
		if (1<<uint(m.to())|1<<uint(m.built()))&stops != 0 {
			list.AddLoud(m, m.id(), w.slot(m), g.guess(m))
		}
	}
	if len(list.Items) == 0 { // lost: any turn will do
		list.AddLoud(f.moves[0], f.moves[0].id(), 0, 0)
	}
}

// listTurns lists, in the order in which they are generated, the turns of the
// fast path of which the bits of mask are want's.
func (w *walker) listTurns(list *search.List[move], mask, want move) {
	p, f := w.now(), w.frames[w.at]
	g := &w.guesser
	g.begin(p)
	side := uint16(p.mover&1) << 15
	items := slices.Grow(list.Items, len(f.moves))
	for _, m := range f.moves {
		if m&mask != want {
			continue
		}
		item := search.Item[move]{Move: m, Tag: m.id(), Slot: side | slotOf(m), Order: g.guess(m)}
		if m.wins() {
			item.Order, item.Loud = 1<<20, true
		}
		items = append(items, item)
	}
	list.Items = items
}

// listKids orders turns outside the fast path by what they lead to. Stage 0 may
// break off at a turn that is good enough; stage 1 lists all others then.
func (w *walker) listKids(stage int, list *search.List[move]) (more bool) {
	p, f, h := w.now(), w.frames[w.at], &w.hunt
	if stage == 0 {
		h.begin(w, p, w.aim)
		if f.judged(p, w.judge); h.best >= 0 {
			m := f.kidMove(h.best)
			w.tried[w.at] = f.kids[h.best]
			if m.wins() {
				list.AddLoud(m, m.id(), 0, 1<<20)
			} else {
				list.Add(m, m.id(), w.slot(m), 0)
			}
			return true
		}
	} else {
		h.begin(w, p, search.Infinity)
		f.judged(p, w.judge)
	}
	tried, before := &w.tried[w.at], len(list.Items)
	items := slices.Grow(list.Items, len(f.moves))
	for _, m := range f.moves {
		i := m >> 32
		if stage > 0 && f.kids[i] == *tried {
			continue
		}
		item := search.Item[move]{Move: m, Tag: m.id()}
		switch worth := h.worth[i]; {
		case m.wins():
			item.Order, item.Loud = 1<<20, true
		case worth == lost:
			continue
		default:
			item.Slot, item.Order = w.slot(m), max(-9000, min(worth*16, 9000))
		}
		items = append(items, item)
	}
	if list.Items = items; len(items) == before && stage == 0 && len(f.moves) > 0 { // lost: any turn will do
		list.AddLoud(f.moves[0], f.moves[0].id(), 0, 0)
	}
	return false
}

// told reports whether winsOf tells the wins of side, whose workers the other
// god does not hold back.
func told(p *state, side uint8) bool {
	god := &gods[p.god[side&1]]
	return (god.fast != nil || god.player.common) && p.workers[side&1] != 0 && gods[p.god[side&1^1]].limit == nil
}

func (w *walker) listPlacements(list *search.List[move]) {
	f := w.frames[w.at]
	me := w.now().mover & 1
	for _, m := range f.moves {
		child := f.child(w.now(), m)
		order := int32(0)
		for set := child.workers[me]; set != 0; set &= set - 1 {
			order += int32(plainWeights.centre[ringOf[lowest(set)&31]][0])
		}
		list.Add(m, m.id(), uint16(m.id()>>19), order)
	}
}

// slot: where a turn ends and builds says most about it.
func (w *walker) slot(m move) uint16 {
	return uint16(w.now().mover&1)<<15 | slotOf(m)
}

func slotOf(m move) uint16 { return uint16(m>>5&(1<<10-1))<<5 | uint16(m&31) }

// Stuck: a mover without a turn loses.
func (w *walker) Stuck() int { return search.LossIn(0) }

// Make plays a turn of this ply's frame.
func (w *walker) Make(m move) bool {
	w.states[w.at+1] = w.frames[w.at].child(&w.states[w.at], m)
	w.at++
	return false
}

// Unmake takes it back.
func (w *walker) Unmake() { w.at-- }

// Key tells states apart.
func (w *walker) Key() uint64 { return w.now().key() }

// NullMove hands the turn over, where the mover is neither threatened nor short of
// moves.
func (w *walker) NullMove() bool {
	p := w.now()
	me := p.mover & 1
	if !bothFast(p) || winsOf(p, me^1) != 0 {
		return false
	}
	free := 0
	open := ^(p.workers[0] | p.workers[1])
	for set := p.workers[me]; set != 0; set &= set - 1 {
		s := lowest(set)
		free += size(near[s&31] & open & p.climbable(p.height(s)))
	}
	if free < 4 {
		return false
	}
	w.states[w.at+1] = *p
	w.at++
	w.states[w.at].mover ^= 1
	return true
}

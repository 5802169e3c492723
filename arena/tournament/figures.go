package tournament

import (
	"slices"

	"thera/arena"
)

// figures are the totals over the games that count.
type figures struct {
	rows     map[rowKey]*arena.Row
	ends     map[endKey]*arena.EndCount
	warnings map[string]*arena.WarningCount // by kind
	seen     map[openingKey]struct{}
	before   *figures // the figures that these extend, read-only
	progress progress

	counted  int
	repeated int // games from an earlier opening under node or depth limits: not counted
	shared   int // the same under other limits: counted
	half     int // counted games of unfinished pairs
	unrated  int // pairs
	aside    int // their games
	annulled int // games of dead engines

	lives   []life    // by engine
	waiting []waiting // pairs of engines of which one has not moved yet: it may be dead
}

type rowKey struct {
	a, b  int32
	leg   int
	roles [2]string
}

type endKey struct {
	source         arena.Source
	engine, reason string
}

// openingKey is an opening of a pairing, or of one seat if games are single.
type openingKey struct {
	a, b int32
	leg  int8 // -1 for a pair
	hash uint64
}

// mostKinds bounds the kinds of warnings of a run, since their texts come from
// engines.
const mostKinds = 1000

func newFigures(engines int) *figures {
	return &figures{
		progress: newProgress(engines),
		rows:     map[rowKey]*arena.Row{}, ends: map[endKey]*arena.EndCount{}, warnings: map[string]*arena.WarningCount{},
		seen: map[openingKey]struct{}{}, lives: make([]life, engines),
	}
}

// onward returns a copy of f that can be added to.
func (f *figures) onward() *figures {
	n := *f
	n.progress, n.before, n.seen = f.progress.clone(), f, map[openingKey]struct{}{}
	n.lives, n.waiting = slices.Clone(f.lives), slices.Clone(f.waiting)
	n.rows, n.ends, n.warnings = copied(f.rows), copied(f.ends), copied(f.warnings)
	return &n
}

func copied[K comparable, V any](m map[K]*V) map[K]*V {
	out := make(map[K]*V, len(m))
	for k, v := range m {
		c := *v
		out[k] = &c
	}
	return out
}

// fresh records the opening and reports whether it is new.
func (f *figures) fresh(k openingKey) bool {
	if f.before != nil {
		if _, ok := f.before.seen[k]; ok {
			return false
		}
	}
	if _, ok := f.seen[k]; ok {
		return false
	}
	f.seen[k] = struct{}{}
	return true
}

// pair adds a finished pair and reports whether it counts: a repetition and an
// unrated pair do not.
func (f *figures) pair(fold *Fold, p *Pair, h *held) (counts bool) {
	legs, leg := p.Legs(), int8(-1)
	if p.Single > 0 {
		leg = int8(p.Single - 1)
	}
	f.live(fold, h)
	first := h.games[legs[0]]
	if !f.fresh(openingKey{h.key.a, h.key.b, leg, first.StartHash}) {
		if fold.repeats(p.A, p.B) {
			f.repeated += len(legs)
			return false
		}
		f.shared += len(legs)
	}
	f.settle(fold, waiting{held: *h, single: p.Single > 0})
	return !h.unrated()
}

// count adds a pair whose opening is new, or the game of an unfinished one.
func (f *figures) count(fold *Fold, w *waiting) {
	h := &w.held
	switch {
	case w.lone != nil:
		f.half++
		f.game(fold, h, w.lone, false)
		f.progress.sample()
		return
	case h.unrated():
		f.setAside(fold, h)
		return
	}
	first := h.games[0]
	if first == nil {
		first = h.games[1]
	}
	row := f.game(fold, h, first, w.single)
	if !w.single {
		f.game(fold, h, h.games[1], false)
		row.CountPair([2]int{first.Winner(), h.games[1].Winner()})
		f.progress.pair([2]int{first.Winner(), h.games[1].Winner()})
	}
	f.progress.sample()
	for _, game := range h.games {
		if game != nil && fold.counted != nil {
			fold.counted(game)
		}
	}
}

// lone adds the only game of an unfinished pair.
func (f *figures) lone(fold *Fold, h *held, game *arena.Game) {
	f.live(fold, h)
	if h.unrated() {
		return // its pair will be
	}
	if !f.fresh(openingKey{h.key.a, h.key.b, -1, game.StartHash}) {
		if fold.repeats(int(h.key.a), int(h.key.b)) {
			f.repeated++
			return
		}
		f.shared++
	}
	f.settle(fold, waiting{held: *h, lone: game})
}

// game adds one game and returns its row.
func (f *figures) game(fold *Fold, h *held, game *arena.Game, single bool) *arena.Row {
	f.counted++
	row := f.row(fold, h, game)
	row.CountGame(game, single)
	f.progress.game(h.key.a, h.key.b, game, single)
	f.ended(fold, h, game)
	return row
}

// row returns the row of a game.
func (f *figures) row(fold *Fold, h *held, game *arena.Game) *arena.Row {
	a, b := h.key.a, h.key.b
	row := f.rows[rowKey{a, b, game.Leg, game.Roles}]
	if row == nil {
		pairing := [2]string{fold.plan.Engines[a].Name, fold.plan.Engines[b].Name}
		row = &arena.Row{Pairing: pairing, Leg: game.Leg, Roles: game.Roles}
		f.rows[rowKey{a, b, game.Leg, game.Roles}] = row
	}
	return row
}

// ended counts how a game ended and what its warnings are about.
func (f *figures) ended(fold *Fold, h *held, game *arena.Game) {
	a, b := h.key.a, h.key.b
	pairing := [2]string{fold.plan.Engines[a].Name, fold.plan.Engines[b].Name}
	k := endKey{source: game.Source, reason: game.End()}
	if game.Guilty() >= 0 {
		k.engine = pairing[game.Guilty()]
	}
	if f.ends[k] == nil {
		f.ends[k] = &arena.EndCount{Source: k.source, Engine: k.engine, Reason: k.reason, Example: game.ID}
	}
	f.ends[k].Games++
	var kinds []string // of this game
	for _, text := range game.Warnings {
		kind := arena.GameWarningKind(text, pairing[:]...)
		if slices.Contains(kinds, kind) {
			continue
		}
		kinds = append(kinds, kind)
		if f.warnings[kind] == nil && len(f.warnings) >= mostKinds {
			kind = "other warnings"
		}
		if f.warnings[kind] == nil {
			f.warnings[kind] = &arena.WarningCount{Kind: kind, Example: text}
		}
		f.warnings[kind].Count++
	}
}

package tournament

import (
	"slices"

	"thera/arena"
)

// figures are the totals over the games that count.
type figures struct {
	rows     map[rowKey]*arena.Row
	ends     map[endKey]*arena.End
	warnings map[warningKey]*arena.GameWarning
	seen     map[openingKey]struct{}
	before   *figures // the figures that these extend, read-only
	progress progress

	counted  int
	repeated int // games from an earlier opening under node or depth limits: not counted
	shared   int // the same under other limits: counted
	half     int // counted games of unfinished pairs
	unrated  int // pairs
	aside    int // their games
}

type rowKey struct {
	a, b  int32
	leg   int
	roles [2]string
}

type endKey struct {
	a, b           int32
	source         arena.Source
	blamed, winner int
	reason         string
}

type warningKey struct {
	a, b int32
	kind string
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
		rows:     map[rowKey]*arena.Row{}, ends: map[endKey]*arena.End{}, warnings: map[warningKey]*arena.GameWarning{},
		seen: map[openingKey]struct{}{},
	}
}

// onward returns a copy of f that can be added to.
func (f *figures) onward() *figures {
	n := newFigures(0)
	n.progress = f.progress.clone()
	n.before, n.counted, n.repeated, n.shared, n.half = f, f.counted, f.repeated, f.shared, f.half
	n.unrated, n.aside = f.unrated, f.aside
	for k, row := range f.rows {
		c := *row
		n.rows[k] = &c
	}
	for k, end := range f.ends {
		c := *end
		n.ends[k] = &c
	}
	for k, w := range f.warnings {
		c := *w
		n.warnings[k] = &c
	}
	return n
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
	first := h.games[legs[0]]
	if !f.fresh(openingKey{h.key.a, h.key.b, leg, first.Opening}) {
		if fold.repeats(p.A, p.B) {
			f.repeated += len(legs)
			return false
		}
		f.shared += len(legs)
	}
	if h.unrated() {
		f.setAside(fold, h)
		return false
	}
	row := f.game(fold, h, first, p.Single > 0)
	if p.Single == 0 {
		f.game(fold, h, h.games[1], false)
		row.CountPair([2]int{first.Winner, h.games[1].Winner})
		f.progress.pair([2]int{first.Winner, h.games[1].Winner})
	}
	f.progress.sample()
	for _, leg := range legs {
		if fold.counted != nil {
			fold.counted(h.games[leg])
		}
	}
	return true
}

// lone adds the only game of an unfinished pair.
func (f *figures) lone(fold *Fold, h *held, game *arena.Finished) {
	if h.unrated() {
		return // its pair will be
	}
	if !f.fresh(openingKey{h.key.a, h.key.b, -1, game.Opening}) {
		if fold.repeats(int(h.key.a), int(h.key.b)) {
			f.repeated++
			return
		}
		f.shared++
	}
	f.half++
	f.game(fold, h, game, false)
	f.progress.sample()
}

// game adds one game and returns its row.
func (f *figures) game(fold *Fold, h *held, game *arena.Finished, single bool) *arena.Row {
	f.counted++
	a, b := h.key.a, h.key.b
	pairing := [2]string{fold.plan.Engines[a].Name, fold.plan.Engines[b].Name}
	row := f.rows[rowKey{a, b, game.Leg, game.Roles}]
	if row == nil {
		row = &arena.Row{Pairing: pairing, Round: game.Round, Leg: game.Leg, Roles: game.Roles}
		f.rows[rowKey{a, b, game.Leg, game.Roles}] = row
	}
	row.Round = min(row.Round, game.Round)
	row.CountGame(game, single)
	f.progress.game(a, b, game, single)
	f.ended(fold, h, game)
	return row
}

// ended counts how a game ended and what its warnings are about.
func (f *figures) ended(fold *Fold, h *held, game *arena.Finished) {
	a, b := h.key.a, h.key.b
	pairing := [2]string{fold.plan.Engines[a].Name, fold.plan.Engines[b].Name}
	k := endKey{a, b, game.Source, game.Blamed, game.Winner, game.End}
	end := f.ends[k]
	if end == nil {
		end = &arena.End{
			Pairing: pairing, Source: game.Source, Blamed: game.Blamed, Winner: game.Winner, Reason: game.End, Example: game.ID,
		}
		f.ends[k] = end
	}
	end.Games++
	var kinds []string // of this game
	for _, text := range game.Warnings {
		k := warningKey{a, b, arena.GameWarningKind(text, pairing[:]...)}
		if slices.Contains(kinds, k.kind) {
			continue
		}
		kinds = append(kinds, k.kind)
		w := f.warnings[k]
		if w == nil && len(f.warnings) >= mostKinds {
			k.kind = "other warnings"
			w = f.warnings[k]
		}
		if w == nil {
			w = &arena.GameWarning{Pairing: pairing, Kind: k.kind, Example: text}
			f.warnings[k] = w
		}
		w.Count++
	}
}

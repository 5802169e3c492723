package tournament

import (
	"fmt"

	"thera/arena"
)

// key identifies a pair of the plan: two engines by place, a <= b, and the
// number of the pair within their pairing.
type key struct{ a, b, number int32 }

func (p *Pair) key() key { return key{int32(p.A), int32(p.B), int32(p.Number)} }

// held are the stored games of one pair, by leg.
type held struct {
	key    key
	games  [2]*arena.Game
	void   []void // attempts that were void
	folded bool
}

// Fold takes the games of a run in any order, and returns what is left to play
// and what is decided so far. It keeps games until their pair is folded, and
// does not change them. It is not safe for concurrent use.
type Fold struct {
	plan    *arena.Plan
	earlier []arena.Earlier
	format  format
	places  map[string]int // engines by name

	index   map[key]int32 // in pairs
	pairs   []held        // those with at least one game, in order of arrival
	low     int           // all pairs before this one are folded
	known   int           // games taken
	unknown int           // games of engines or pairs that the plan does not have

	given  []Pair // known pairs, from place begin
	begin  int
	prefix int   // places folded
	asked  int   // next place for Next
	again  []int // places before it to be played once more

	figures *figures
	openings
	members
	until *until
	sum   struct{ pairs, surplus int } // finished pairs, games passed over, of the prefix
	voids *voids                       // of the prefix
	doubt *arena.Doubt                 // ... and why it is unrated
	stop  *arena.Stop
	ties  []arena.Tie
	news  []string

	counted func(*arena.Game) // called with the games of pairs that count; may be nil
}

// New returns the fold of a checked plan, about whose run others decided earlier.
func New(plan *arena.Plan, earlier ...arena.Earlier) (*Fold, error) {
	k := kindOf(plan.Format.Name)
	if k == nil {
		return nil, fmt.Errorf("unknown format %q", plan.Format.Name)
	}
	return newFold(plan, earlier, k.begin), nil
}

func newFold(plan *arena.Plan, earlier []arena.Earlier, begin func(*Fold) format) *Fold {
	f := &Fold{
		plan: plan, earlier: earlier, places: map[string]int{}, index: map[key]int32{},
		figures: newFigures(len(plan.Engines)), openings: newOpenings(plan), members: newMembers(plan), voids: newVoids(len(plan.Engines)),
	}
	for i := range plan.Engines {
		f.places[plan.Engines[i].Name] = i
	}
	f.format = begin(f)
	if r, ok := f.format.(*rounds); ok && r.target == 0 && plan.Until != (arena.Until{}) {
		f.until = &until{every: len(r.pairings)}
	}
	f.advance()
	return f
}

// hold is the pair of a game, and the game as the plan names its pairing; nil
// if the plan does not have it.
func (f *Fold) hold(game *arena.Game) (*held, *arena.Game) {
	a, ok := f.places[game.Pairing[0]]
	b, found := f.places[game.Pairing[1]]
	if !ok || !found || game.Leg < 0 || game.Leg > 1 {
		return nil, game
	}
	if a > b {
		a, b, game = b, a, game.Turned()
	}
	k := key{int32(a), int32(b), int32(game.Pair)}
	if game.Pair < 0 || game.Status == arena.StatusVoid && (game.Attempt < 1 || game.Attempt > mostVoids) || !f.format.has(k, game.Leg) {
		return nil, game
	}
	at, ok := f.index[k]
	if !ok {
		at = int32(len(f.pairs))
		f.index[k] = at
		f.pairs = append(f.pairs, held{key: k})
	}
	return &f.pairs[at], game
}

// AddAll takes the games of a store, in any order.
func (f *Fold) AddAll(games []arena.Game) {
	// How often a pair was void must be known when it is folded.
	for _, void := range [2]bool{true, false} {
		for i := range games {
			if g := &games[i]; g.Status != arena.StatusExcluded && g.Status.Counts() != void {
				f.Add(g)
			}
		}
	}
}

// Add takes a finished game. It ignores a second game of the same pair and leg,
// and only counts games that are not in the plan.
func (f *Fold) Add(game *arena.Game) {
	h, game := f.hold(game)
	if h == nil {
		f.unknown += btoi(game.Status.Counts())
		return
	}
	if game.Status == arena.StatusVoid {
		f.addVoid(h, game)
		return
	}
	if h.games[game.Leg] != nil {
		return
	}
	h.games[game.Leg] = game
	f.known++
	if h.folded { // the pair was skipped
		h.games[game.Leg] = &spent
		f.sum.surplus++
		return
	}
	f.advance()
}

// spent replaces a folded game, so that its memory can be freed.
var spent arena.Game

// pairAt returns the pair at place. All pairs before it must be known.
func (f *Fold) pairAt(place int) (*Pair, Readiness) {
	if at := place - f.begin; at < len(f.given) {
		return &f.given[at], Ready
	}
	p, state := f.format.next(place)
	if state != Ready {
		return nil, state
	}
	p.nth = f.line(&p).take()
	f.given = append(f.given, p)
	return &f.given[len(f.given)-1], Ready
}

// passes reports whether and why the pair is skipped, as far as is known.
func (f *Fold) passes(p *Pair) passed {
	switch {
	case f.left[p.A] || f.left[p.B]:
		return passedLeft
	case f.usedUp(p):
		return passedUsed
	}
	return played
}

// advance folds all pairs up to the first one with missing games.
func (f *Fold) advance() {
	for f.stop == nil {
		p, state := f.pairAt(f.prefix)
		switch state {
		case Wait:
			return
		case Over:
			f.end(f.format.end())
			return
		}
		h, r := f.held(p), result{passed: f.passes(p)}
		switch {
		case r.passed == played && (h == nil || !h.complete(p)):
			return
		case r.passed == passedLeft:
			r.left = [2]bool{f.left[p.A], f.left[p.B]}
		}
		pair := *p
		if f.prefix++; f.prefix-f.begin > 1024 && 2*(f.prefix-f.begin) > len(f.given) {
			f.given = append(f.given[:0:0], f.given[f.prefix-f.begin:]...)
			f.begin = f.prefix
		}
		stop := f.fold(pair, h, &r)
		if h != nil {
			f.spend(h)
		}
		if stop != nil {
			f.end(stop)
		}
	}
}

// fold adds the next pair of the prefix.
func (f *Fold) fold(p Pair, h *held, r *result) *arena.Stop {
	if r.passed != played {
		if h != nil {
			f.sum.surplus += btoi(h.games[0] != nil) + btoi(h.games[1] != nil)
		}
		return f.decide(p, r)
	}
	f.sum.pairs++
	f.voids.add(h)
	f.doubt = f.voids.doubt(f.sum.pairs, f.plan.Engines)
	r.single, r.leg = p.Single > 0, max(p.Single-1, 0)
	for _, leg := range p.Legs() {
		r.winners[leg] = h.games[leg].Winner()
	}
	r.unrated = h.unrated()
	r.alike, r.speed = h.alike(), h.speed()
	r.fresh = f.figures.pair(f, &p, h)
	f.line(&p).add(r.fresh || r.unrated || !f.repeats(p.A, p.B))
	gone := f.members.add(f, &p, h)
	if stop := f.decide(p, r); gone == nil {
		return stop
	}
	return gone // it takes precedence over the format's own stop
}

// decide returns why the run is over after this pair, nil if it goes on.
func (f *Fold) decide(p Pair, r *result) *arena.Stop {
	if stop := f.format.add(p, r); stop != nil || f.until == nil {
		return stop
	}
	return f.until.add(f)
}

// end stops the run after the folded pairs.
func (f *Fold) end(stop *arena.Stop) {
	stop.Pairs = f.sum.pairs
	f.stop = stop
}

func (f *Fold) held(p *Pair) *held {
	if at, ok := f.index[p.key()]; ok {
		return &f.pairs[at]
	}
	return nil
}

func (h *held) complete(p *Pair) bool {
	return (h.games[0] != nil || !p.has(0)) && (h.games[1] != nil || !p.has(1))
}

// spend releases the games of a folded pair.
func (f *Fold) spend(h *held) {
	h.folded = true
	for leg := range h.games {
		if h.games[leg] != nil {
			h.games[leg] = &spent
		}
	}
	for f.low < len(f.pairs) && f.pairs[f.low].folded {
		f.low++
	}
}

// Work is the games of one pair that are left to play.
type Work struct {
	Place int // of the pair in job order
	Pair  Pair
	Legs  []int // of the missing games
}

// Index returns the place of a leg's game in job order.
func (w *Work) Index(leg int) int {
	if w.Pair.Single > 0 {
		return w.Place
	}
	return 2*w.Place + leg
}

// Next returns the next pair in job order with missing games, without the pairs
// that are known to be skipped.
func (f *Fold) Next() (Work, Readiness) {
	f.asked = max(f.asked, f.prefix)
	for {
		if f.stop != nil {
			return Work{}, Over
		}
		place := f.asked
		if len(f.again) > 0 {
			place = f.again[0]
			if f.again = f.again[1:]; place < f.prefix {
				continue
			}
		}
		p, state := f.pairAt(place)
		if state != Ready {
			return Work{}, Wait
		}
		w := Work{Place: place, Pair: *p}
		f.asked = max(f.asked, place+1)
		if f.passes(p) != played {
			continue
		}
		h := f.held(p)
		for _, leg := range p.Legs() {
			if h == nil || h.games[leg] == nil {
				w.Legs = append(w.Legs, leg)
			}
		}
		if len(w.Legs) > 0 {
			return w, Ready
		}
	}
}

// Stop returns why the run is over, nil before.
func (f *Fold) Stop() *arena.Stop { return f.stop }

// Games returns the number of planned games as far as known, for a test the
// largest number.
func (f *Fold) Games() int { return f.format.total() }

// News returns the decisions since the last call, except the stop, as texts:
// engines that left, and ties that the seeding broke.
func (f *Fold) News() []string {
	news := f.news
	f.news = nil
	return news
}

// Has reports whether a game was added before.
func (f *Fold) Has(game *arena.Game) bool {
	h, game := f.hold(game)
	return h != nil && h.games[game.Leg] != nil
}

// Known returns how many of the added games are in the plan.
func (f *Fold) Known() int { return f.known }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

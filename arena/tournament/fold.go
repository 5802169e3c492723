package tournament

import (
	"fmt"
	"iter"
	"math/bits"

	"thera/arena"
)

// slot is a pair of the run, with what is there of it.
type slot struct {
	Pair   // its engines and number; all of it once its place is reached
	games  [2]*arena.Game
	voids  []void // attempts that were void
	handed bool   // Next returned it
	passed passed
	fresh  bool // it counts: its opening is new, and both games are rated
}

// winners are the winners of both games: 0 is A, 1 is B, -1 nobody.
func (s *slot) winners() (out [2]int) {
	for _, leg := range s.Legs() {
		out[leg] = s.games[leg].Winner()
	}
	return out
}

// points returns the points of A and B: 1 for a win and ½ for a draw.
func (s *slot) points() (points [2]float64) {
	if s.passed != played || s.unrated() {
		return points
	}
	for _, leg := range s.Legs() {
		one := arena.One(s.games[leg].Winner()).Points()
		points[0], points[1] = points[0]+one, points[1]+1-one
	}
	return points
}

// Fold takes the games of a run in any order, and returns what is left to play
// and what is decided so far. It keeps games until their pair is folded, and
// does not change them. It is not safe for concurrent use.
type Fold struct {
	plan   *arena.Plan
	format format
	openings
	places map[string]int // engines by name

	open    map[key]*slot // pairs that are not folded
	done    map[key]uint8 // those that are: which of their games are there, a bit each
	known   int           // games taken
	unknown int           // games of engines or pairs that the plan does not have
	surplus int           // games of pairs that were passed over

	given  map[int]*slot // pairs that have a place, from prefix to end
	end    int
	prefix int // places folded
	asked  int // next place for Next

	figures *figures     // of the prefix
	doubt   *arena.Doubt // ... and why it is unrated
	left    []bool       // engines that left
	drops   []arena.Drop // ... and why
	stop    *arena.Stop
	news    []string

	counted func(pair []*arena.Game, half bool) // called with the pairs in the figures; may be nil
}

// New returns the fold of a checked plan.
func New(plan *arena.Plan) (*Fold, error) {
	k := kindOf(plan.Format.Name)
	if k == nil {
		return nil, fmt.Errorf("unknown format %q", plan.Format.Name)
	}
	return newFold(plan, k.begin), nil
}

func newFold(plan *arena.Plan, begin func(*Fold) format) *Fold {
	n := len(plan.Engines)
	f := &Fold{
		plan: plan, places: map[string]int{}, open: map[key]*slot{}, done: map[key]uint8{}, given: map[int]*slot{},
		openings: newOpenings(plan), left: make([]bool, n),
	}
	f.figures = newFigures(f)
	for i := range plan.Engines {
		f.places[plan.Engines[i].Name] = i
	}
	f.format = begin(f)
	f.advance()
	return f
}

// find returns the key of a game's pair, and the game as the plan names its pairing;
// ok is false if the plan does not have it.
func (f *Fold) find(game *arena.Game) (k key, turned *arena.Game, ok bool) {
	a, known := f.places[game.Pairing[0]]
	b, found := f.places[game.Pairing[1]]
	if !known || !found || game.Leg < 0 || game.Leg > 1 || game.Pair < 0 {
		return k, game, false
	}
	if a > b {
		a, b, game = b, a, game.Turned()
	}
	k = key{a, b, game.Pair}
	if game.Status == arena.StatusVoid && (game.Attempt < 1 || game.Attempt > mostVoids) {
		return k, game, false
	}
	return k, game, f.format.has(k, game.Leg)
}

// slot returns the open pair of a key.
func (f *Fold) slot(k key) *slot {
	if f.open[k] == nil {
		f.open[k] = &slot{Pair: Pair{A: k.a, B: k.b, Number: k.number}}
	}
	return f.open[k]
}

// Stored yields games in an order in which a fold can take them: how often a pair was
// void must be known when it is folded.
func Stored(games []arena.Game) iter.Seq[*arena.Game] {
	return func(yield func(*arena.Game) bool) {
		for _, counts := range [2]bool{false, true} {
			for i := range games {
				if g := &games[i]; g.Status.Counts() == counts && !yield(g) {
					return
				}
			}
		}
	}
}

// AddAll takes the games of a store, the void ones before the others.
func (f *Fold) AddAll(games iter.Seq[*arena.Game]) {
	for g := range games {
		if g.Status != arena.StatusExcluded {
			f.Add(g)
		}
	}
}

// Add takes a finished game. It ignores a second game of the same pair and leg,
// and only counts games that are not in the plan.
func (f *Fold) Add(game *arena.Game) {
	k, game, ok := f.find(game)
	if !ok {
		f.unknown += btoi(game.Status.Counts())
		return
	}
	was, folded := f.done[k]
	switch bit := uint8(1) << game.Leg; {
	case was&bit != 0, folded && game.Status == arena.StatusVoid:
	case folded: // the pair was skipped
		f.done[k] = was | bit
		f.known++
		f.surplus++
	case game.Status == arena.StatusVoid:
		s := f.slot(k)
		for len(s.voids) < game.Attempt {
			s.voids = append(s.voids, void{spared: -1})
		}
		s.voids[game.Attempt-1].take(game)
	default:
		if s := f.slot(k); s.games[game.Leg] == nil {
			s.games[game.Leg] = game
			f.known++
			f.advance()
		}
	}
}

// Void takes a game that stalled, of the pair at a place that Next returned.
// The attempt at the pair is void with all its games, and Next returns the pair
// once more.
func (f *Fold) Void(place int, game *arena.Game) {
	k, game, ok := f.find(game)
	if !ok {
		return
	}
	if was, folded := f.done[k]; folded {
		n := bits.OnesCount8(was)
		f.known, f.surplus = f.known-n, f.surplus-n
		f.done[k] = 0
		return
	}
	s, attempt := f.slot(k), void{spared: -1}
	attempt.take(game)
	for leg, other := range s.games {
		if other != nil {
			attempt.take(other)
			s.games[leg] = nil
			f.known--
		}
	}
	s.voids, s.handed = append(s.voids, attempt), false
	f.asked = min(f.asked, place)
}

// pairAt returns the pair at place. All pairs before it must be known.
func (f *Fold) pairAt(place int) (*slot, Readiness) {
	if place < f.end {
		return f.given[place], Ready
	}
	p, state := f.format.next(place)
	if state != Ready {
		return nil, state
	}
	s := f.slot(p.key())
	s.Pair = p
	f.given[place], f.end = s, place+1
	return s, Ready
}

// passes reports whether and why the pair is skipped, as far as is known.
func (f *Fold) passes(p *Pair) passed {
	switch format, ok := f.format.(skipper); {
	case f.left[p.A] || f.left[p.B]:
		return passedLeft
	case p.nth >= f.worth(p.A, p.B, p.Single > 0):
		return passedUsed
	case ok && format.skips(p):
		return passedMet
	}
	return played
}

// advance folds all pairs up to the first one with missing games.
func (f *Fold) advance() {
	for f.stop == nil {
		s, state := f.pairAt(f.prefix)
		switch state {
		case Wait:
			return
		case Over:
			f.ends(f.format.end())
			return
		}
		if s.passed = f.passes(&s.Pair); s.passed == played && len(s.missing()) > 0 {
			return
		}
		delete(f.given, f.prefix)
		f.prefix++
		delete(f.open, s.key())
		f.done[s.key()] = uint8(btoi(s.games[0] != nil) | btoi(s.games[1] != nil)<<1)
		if stop := f.fold(s); stop != nil {
			f.ends(stop)
		}
	}
}

// fold adds the next pair of the prefix.
func (f *Fold) fold(s *slot) *arena.Stop {
	if s.passed != played {
		f.surplus += bits.OnesCount8(f.done[s.key()])
		return f.format.add(s)
	}
	s.fresh = f.figures.pair(s)
	f.doubt = f.figures.doubt()
	gone := f.tooFew()
	if stop := f.format.add(s); gone == nil {
		return stop
	}
	return gone // it takes precedence over the format's stop
}

// ends stops the run after the folded pairs.
func (f *Fold) ends(stop *arena.Stop) {
	stop.Pairs = f.figures.pairs
	f.stop = stop
}

// missing are the legs without a game.
func (s *slot) missing() []int {
	all := s.Legs()
	for len(all) > 0 && s.games[all[0]] != nil {
		all = all[1:]
	}
	if len(all) == 2 && s.games[1] != nil {
		return all[:1]
	}
	return all
}

// Work is the games of one pair that are left to play.
type Work struct {
	Place int // of the pair in job order
	Pair  Pair
	Legs  []int // of the missing games; not to be changed
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
	for f.stop == nil {
		f.asked = max(f.asked, f.prefix)
		s, state := f.pairAt(f.asked)
		if state != Ready {
			return Work{}, Wait
		}
		f.asked++
		missing := s.missing()
		if s.handed || len(missing) == 0 || f.passes(&s.Pair) != played {
			continue
		}
		s.handed = true
		return Work{f.asked - 1, s.Pair, missing}, Ready
	}
	return Work{}, Over
}

// Stop returns why the run is over, nil before.
func (f *Fold) Stop() *arena.Stop { return f.stop }

// Games returns the number of planned games as far as known, for a test the
// largest number.
func (f *Fold) Games() int { return f.format.total() }

// News says which engines left since the last call.
func (f *Fold) News() []string {
	news := f.news
	f.news = nil
	return news
}

// Known returns how many of the added games are in the plan.
func (f *Fold) Known() int { return f.known }

func (f *Fold) name(i int) string { return f.plan.Engines[i].Name }

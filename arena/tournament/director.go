package tournament

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strings"

	"thera/arena"
)

// series is a pair of the run with its games.
type series struct {
	Pair   // complete when its place is reached; until then only its engines and number
	games  [2]*arena.Game
	voids  []void // void attempts
	handed bool   // Next has returned it
	passed passed
	fresh  bool // it counts: its opening is new, and both games are rated
}

// winners returns the winners of both games: 0 is A, 1 is B, -1 nobody.
func (s *series) winners() (out [2]int) {
	for _, leg := range s.Legs() {
		out[leg] = s.games[leg].Winner()
	}
	return out
}

// points returns the points of A and B: 1 for a win and ½ for a draw.
func (s *series) points() (points [2]float64) {
	if s.passed != played || s.unrated() {
		return points
	}
	for _, leg := range s.Legs() {
		one := arena.One(s.games[leg].Winner()).Points()
		points[0], points[1] = points[0]+one, points[1]+1-one
	}
	return points
}

// Director takes the games of a run in any order. It returns what is left to play and what is
// decided so far. It keeps games until their pair is counted, and does not change them. It is not
// safe for concurrent use.
type Director struct {
	plan   *arena.Plan
	format format
	openings
	places map[string]int // engines by name

	open    map[key]*series // pairs that are not counted
	done    map[key]uint8   // counted pairs: a bit for each of their games that is there
	known   int             // number of games taken
	unknown int             // games of engines or pairs that the plan does not have
	surplus int             // games of pairs that were passed over

	given  map[int]*series // pairs by place, from prefix to end
	end    int
	prefix int // number of counted places
	asked  int // next place for Next

	figures *figures     // of the prefix
	doubt   *arena.Doubt // ... and why it is unrated
	left    []bool       // engines that left
	drops   []arena.Drop // ... and why
	stop    *arena.Stop
	news    []string

	counted func(pair []*arena.Game, half bool) // called with each pair in the figures; may be nil
}

// New returns the director of a checked plan.
func New(plan *arena.Plan) (*Director, error) {
	k := kindOf(plan.Format.Name)
	if k == nil {
		return nil, fmt.Errorf("unknown format %q", plan.Format.Name)
	}
	return newDirector(plan, k.begin), nil
}

func newDirector(plan *arena.Plan, begin func(*Director) format) *Director {
	n := len(plan.Engines)
	d := &Director{
		plan: plan, places: map[string]int{}, open: map[key]*series{}, done: map[key]uint8{}, given: map[int]*series{},
		openings: newOpenings(plan), left: make([]bool, n),
	}
	d.figures = newFigures(d)
	for i := range plan.Engines {
		d.places[plan.Engines[i].Name] = i
	}
	d.format = begin(d)
	d.advance()
	return d
}

// find returns the key of a game's pair, and the game as the plan names its pairing. ok is false if
// the plan does not have the game.
func (d *Director) find(game *arena.Game) (k key, turned *arena.Game, ok bool) {
	a, known := d.places[game.Pairing[0]]
	b, found := d.places[game.Pairing[1]]
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
	return k, game, d.format.has(k, game.Leg)
}

// series returns the open pair of a key.
func (d *Director) series(k key) *series {
	if d.open[k] == nil {
		d.open[k] = &series{Pair: Pair{A: k.a, B: k.b, Number: k.number}}
	}
	return d.open[k]
}

// Stored yields games in an order in which a director can take them: void games first, because the
// director must know how often a pair was void when it counts the pair.
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

// AddAll takes games in the order of Stored, but none that are excluded.
func (d *Director) AddAll(games iter.Seq[*arena.Game]) {
	for g := range games {
		if g.Status != arena.StatusExcluded {
			d.Add(g)
		}
	}
}

// Add takes a finished game. It ignores a second game of the same pair and leg. Of games that are not
// in the plan it only counts how many there are.
func (d *Director) Add(game *arena.Game) {
	k, game, ok := d.find(game)
	if !ok {
		d.unknown += btoi(game.Status.Counts())
		return
	}
	was, counted := d.done[k]
	switch bit := uint8(1) << game.Leg; {
	case was&bit != 0, counted && game.Status == arena.StatusVoid:
	case counted: // the pair was skipped
		d.done[k] = was | bit
		d.known++
		d.surplus++
	case game.Status == arena.StatusVoid:
		s := d.series(k)
		for len(s.voids) < game.Attempt {
			s.voids = append(s.voids, void{spared: -1})
		}
		s.voids[game.Attempt-1].take(game)
	default:
		if s := d.series(k); s.games[game.Leg] == nil {
			s.games[game.Leg] = game
			d.known++
			d.advance()
		}
	}
}

// Void takes a game that stalled, of the pair at a place that Next returned. The attempt at the pair
// is void, with all its games, and Next returns the pair again.
func (d *Director) Void(place int, game *arena.Game) {
	k, game, ok := d.find(game)
	if !ok {
		return
	}
	if was, counted := d.done[k]; counted { // the pair was skipped
		n := bits.OnesCount8(was)
		d.known, d.surplus = d.known-n, d.surplus-n
		d.done[k] = 0
		return
	}
	s, attempt := d.series(k), void{spared: -1}
	attempt.take(game)
	for leg, other := range s.games {
		if other != nil {
			attempt.take(other)
			s.games[leg] = nil
			d.known--
		}
	}
	s.voids, s.handed = append(s.voids, attempt), false
	d.asked = min(d.asked, place)
}

// pairAt returns the pair at place. All pairs before it must be known.
func (d *Director) pairAt(place int) (*series, Readiness) {
	if place < d.end {
		return d.given[place], Ready
	}
	p, state := d.format.next(place)
	if state != Ready {
		return nil, state
	}
	s := d.series(p.key())
	s.Pair = p
	d.given[place], d.end = s, place+1
	return s, Ready
}

// passes returns whether and why the pair is skipped, as far as is known.
func (d *Director) passes(p *Pair) passed {
	switch format, ok := d.format.(skipper); {
	case d.left[p.A] || d.left[p.B]:
		return passedLeft
	case p.nth >= d.worth(p.A, p.B, p.Single > 0):
		return passedUsed
	case ok && format.skips(p):
		return passedMet
	}
	return played
}

// advance counts all pairs up to the first one with missing games.
func (d *Director) advance() {
	for d.stop == nil {
		s, state := d.pairAt(d.prefix)
		switch state {
		case Wait:
			return
		case Over:
			d.ends(d.format.end())
			return
		}
		if s.passed = d.passes(&s.Pair); s.passed == played && len(s.missing()) > 0 {
			return
		}
		delete(d.given, d.prefix)
		d.prefix++
		delete(d.open, s.key())
		d.done[s.key()] = uint8(btoi(s.games[0] != nil) | btoi(s.games[1] != nil)<<1)
		if stop := d.count(s); stop != nil {
			d.ends(stop)
		}
	}
}

// count adds the next pair of the prefix.
func (d *Director) count(s *series) *arena.Stop {
	if s.passed != played {
		d.surplus += bits.OnesCount8(d.done[s.key()])
		return d.format.add(s)
	}
	s.fresh = d.figures.pair(s)
	d.doubt = d.figures.doubt()
	gone := d.tooFew()
	if stop := d.format.add(s); gone == nil {
		return stop
	}
	return gone // takes precedence over the format's stop
}

// ends stops the run after the counted pairs.
func (d *Director) ends(stop *arena.Stop) {
	stop.Pairs = d.figures.pairs
	d.stop = stop
}

// missing returns the legs without a game.
func (s *series) missing() []int {
	all := s.Legs()
	for len(all) > 0 && s.games[all[0]] != nil {
		all = all[1:]
	}
	if len(all) == 2 && s.games[1] != nil {
		return all[:1]
	}
	return all
}

// Work says which games of a pair are left to play.
type Work struct {
	Place int // of the pair in job order
	Pair  Pair
	Legs  []int // of the missing games; do not change the slice
}

// Index returns the place of a leg's game in job order.
func (w *Work) Index(leg int) int {
	if w.Pair.Single > 0 {
		return w.Place
	}
	return 2*w.Place + leg
}

// Next returns the next pair in job order that has missing games. It passes over pairs that are known
// to be skipped.
func (d *Director) Next() (Work, Readiness) {
	for d.stop == nil {
		d.asked = max(d.asked, d.prefix)
		s, state := d.pairAt(d.asked)
		if state != Ready {
			return Work{}, Wait // the run is over only when all pairs are counted
		}
		d.asked++
		missing := s.missing()
		if s.handed || len(missing) == 0 || d.passes(&s.Pair) != played {
			continue
		}
		s.handed = true
		return Work{d.asked - 1, s.Pair, missing}, Ready
	}
	return Work{}, Over
}

// Stop returns why the run is over, nil if it is not.
func (d *Director) Stop() *arena.Stop { return d.stop }

// Games returns the number of planned games, as far as it is known. For a test it is the largest
// possible number.
func (d *Director) Games() int { return d.format.total() }

// News returns which engines have left since the last call, without one that ended the run.
func (d *Director) News() []string {
	ends := func(text string) bool { return d.stop != nil && strings.HasPrefix(d.stop.Text, text) }
	news := slices.DeleteFunc(d.news, ends)
	d.news = nil
	return news
}

// Known returns the number of added games that are in the plan.
func (d *Director) Known() int { return d.known }

func (d *Director) name(i int) string { return d.plan.Engines[i].Name }

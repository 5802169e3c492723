package tournament

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"thera/arena"
	"thera/engine/game"
)

// An opening is the position from which a game starts: a start of the game or a position from a
// file, then perhaps random legal plies, which may be chosen so that the position is balanced.
//
// An opening depends only on the plan, the pairing and the number of the pair. It is the same on
// every machine and after every resume.

// JobOf returns a game of a pairing by the number of its pair and its leg, without its round and its
// place in job order.
func JobOf(plan *arena.Plan, id arena.Identity, number, leg int) arena.Job {
	job := arena.Job{ID: id.Job(number, leg), Pairing: id.Pairing, Pair: number, Leg: leg, Seed: id.Opening(number)}
	job.Start, job.Opening = choose(plan, number, id.Opening(-1)) // the seed of no pair is that of the pairing
	return job
}

// choose returns the number of the game's start, or the line of the opening file, for the pair of
// that number. A pairing uses every start once before it repeats one.
// shuffle is the pairing's seed.
func choose(plan *arena.Plan, number int, shuffle uint64) (start int, position string) {
	n, book := starts(plan)
	at := number % n
	if plan.Openings.Random && !plan.Format.NumberIsStart() {
		at = shuffled(at, n, shuffle+uint64(number/n))
	}
	if book {
		return at, plan.Openings.Positions[at]
	}
	return at, ""
}

// shuffled returns place i of a permutation of 0 to n-1: it walks in steps that share no factor with
// n, from a random place.
func shuffled(i, n int, seed uint64) int {
	g := random(seed)
	first, step := g.below(n), 1
	if n > 2 {
		for step = 1 + g.below(n-1); gcd(step, n) != 1; {
			step = step%(n-1) + 1
		}
	}
	return int((uint64(first) + uint64(i)*uint64(step)) % uint64(n))
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// The number of tries before an opening is given up.
const (
	triesAlive    = 1000 // draws of random plies that leave the game open
	triesForeign  = 100  // where each ply costs a question to the rules engine
	triesBalanced = 500
	triesStart    = 25 // of these, from the start of the pair; then other starts are drawn as well
)

// Make returns the position from which a job starts.
func Make(ctx context.Context, plan *arena.Plan, job arena.Job) (game.Position, error) {
	from, err := base(plan, job, 0)
	if err != nil {
		return nil, err
	}
	o := plan.Openings
	if _, foreign := from.(game.Foreign); foreign {
		if o.Balanced > 0 {
			return nil, fmt.Errorf("balanced openings from %s: its rules are not known", from)
		}
		return from, nil // random plies need a list of moves, see Wander
	}
	switch {
	case o.Balanced > 0:
		return balanced(ctx, plan, job)
	case o.RandomPlies > 0 && job.Opening == "":
		return wander(ctx, from, o.RandomPlies, job.Seed, nil, func(pos game.Position) bool { return winsAtOnce(plan.Game, pos) })
	}
	return from, nil
}

// base returns the start before any random plies.
func base(plan *arena.Plan, job arena.Job, try uint64) (game.Position, error) {
	if job.Opening != "" {
		pos, err := plan.Game.Parse(job.Opening)
		if err != nil {
			return nil, fmt.Errorf("opening %q: %w", job.Opening, err)
		}
		return pos, nil
	}
	pos, err := plan.Game.Start(job.Start, job.Seed+try)
	if err != nil {
		return nil, fmt.Errorf("start %d of %s: %w", job.Start, plan.Game.Name(), err)
	}
	return pos, nil
}

// Lists returns the legal moves of a position. known is false if engines give different lists. The
// game then starts there, and its first move shows the difference.
type Lists func(ctx context.Context, pos game.Foreign) (moves []string, known bool, err error)

// Wander plays the random plies of a job from a foreign position, with the moves that lists returns.
// They depend only on the seed of the job and on the lists.
func Wander(ctx context.Context, plan *arena.Plan, job arena.Job, from game.Foreign, lists Lists) (game.Position, error) {
	if plan.Openings.RandomPlies == 0 || job.Opening != "" {
		return from, nil
	}
	return wander(ctx, from, plan.Openings.RandomPlies, job.Seed, lists, func(pos game.Position) bool { return winsAtOnce(nil, pos) })
}

// wander plays random legal turns that do not end the game. It draws again if decided says that the
// position is decided. decided may be nil.
func wander(
	ctx context.Context, from game.Position, plies int, seed uint64, lists Lists, decided func(game.Position) bool,
) (game.Position, error) {
	tries := triesAlive
	if lists != nil {
		tries = triesForeign
	}
	for try := range uint64(tries) {
		g := random(seed ^ (try+1)*0x9e3779b97f4a7c15)
		pos, ok, err := walk(ctx, from, plies, &g, lists)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if at, known, err := resolve(ctx, pos, lists); err != nil || !known || decided == nil || !decided(at) {
			return pos, err
		}
	}
	return nil, fmt.Errorf("no %d random plies from %s leave the game open in %d draws (hint: fewer random_plies)", plies, from, tries)
}

// resolve returns pos with its moves, if they are known.
func resolve(ctx context.Context, pos game.Position, lists Lists) (at game.Position, known bool, err error) {
	foreign, ok := pos.(game.Foreign)
	if !ok || lists == nil {
		return pos, true, nil
	}
	moves, known, err := lists(ctx, foreign)
	return foreign.Under(moves), known, err
}

// walk plays random legal turns. ok is false if they end the game. It stops at a position whose moves
// are not known.
func walk(ctx context.Context, pos game.Position, plies int, g *random, lists Lists) (_ game.Position, ok bool, err error) {
	for range plies {
		if _, over := pos.Outcome(); over || ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		at, known, err := resolve(ctx, pos, lists)
		if err != nil || !known {
			return pos, true, err
		}
		if pos, err = at.Play(game.RandomTurn(at, g.below)); err != nil {
			return nil, false, nil
		}
	}
	_, over := pos.Outcome()
	return pos, !over, nil
}

// winsAtOnce reports whether the side to move can win before the other side moves. In games with
// simultaneous moves no side can be sure to. If g is nil, winsAtOnce plays the turns, because the
// game does not know foreign positions.
func winsAtOnce(g game.Game, pos game.Position) bool {
	turn := pos.ToMove()
	if turn == 0 || turn == game.Both {
		return false
	}
	if catalog, ok := g.(game.RoleCatalog); ok {
		return catalog.WinsAtOnce(pos)
	}
	for _, move := range pos.Moves(turn.Only()) {
		next, err := pos.Play(game.By(turn.Only(), move))
		if err != nil {
			continue
		}
		if end, over := next.Outcome(); over && end.Winner == turn.Only() || next.ToMove() == turn && winsAtOnce(g, next) {
			return true
		}
	}
	return false
}

// balanced draws until the game's judge expects a score near one half.
func balanced(ctx context.Context, plan *arena.Plan, job arena.Job) (game.Position, error) {
	nearest := math.Inf(1)
	for try := range uint64(triesBalanced) {
		if try >= triesStart && !plan.Format.NumberIsStart() { // some match-ups are never even
			g := random(job.Seed + try)
			n, _ := starts(plan)
			job.Start = g.below(n)
		}
		from, err := base(plan, job, try)
		if err != nil {
			return nil, err
		}
		pos, err := wander(ctx, from, plan.Openings.RandomPlies, job.Seed+try, nil, nil) // the judge sees wins
		if err != nil {
			return nil, err
		}
		score, err := plan.Player.Expect(ctx, pos, plan.Openings.JudgeNodes)
		if err != nil {
			return nil, fmt.Errorf("judging %s: %w", pos, err)
		}
		off := math.Abs(score - 0.5)
		if off <= plan.Openings.Balanced {
			return pos, nil
		}
		nearest = min(nearest, off)
	}
	return nil, fmt.Errorf("pair %d: no balanced opening in %d draws: the best is %.2f off even, expected at most %.2f (hint: more random_plies, or another start)",
		job.Pair, triesBalanced, nearest, plan.Openings.Balanced)
}

// random is splitmix64 (Steele, Lea and Flood 2014), which begins as its seed: small, and the same on
// every machine and with every version of Go.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1. The bias is below n/2^64.
func (r *random) below(n int) int {
	high, _ := bits.Mul64(r.next(), uint64(n))
	return int(high)
}

// openings finds pairs that can only repeat earlier games. Under node and depth limits engines repeat
// the game from the same opening, which adds no information.
type openings struct {
	plan  *arena.Plan
	exact []bool // engines limited by nodes or depth
	most  int    // distinct openings of a pairing or cell, math.MaxInt if that is not known
	cells int    // number of starts of the format cells, otherwise 0
}

func newOpenings(plan *arena.Plan) openings {
	o := openings{plan: plan, most: math.MaxInt, exact: make([]bool, len(plan.Engines))}
	for i := range plan.Engines {
		o.exact[i] = plan.LimitOf(&plan.Engines[i]).Exact() && !plan.Openings.Repeat
	}
	if plan.Format.NumberIsStart() {
		o.cells, _ = starts(plan)
	}
	if !slices.Contains(o.exact, true) {
		return o
	}
	if n, finite := distinct(plan); finite {
		if o.most = n; o.cells > 0 {
			o.most = 1
		}
	}
	return o
}

// repeats reports whether two engines always play the same game from the same
// opening.
func (o *openings) repeats(a, b int) bool { return o.exact[a] && o.exact[b] }

// worth returns how many pairs of a pairing, or of its cell, can be new, math.MaxInt if there is no
// limit. For single games the same opening from the other seat is new.
func (o *openings) worth(a, b int, single bool) int {
	switch {
	case o.most == math.MaxInt || !o.repeats(a, b):
		return math.MaxInt
	case single && a != b && (o.most%2 == 1 || o.plan.Openings.Random):
		return 2 * o.most
	}
	return o.most
}

// hint returns a setting that gives more openings.
func (o *openings) hint() string {
	switch {
	case o.plan.Openings.RandomPlies > 0:
		return fmt.Sprintf("openings: {random_plies: %d}", o.plan.Openings.RandomPlies+2)
	case o.plan.Openings.File != "":
		return "a longer openings.file, or openings: {random_plies: 4}"
	}
	return "openings: {random_plies: 4}"
}

// starts returns how many positions openings begin with: those of the plan's file, which a stored plan
// does not keep, or the starts of the game.
func starts(plan *arena.Plan) (n int, book bool) {
	if n = cmp.Or(len(plan.Openings.Positions), plan.Openings.Count); n > 0 {
		return n, true
	}
	return max(plan.Game.Starts(), 1), false
}

// probes are seeds that show whether a game's starts are random.
var probes = [...]uint64{1, 2, 0x9e3779b97f4a7c15, 0xd1b54a32d192ed03}

// distinct returns how many openings a pairing has before they repeat, if that is known in advance:
// for a file of positions, or starts that do not depend on the seed, without random plies. Equal
// openings in a file count as different.
func distinct(plan *arena.Plan) (n int, finite bool) {
	n, book := starts(plan)
	if plan.Openings.RandomPlies > 0 && (!book || plan.Openings.Balanced > 0) {
		return 0, false
	}
	for i := range n {
		if !book && !Fixed(plan.Game, i) {
			return 0, false
		}
	}
	return n, true
}

// Fixed reports whether a start of the game does not depend on the seed. A start that cannot be made
// is not fixed; Make reports the error.
func Fixed(g game.Game, start int) bool {
	text := ""
	for _, seed := range probes {
		pos, err := g.Start(start, seed)
		if err != nil || text != "" && pos.String() != text {
			return false
		}
		text = pos.String()
	}
	return true
}

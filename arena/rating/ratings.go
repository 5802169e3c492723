package rating

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Meeting is the counts of games between two players, from A's view. Several
// meetings of the same players are added.
type Meeting struct {
	A, B string
	Counts
}

// Rating is the rating of one player.
type Rating struct {
	Name   string  `json:"name"`
	Games  int64   `json:"games"`
	Points float64 `json:"points"`
	Strength
}

// Ratings is the joint rating of many players.
type Ratings struct {
	Players []Rating // those with games, in the order of first appearance
	Caveats []string

	fit    fit
	direct *Estimate // if there are two players: of the first one's games

	// groups has for each player the joint rating of the players who scored against each
	// other, directly or through others. It is nil if these are all players, or one.
	groups []*Ratings
}

// MaxAnchor is the highest rating that an anchor can have, and -MaxAnchor the lowest.
const MaxAnchor = 1e5

// Fit rates all players jointly by the Bradley-Terry model, in which a draw is
// half a win: Σ_j s_ij = Σ_j n_ij E_ij for every player i. Anchors have fixed ratings;
// without them the mean is 0. If there are no finite ratings, every player gets two
// virtual draws against a fixed player, whose rating is 0 or the mean of the anchors,
// and caveats say why.
//
// Bounds are marginal: they are for the player's distance to the mean of the anchors, or
// else of the largest group of players who all scored against each other, directly or
// through others, and include the errors of the other players. A player who did not
// score against them has no lower bound, and one they did not score against has no upper
// bound. Nobody plays against itself, and anchors are at most MaxAnchor.
func Fit(results []Meeting, anchors map[string]float64) *Ratings {
	t := &Ratings{Caveats: []string{}}
	places := map[[2]int]int{} // of edges
	for _, r := range results {
		if r.Games.Games() == 0 {
			t.warn("%s and %s have no games", r.A, r.B)
			continue
		}
		a, b, counts := t.player(r.A, anchors), t.player(r.B, anchors), r.Counts
		if a > b {
			a, b, counts = b, a, counts.Flip()
		}
		at, ok := places[[2]int{a, b}]
		if !ok {
			at = len(places)
			places[[2]int{a, b}] = at
			t.fit.edges = append(t.fit.edges, edge{a: a, b: b})
		}
		t.fit.edges[at].counts = t.fit.edges[at].counts.Add(counts)
	}
	for i := range t.fit.edges {
		e := &t.fit.edges[i]
		games := e.counts.Games
		e.n, e.points, e.units = float64(games.Games()), games.Points(), unitsOf(e.counts.Pairs, e.counts.Singles)
		for side, place := range [2]int{e.a, e.b} {
			t.Players[place].Games += games.Games()
			t.Players[place].Points += [2]float64{e.points, e.n - e.points}[side]
		}
	}
	if len(places) == 0 {
		return t
	}
	if len(places) == 1 {
		t.direct = new(t.fit.edges[0].counts.Estimate())
	}
	if why := t.fit.connect(t.Players); why != "" {
		t.fit.prior, t.Caveats = true, append(t.Caveats, why)
		t.split(anchors)
	}
	t.fit.start()
	if !t.fit.solve() {
		t.warn("the ratings did not settle to full precision")
	}
	t.fit.spread()
	t.bounds()
	return t
}

// split rates each group of players who scored against each other apart from the others:
// the virtual draws would draw their ratings together, and bounds with them.
func (t *Ratings) split(anchors map[string]float64) {
	t.groups = make([]*Ratings, len(t.Players))
	for i, scored := range t.fit.scored {
		var results []Meeting
		in := func(j int) bool { return scored[j] && t.fit.scored[j][i] }
		for _, e := range t.fit.edges {
			if in(e.a) && in(e.b) {
				results = append(results, Meeting{t.Players[e.a].Name, t.Players[e.b].Name, e.counts})
			}
		}
		if len(results) == 0 || t.groups[i] != nil {
			continue
		}
		group := Fit(results, anchors)
		for _, text := range group.Caveats {
			t.warn("%s", text)
		}
		for j := range t.Players {
			if in(j) {
				t.groups[j] = group
			}
		}
	}
}

// together returns the joint rating of the group that players i and j are in, and their
// places in it. It is nil if there is no group but that of all players.
func (t *Ratings) together(i, j int) (group *Ratings, a, b int) {
	if t.groups == nil || t.groups[i] == nil || t.groups[i] != t.groups[j] {
		return nil, 0, 0
	}
	a, foundA := t.groups[i].Find(t.Players[i].Name)
	b, foundB := t.groups[i].Find(t.Players[j].Name)
	if !foundA || !foundB { // an anchor who met none of the group
		return nil, 0, 0
	}
	return t.groups[i], a, b
}

// player returns the place of a player.
func (t *Ratings) player(name string, anchors map[string]float64) int {
	i, ok := t.Find(name)
	if !ok {
		i = len(t.Players)
		t.Players = append(t.Players, Rating{Name: name})
		elo, anchored := anchors[name]
		t.fit.rating, t.fit.anchored = append(t.fit.rating, elo), append(t.fit.anchored, anchored)
	}
	return i
}

func (t *Ratings) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(t.Caveats, text) {
		t.Caveats = append(t.Caveats, text)
	}
}

// bounds fills in the ratings and their errors.
func (t *Ratings) bounds() {
	var flat, open []string
	f := &t.fit
	for i := range t.Players {
		p, u := &t.Players[i], units{}
		for _, e := range f.edges {
			if e.a == i || e.b == i {
				u = u.add(e.units)
			}
		}
		elo, score := f.rating[i], p.Points/float64(p.Games)
		if math.Abs(elo) < 1e-9 { // less than the fit can tell
			elo = 0
		}
		lo, hi := wilson(score, u.effective())
		p.Elo, p.Score, p.BoundLo, p.BoundHi = finite(elo), finite(score), finite(lo), finite(hi)
		if t.direct != nil {
			p.ScoreError = t.direct.ScoreError
		} else if e := f.points(i); e > 0 && u.n > 0 {
			p.ScoreError = finite(e / float64(p.Games))
		}
		group, at, _ := t.together(i, f.reference[0])
		switch d, ok := f.difference(i, f.reference...); {
		case f.anchored[i]:
		case u.n == 0:
			open = append(open, p.Name)
		case group != nil && d.below && d.above:
			mean := elo - d.elo
			if slices.Contains(f.anchored, true) {
				mean = 0 // the group has the anchors
			}
			alone := &group.Players[at]
			p.EloLo, p.EloHi = around(elo, scaled(alone.EloLo, 1, mean), scaled(alone.EloHi, 1, mean))
		case t.direct != nil:
			share, base := 0.5, 0.0 // each has half of the difference
			if f.anchored[1-i] {
				share, base = 1, f.rating[1-i]
			}
			_, lo, hi, _ := t.Difference(i, 1-i)
			p.EloLo, p.EloHi = scaled(lo, share, base), scaled(hi, share, base)
		case ok:
			if d.flat {
				flat = append(flat, p.Name)
			}
			p.EloLo, p.EloHi = d.bounds(elo)
		}
	}
	if u := f.edges[0].units; t.direct != nil && !t.fit.prior && u.n > 0 && u.squares == 0 {
		t.Caveats = append(t.Caveats, flatText(*t.direct.Score))
	}
	if len(open) > 0 {
		t.warn("%s: no pair is finished, so no error is known", list(open))
	}
	if len(flat) > 0 {
		t.warn("%s: all results are equal, the bounds assume the largest spread that such results can have", list(flat))
	}
	if slices.Contains(f.anchored, true) {
		t.warn("ratings are relative to anchored players, who have no error of their own")
	}
}

// around returns bounds that have elo within them.
func around(elo float64, lo, hi *float64) (least, most *float64) {
	if lo != nil {
		lo = finite(min(*lo, elo))
	}
	if hi != nil {
		hi = finite(max(*hi, elo))
	}
	return lo, hi
}

// scaled is base + share*x, nil for nil.
func scaled(x *float64, share, base float64) *float64 {
	if x == nil {
		return nil
	}
	return finite(base + *x*share)
}

// LOS returns the probability that player i is stronger than player j, by their
// places in Players. It is undefined for a player against itself, and if nothing is
// known about the difference.
func (t *Ratings) LOS(i, j int) (los float64, ok bool) {
	switch {
	case i == j, t.direct != nil && t.direct.LOS == nil:
		return 0, false
	case t.direct != nil && i == 0:
		return *t.direct.LOS, true
	case t.direct != nil:
		return 1 - *t.direct.LOS, true
	}
	if group, a, b := t.together(i, j); group != nil {
		return group.LOS(a, b)
	}
	d, ok := t.fit.difference(i, j)
	if d.above && !d.below { // as the other one has it
		los, ok = t.LOS(j, i)
		return 1 - los, ok
	}
	return student(d.elo/d.error, d.freedom), ok && d.below
}

// Difference returns the Elo of player i above player j, with its 95 % bounds. It
// is undefined for a player against itself.
func (t *Ratings) Difference(i, j int) (elo float64, lo, hi *float64, ok bool) {
	if i == j {
		return 0, nil, nil, false
	}
	d, ok := t.fit.difference(i, j)
	group, a, b := t.together(i, j)
	switch {
	case group != nil:
		_, lo, hi, _ = group.Difference(a, b)
		lo, hi = around(d.elo, lo, hi)
	case t.direct != nil && i == 0:
		lo, hi = t.direct.EloBounds()
	case t.direct != nil, d.above && !d.below: // as the other one has it
		_, lo, hi, _ = t.Difference(j, i)
		lo, hi = scaled(hi, -1, 0), scaled(lo, -1, 0)
	default:
		lo, hi = d.bounds(d.elo)
	}
	return d.elo, lo, hi, ok
}

// Find returns the place of a player in Players.
func (t *Ratings) Find(name string) (int, bool) {
	i := slices.IndexFunc(t.Players, func(p Rating) bool { return p.Name == name })
	return i, i >= 0
}

// Equal reports whether both have the same players and ratings.
func (t *Ratings) Equal(o *Ratings) bool { return reflect.DeepEqual(t, o) }

// Ranking returns the places in Players from the strongest to the weakest. Ties are in
// order of name.
func (t *Ratings) Ranking() []int {
	order := make([]int, len(t.Players))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := t.Players[i], t.Players[j]
		// Equal results can differ in the last digit.
		if d := *b.Elo - *a.Elo; math.Abs(d) > 1e-9 {
			return cmp.Compare(d, 0)
		}
		return strings.Compare(a.Name, b.Name)
	})
	return order
}

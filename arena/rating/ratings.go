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
	Prior   bool     // virtual draws were added; Elo 0 is then a fixed player
	Caveats []string

	place  map[string]int // in Players
	units  []units        // by place
	joint  joint
	direct *Estimate // if there are two players: of the first one's games
}

// Fit rates all players jointly by the Bradley-Terry model, in which a draw is
// half a win: Σ_j s_ij = Σ_j n_ij E_ij for every player i. Anchors have fixed ratings;
// without them the mean is 0. If there are no finite ratings, every player gets two
// virtual draws against a fixed player, whose rating is 0 or the mean of the anchors,
// and caveats say why.
//
// Bounds are marginal: they are for the player's distance to the mean, the
// anchors or the fixed player, and include the errors of the other players. Fit
// returns an error for impossible results, but not for unusual ones.
func Fit(results []Meeting, anchors map[string]float64) (*Ratings, error) {
	t := &Ratings{place: map[string]int{}, Caveats: []string{}}
	for name, elo := range anchors {
		if math.IsNaN(elo) || math.Abs(elo) > 1e5 {
			return nil, fmt.Errorf("anchor %s: %v is not a rating", name, elo)
		}
	}
	var pairings [][2]int
	sums := map[[2]int]Counts{}
	for _, r := range results {
		if err := r.Check(); err != nil {
			return nil, fmt.Errorf("%s - %s: %w", r.A, r.B, err)
		}
		if r.A == r.B {
			return nil, fmt.Errorf("%q plays against itself", r.A)
		}
		if r.Games.Games() == 0 {
			t.warn("%s and %s have no games", r.A, r.B)
			continue
		}
		key, counts := [2]int{t.player(r.A, r.Games), t.player(r.B, r.Games.Flip())}, r.Counts
		if key[0] > key[1] {
			key[0], key[1], counts = key[1], key[0], counts.Flip()
		}
		if _, ok := sums[key]; !ok {
			pairings = append(pairings, key)
		}
		sums[key] = sums[key].Add(counts)
	}
	t.units = make([]units, len(t.Players))
	f := &fit{}
	for _, key := range pairings {
		c := sums[key]
		e := edge{key[0], key[1], float64(c.Games.Games()), c.Games.Points(), unitsOf(c.Pairs, c.Singles)}
		f.edges = append(f.edges, e)
		for _, place := range key {
			t.units[place] = t.units[place].add(e.units)
		}
	}
	if len(pairings) == 1 {
		s := sums[pairings[0]].Estimate()
		t.direct = &s
	}
	if len(pairings) > 0 {
		t.fit(f, anchors)
	}
	return t, nil
}

// player adds games to a player and returns its place.
func (t *Ratings) player(name string, c WDL) int {
	i, ok := t.place[name]
	if !ok {
		i = len(t.Players)
		t.place[name] = i
		t.Players = append(t.Players, Rating{Name: name})
	}
	t.Players[i].Games += c.Games()
	t.Players[i].Points += c.Points()
	return i
}

func (t *Ratings) warn(format string, args ...any) {
	t.Caveats = append(t.Caveats, fmt.Sprintf(format, args...))
}

// fit rates the players.
func (t *Ratings) fit(f *fit, anchors map[string]float64) {
	for _, p := range t.Players {
		elo, is := anchors[p.Name]
		f.anchored, f.rating = append(f.anchored, is), append(f.rating, elo)
	}
	if why := f.connect(t.Players); why != "" {
		f.prior, t.Prior, t.Caveats = true, true, append(t.Caveats, why)
	}
	f.start()
	if !f.solve() {
		t.warn("the ratings did not settle to full precision")
	}
	t.joint = f.joint()
	t.bounds(f)
}

// bounds fills in the ratings and their errors.
func (t *Ratings) bounds(f *fit) {
	var flat, open []string
	for i := range t.Players {
		p, u := &t.Players[i], t.units[i]
		elo, score := f.rating[i], p.Points/float64(p.Games)
		if math.Abs(elo) < 1e-9 { // less than the fit can tell
			elo = 0
		}
		lo, hi := wilson(score, u.effective())
		p.Elo, p.Score, p.BoundLo, p.BoundHi = finite(elo), finite(score), finite(lo), finite(hi)
		if t.direct != nil {
			p.ScoreError = t.direct.ScoreError
		} else if e := t.joint.points(i); e > 0 && u.n > 0 {
			p.ScoreError = finite(e / float64(p.Games))
		}
		switch d, ok := t.joint.difference(i, -1); {
		case f.anchored[i]:
		case u.n == 0:
			open = append(open, p.Name)
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
			p.EloLo, p.EloHi = d.bounds()
		}
	}
	if e := f.edges[0]; t.direct != nil && !t.Prior && e.units.n > 0 && e.units.squares == 0 {
		t.Caveats = append(t.Caveats, e.units.flat(*t.direct.Score))
	}
	if len(open) > 0 {
		t.warn("%s: no pair is finished, no error follows", list(open))
	}
	if len(flat) > 0 {
		t.warn("%s: all results are equal, the bounds assume the largest spread that such results can have", list(flat))
	}
	if slices.Contains(f.anchored, true) {
		t.warn("ratings are relative to anchored players, who have no error of their own")
	}
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
	d, ok := t.joint.difference(i, j)
	return student(d.elo/d.error, d.freedom), ok
}

// Difference returns the Elo of player i above player j, with its 95 % bounds. It
// is undefined for a player against itself.
func (t *Ratings) Difference(i, j int) (elo float64, lo, hi *float64, ok bool) {
	if i == j {
		return 0, nil, nil, false
	}
	d, ok := t.joint.difference(i, j)
	if lo, hi = d.bounds(); t.direct != nil {
		lo, hi = t.direct.EloBounds()
		if i == 1 {
			lo, hi = scaled(hi, -1, 0), scaled(lo, -1, 0)
		}
	}
	return d.elo, lo, hi, ok
}

// Find returns the place of a player in Players.
func (t *Ratings) Find(name string) (int, bool) {
	i, ok := t.place[name]
	return i, ok
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

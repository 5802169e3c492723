package rating

import (
	"fmt"
	"math"
	"slices"
)

// perElo is the change of the log odds per Elo point.
const perElo = math.Ln10 / 400

// priorGames is the number of virtual draws of each player against a fixed one.
const priorGames = 2

// Fit rates all players jointly by the Bradley-Terry model, in which a draw is
// half a win: Σ_j s_ij = Σ_j n_ij E_ij for every player i. If there are no finite
// ratings, or with Options.Prior, every player gets two virtual draws against a
// fixed player, whose rating is 0 or the mean of the anchors, and caveats say
// why.
//
// Bounds are marginal: they are for the player's distance to the mean, the
// anchors or the fixed player, and include the errors of the other players. Fit
// returns an error for impossible results, but not for unusual ones.
func Fit(results []Meeting, opts Options) (*Ratings, error) {
	t := &Ratings{place: map[string]int{}, Caveats: []Caveat{}}
	var pairings [][2]int
	sums := map[[2]int]Counts{}
	for _, r := range results {
		if err := r.check(); err != nil {
			return nil, err
		}
		key, counts := [2]int{t.player(r.A), t.player(r.B)}, r.Counts
		t.Players[key[0]].count(r.Games)
		t.Players[key[1]].count(r.Games.Flip())
		if r.Games.Games() == 0 {
			continue
		}
		if key[0] > key[1] {
			key[0], key[1], counts = key[1], key[0], counts.Flip()
		}
		if _, ok := sums[key]; !ok {
			pairings = append(pairings, key)
		}
		sums[key] = sums[key].Add(counts)
	}
	edges := make([]edge, len(pairings))
	t.units = make([]units, len(t.Players))
	for i, key := range pairings {
		c := sums[key]
		edges[i] = edge{key[0], key[1], float64(c.Games.Games()), c.Games.Points(), unitsOf(c.Pairs, c.Singles)}
		for _, place := range key {
			t.units[place] = t.units[place].add(edges[i].units)
		}
	}
	for name, elo := range opts.Anchors {
		if math.IsNaN(elo) || math.Abs(elo) > 1e5 {
			return nil, fmt.Errorf("anchor %s: %v is not a rating", name, elo)
		}
	}
	t.scores()
	if len(pairings) == 1 && !opts.Prior {
		s := sums[pairings[0]].Estimate()
		t.direct = &s
	}
	t.fit(edges, opts)
	return t, nil
}

func (t *Ratings) player(name string) int {
	i, ok := t.place[name]
	if !ok {
		i = len(t.Players)
		t.place[name] = i
		t.Players = append(t.Players, Rating{Name: name})
	}
	return i
}

func (p *Rating) count(c WDL) {
	p.Games += c.Games()
	p.Points += c.Points()
}

// scores fills in the values that need no model.
func (t *Ratings) scores() {
	for i := range t.Players {
		p := &t.Players[i]
		if p.Games == 0 {
			t.warn(NoGames, "%s has no games: no rating", p.Name)
			continue
		}
		score := p.Points / float64(p.Games)
		p.Score = finite(score)
		lo, hi := wilson(score, t.units[i].effective())
		p.BoundLo, p.BoundHi = finite(lo), finite(hi)
	}
}

func (t *Ratings) warn(kind CaveatKind, format string, args ...any) {
	t.Caveats = append(t.Caveats, caveatf(kind, format, args...))
}

// fit rates the players that have games.
func (t *Ratings) fit(edges []edge, opts Options) {
	t.rated = make([]int, len(t.Players))
	var names []string
	var anchored []bool
	var ratings []float64
	for i, p := range t.Players {
		t.rated[i] = -1
		if p.Games > 0 {
			t.rated[i] = len(names)
			elo, is := opts.Anchors[p.Name]
			names = append(names, p.Name)
			anchored = append(anchored, is)
			ratings = append(ratings, elo)
		}
	}
	if len(names) == 0 {
		return
	}
	for k := range edges {
		edges[k].a, edges[k].b = t.rated[edges[k].a], t.rated[edges[k].b]
	}
	f := &fit{edges: edges, anchored: anchored, rating: ratings}
	if parts := classes(len(names), edges, anchored); len(parts) > 1 {
		f.prior = true
		t.Caveats = append(t.Caveats, unconnected(islands(len(names), edges, anchored), parts, edges, len(names), names)...)
	} else if opts.Prior {
		f.prior = true
		t.warn(Prior, "with a prior as asked: two virtual draws a player against a fixed player; that player, not the mean, is 0 (with anchors: their mean)")
	}
	t.Prior = f.prior
	f.start()
	if !f.solve() {
		t.warn(Unsettled, "the ratings did not settle to full precision")
	}
	t.joint = f.joint()
	t.bounds(f)
}

// apart returns the bounds of a player whose only opponent is the other one. Without an
// anchor each has half of the difference.
func (t *Ratings) apart(f *fit, k int) (lo, hi *float64) {
	share, base := 0.5, 0.0
	if f.anchored[1-k] {
		share, base = 1, f.rating[1-k]
	}
	lo, hi = t.between(k, share)
	for _, x := range []*float64{lo, hi} {
		if x != nil {
			*x += base
		}
	}
	return lo, hi
}

// bounds fills in the ratings and their errors.
func (t *Ratings) bounds(f *fit) {
	names := make([]string, len(t.Players))
	var flat, open []int
	for i := range t.Players {
		p, k := &t.Players[i], t.rated[i]
		names[i] = p.Name
		if k < 0 {
			continue
		}
		elo := f.rating[k]
		if math.Abs(elo) < 1e-9 { // less than the fit can tell
			elo = 0
		}
		p.Elo = finite(elo)
		if t.direct != nil {
			p.ScoreError = t.direct.ScoreError
		} else if e := t.joint.points(k); e > 0 && t.units[i].n > 0 {
			p.ScoreError = finite(e / float64(p.Games))
		}
		if f.anchored[k] {
			continue
		}
		if t.units[i].n == 0 {
			open = append(open, i)
			continue
		}
		if t.direct != nil {
			p.EloLo, p.EloHi = t.apart(f, k)
			continue
		}
		d, ok := t.joint.difference(k, -1)
		if !ok {
			continue
		}
		if d.flat {
			flat = append(flat, i)
		}
		p.EloLo, p.EloHi = d.bounds()
	}
	if t.direct != nil && !t.Prior {
		for _, w := range t.direct.Caveats {
			if w.Kind == NoSpread {
				t.Caveats = append(t.Caveats, w)
			}
		}
	}
	if len(open) > 0 {
		t.warn(NoUnits, "%s: no pair is finished, no error follows", list(open, names))
	}
	if len(flat) > 0 {
		t.warn(NoSpread, "%s: all results are equal, the bounds assume the largest spread that such results can have", list(flat, names))
	}
	if slices.Contains(f.anchored, true) {
		t.warn(Anchored, "ratings are relative to anchored players, who have no error of their own")
	}
}

package rating

import (
	"fmt"
	"math"
	"slices"
)

// perElo is the slope of the log odds in Elo.
const perElo = math.Ln10 / 400

// priorGames are the virtual draws of a player against the fixed player.
const priorGames = 2

// Fit rates all players jointly: Bradley-Terry, Σ_j s_ij = Σ_j n_ij E_ij for
// every player i, draws counting half. Where no finite ratings exist, or by
// Options.Prior, every player gets two virtual draws against a fixed player
// (rated 0, or the mean of the anchors), and warnings say why.
//
// Bounds are marginal: of the player's distance to the mean (or the anchors,
// or the fixed player), with the other players' errors in it. An error means
// results that cannot be, never odd ones.
func Fit(results []Result, opts Options) (*Table, error) {
	t := &Table{place: map[string]int{}, Warnings: []Warning{}}
	var edges []edge
	index := map[[2]int]int{}
	for _, r := range results {
		if err := r.check(); err != nil {
			return nil, err
		}
		e := edge{
			a: t.player(r.A), b: t.player(r.B), n: float64(r.Games.Games()),
			points: r.Games.Points(), variance: r.clustered(),
		}
		t.Players[e.a].count(r.Games)
		t.Players[e.b].count(r.Games.Flip())
		if e.n == 0 {
			continue
		}
		if e.a > e.b {
			e = e.flipped()
		}
		// The variance is taken about the mean of all rows of the pairing:
		// rows that differ add what their means differ.
		if k, ok := index[[2]int{e.a, e.b}]; ok {
			edges[k] = join(edges[k], e)
			continue
		}
		index[[2]int{e.a, e.b}] = len(edges)
		edges = append(edges, e)
	}
	for name, elo := range opts.Anchors {
		if math.IsNaN(elo) || math.Abs(elo) > 1e5 {
			return nil, fmt.Errorf("anchor %s: %v is no rating", name, elo)
		}
	}
	t.scores(edges)
	t.fit(edges, opts)
	return t, nil
}

// join adds up two rows of a pairing.
func join(e, f edge) edge {
	between := e.points/e.n - f.points/f.n
	e.variance += f.variance + e.n*f.n/(e.n+f.n)*between*between
	e.points += f.points
	e.n += f.n
	return e
}

func (t *Table) player(name string) int {
	i, ok := t.place[name]
	if !ok {
		i = len(t.Players)
		t.place[name] = i
		t.Players = append(t.Players, Player{Name: name})
	}
	return i
}

func (p *Player) count(c WDL) {
	p.Games += c.Games()
	p.Points += c.Points()
}

// scores fills what needs no model.
func (t *Table) scores(edges []edge) {
	variance := make([]float64, len(t.Players))
	for _, e := range edges {
		variance[e.a] += e.variance
		variance[e.b] += e.variance
	}
	for i := range t.Players {
		p := &t.Players[i]
		if p.Games == 0 {
			t.Warnings = append(t.Warnings, Warning(p.Name+" has no games: no rating"))
			continue
		}
		n := float64(p.Games)
		p.Score = finite(p.Points / n)
		lo, hi := wilson(p.Points/n, n)
		p.BoundLo, p.BoundHi = finite(lo), finite(hi)
		if variance[i] > 0 {
			p.ScoreError = finite(z95 * math.Sqrt(variance[i]) / n)
		}
	}
}

// fit rates the players that have games.
func (t *Table) fit(edges []edge, opts Options) {
	t.rated = make([]int, len(t.Players))
	var names []string
	var anchored []bool
	for i, p := range t.Players {
		t.rated[i] = -1
		if p.Games > 0 {
			t.rated[i] = len(names)
			elo, is := opts.Anchors[p.Name]
			names = append(names, p.Name)
			anchored = append(anchored, is)
			t.rating = append(t.rating, elo)
		}
	}
	if len(names) == 0 {
		return
	}
	for k := range edges {
		edges[k].a, edges[k].b = t.rated[edges[k].a], t.rated[edges[k].b]
	}
	f := &fit{edges: edges, anchored: anchored, rating: t.rating}
	if parts := classes(len(names), edges, anchored); len(parts) > 1 {
		f.prior = true
		t.Warnings = append(t.Warnings, unconnected(islands(len(names), edges, anchored), parts, edges, len(names), names)...)
	} else if opts.Prior {
		f.prior = true
		t.Warnings = append(t.Warnings, "with a prior as asked: two virtual draws a player against a fixed player; that player, not the mean, is 0 (with anchors: their mean)")
	}
	t.Prior = f.prior
	f.start()
	if !f.solve() {
		t.Warnings = append(t.Warnings, "the ratings did not settle to full precision")
	}
	fisher, sandwich := f.covariances()
	t.cov = sandwich
	if f.prior {
		t.cov = fisher
	}
	t.bounds(f, fisher, sandwich)
}

// bounds writes ratings and errors into the players.
func (t *Table) bounds(f *fit, fisher, sandwich matrix) {
	var flat []int
	for i := range t.Players {
		k := t.rated[i]
		if k < 0 {
			continue
		}
		p := &t.Players[i]
		p.Elo = finite(f.rating[k])
		if f.anchored[k] {
			continue
		}
		p.Fisher = finite(z95 * math.Sqrt(max(0, fisher.at(k, k))))
		p.Sandwich = finite(z95 * math.Sqrt(max(0, sandwich.at(k, k))))
		err := z95 * math.Sqrt(max(0, t.cov.at(k, k)))
		if !(err > 1e-9) {
			flat = append(flat, i)
			continue
		}
		p.EloLo, p.EloHi = finite(f.rating[k]-err), finite(f.rating[k]+err)
	}
	if len(flat) > 0 {
		names := make([]string, len(t.Players))
		for i, p := range t.Players {
			names[i] = p.Name
		}
		t.Warnings = append(t.Warnings, Warning(list(flat, names)+": all results are equal, the standard error is 0 and no Elo bound follows"))
	}
	if slices.Contains(f.anchored, true) {
		t.Warnings = append(t.Warnings, "ratings are relative to anchored players, who have no error of their own")
	}
}

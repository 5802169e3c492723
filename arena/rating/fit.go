package rating

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// perElo is the change of the log odds per Elo point.
const perElo = math.Ln10 / 400

// priorGames is the number of virtual draws of each player against a fixed one.
const priorGames = 2

// edge is all games of one pairing. a and b are places of players, a < b.
type edge struct {
	a, b   int
	n      float64 // games
	points float64 // of a, in all games
	units  units
}

// fit is a Bradley-Terry problem that is being solved.
type fit struct {
	edges    []edge
	anchored []bool
	prior    bool
	rating   []float64 // Elo; fixed where anchored
	zero     float64   // rating of the prior's fixed player: the mean of the anchors
}

// start sets all ratings that are not anchored to the mean of the anchors.
func (f *fit) start() {
	sum, n := 0.0, 0.0
	for i, is := range f.anchored {
		if is {
			sum += f.rating[i]
			n++
		}
	}
	f.zero = sum / max(n, 1)
	for i, is := range f.anchored {
		if !is {
			f.rating[i] = f.zero
		}
	}
}

// connect returns why the ratings are not finite, "" if they are: then each player scored
// against each other, directly or through others (Ford 1957). Anchored players are
// connected to each other.
func (f *fit) connect(players []Rating) string {
	links, last := slices.Clone(f.edges), -1
	for i, is := range f.anchored {
		if is && last >= 0 {
			links = append(links, edge{a: last, b: i, n: 2, points: 1})
		}
		if is {
			last = i
		}
	}
	wins := func(e edge) (there, back bool) { return e.points > 0, e.points < e.n }
	losses := func(e edge) (there, back bool) { return e.points < e.n, e.points > 0 }
	meets := func(edge) (there, back bool) { return true, true }
	if f.reaches(links, wins) && f.reaches(links, losses) {
		return ""
	}
	var won, lost, why []string
	for _, p := range players {
		switch p.Points {
		case float64(p.Games):
			won = append(won, p.Name)
		case 0:
			lost = append(lost, p.Name)
		}
	}
	if len(won) > 0 {
		why = append(why, list(won)+" won every game")
	}
	if len(lost) > 0 {
		why = append(why, list(lost)+" lost every game")
	}
	switch {
	case !f.reaches(links, meets):
		why = append(why, "no games connect all players")
	case why == nil:
		why = append(why, "some players never scored against the others")
	}
	zero := "0"
	if slices.Contains(f.anchored, true) {
		zero = "the mean of the anchors"
	}
	return fmt.Sprintf("%s: no finite ratings follow, so each player was given two draws against one rated %s", strings.Join(why, ", "), zero)
}

// reaches reports whether all players are reached from the first one. along says in which
// directions a pairing leads.
func (f *fit) reaches(links []edge, along func(edge) (there, back bool)) bool {
	seen := make([]bool, len(f.rating))
	seen[0] = true
	for more := true; more; {
		more = false
		for _, e := range links {
			there, back := along(e)
			if seen[e.a] != seen[e.b] && (there && seen[e.a] || back && seen[e.b]) {
				seen[e.a], seen[e.b], more = true, true, true
			}
		}
	}
	return !slices.Contains(seen, false)
}

// list names at most a few players.
func list(names []string) string {
	if most := 4; len(names) > most+1 {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(", … (%d players)", len(names))
	}
	return strings.Join(names, ", ")
}

// slopes returns the gradient of the log likelihood, in units of perElo, and the
// information: the Laplacian of n_ij E_ij (1-E_ij), made regular. Rows of fixed players are
// those of the unit matrix. Where nothing is fixed, a constant is added everywhere: the mean
// then stays as it is.
func (f *fit) slopes() (gradient []float64, information matrix) {
	gradient, information = make([]float64, len(f.rating)), square(len(f.rating))
	for _, e := range f.edges {
		expected := Expected(f.rating[e.a] - f.rating[e.b])
		gradient[e.a] += e.points - e.n*expected
		gradient[e.b] -= e.points - e.n*expected
		information.laplace(e.a, e.b, e.n*expected*(1-expected))
	}
	if constant := information[0][0]; !f.prior && !slices.Contains(f.anchored, true) {
		for _, row := range information {
			for j := range row {
				row[j] += constant
			}
		}
	}
	for i, r := range f.rating {
		if expected := Expected(r - f.zero); f.prior {
			gradient[i] += priorGames * (0.5 - expected)
			information[i][i] += priorGames * expected * (1 - expected)
		}
		if f.anchored[i] {
			gradient[i] = 0
			for j := range information {
				information[i][j], information[j][i] = 0, 0
			}
			information[i][i] = 1
		}
	}
	return gradient, information
}

// solve maximizes the likelihood, which is concave, by damped Newton steps. It
// reports whether they converged. Along a step in which no difference changes by more
// than d, curvature changes by no more than a factor of e^d: ln(1+d)/d of the step never
// overshoots (Sun and Tran-Dinh 2019).
func (f *fit) solve() (settled bool) {
	for range 500 {
		step, information := f.slopes()
		l, ok := information.cholesky()
		if !ok {
			return false
		}
		l.solve(step)
		low, high := min(0, slices.Min(step)), max(0, slices.Max(step))
		damp := 1.0
		if d := high - low; d > 0 {
			damp = math.Log1p(d) / d
		}
		for i, g := range step {
			f.rating[i] += damp * g / perElo
		}
		if max(high, -low)/perElo < 1e-11*(1+max(slices.Max(f.rating), -slices.Min(f.rating))) {
			return true
		}
	}
	return false
}

package plot

import (
	"fmt"
	"math"

	"thera/arena"
	"thera/arena/report"
)

// ratings draws each engine's Elo with its error bar, best first.
func ratings(sum *arena.Summary) (string, error) {
	var rows []row
	for _, e := range sum.Figures.Engines {
		rows = append(rows, eloRow(&e.Score, e.Name, fmt.Sprintf("%d games", e.Games)))
	}
	return elos("Elo with 95 % bounds", rows)
}

// History draws the Elo of the versions of a group in their order, those with
// biased figures in another colour.
func History(g *report.Group) (string, error) {
	var rows []row
	for _, v := range g.Versions {
		r := eloRow(&v.Score, v.Name, fmt.Sprintf("%d games %s", v.Games, v.Subject))
		if v.Biased {
			r.colour = colourOf(1)
			r.about += " (biased: of tests that stopped when it was ahead or behind)"
		}
		rows = append(rows, r)
	}
	return elos("Elo of versions with 95 % bounds, "+report.HistoryTitle(g), rows)
}

func eloRow(s *arena.Score, name, remark string) row {
	return row{label: name, about: name + ": " + remark, x: s.Elo, lo: s.EloLo, hi: s.EloHi, colour: colourOf(0)}
}

// elos draws rows of ratings. The axis shows all estimates, and bounds up to half as far
// again: one wide error bar must not squash all others.
func elos(title string, rows []row) (string, error) {
	reach := func(of func(r *row) []*float64) (lo, hi float64) {
		lo, hi = math.Inf(1), math.Inf(-1)
		for i := range rows {
			for _, v := range of(&rows[i]) {
				if v != nil {
					lo, hi = min(lo, *v), max(hi, *v)
				}
			}
		}
		return lo, hi
	}
	lo, hi := reach(func(r *row) []*float64 { return []*float64{r.x, r.lo, r.hi} })
	if lo > hi {
		return "", ErrNothing
	}
	if least, most := reach(func(r *row) []*float64 { return []*float64{r.x} }); least <= most {
		beyond := max((most-least)/2, 100)
		lo, hi = max(lo, least-beyond), min(hi, most+beyond)
	}
	if near := 2 * (hi - lo); lo < near && hi > -near { // else anchors are far from 0
		lo, hi = min(lo, 0), max(hi, 0)
	}
	return drawRows(title, rows, func(s *sheet) {
		pad := max((hi-lo)*.06, 5)
		s.x0, s.x1 = lo-pad, hi+pad
		s.gridX(ticks(s.x0, s.x1, 5), plain)
	})
}

// llr draws the log-likelihood ratio over the pairs, between its bounds.
func llr(sum *arena.Summary) (string, error) {
	t, c := sum.Test, &sum.Course
	if t == nil || len(c.LLR) == 0 {
		return "", ErrNothing
	}
	xs, ys := []float64{0}, []float64{0}
	lo, hi := t.Lower, t.Upper
	for _, p := range c.LLR {
		xs, ys = append(xs, float64(p.Pairs)), append(ys, p.LLR)
		lo, hi = min(lo, p.LLR), max(hi, p.LLR)
	}
	pad := (hi - lo) * .08
	s := newChart(fmt.Sprintf("LLR over pairs, elo0 %g, elo1 %g", t.Elo0, t.Elo1), "pairs", xs[len(xs)-1], lo-pad, hi+pad, plain)
	for _, bound := range []struct {
		at     float64
		colour string
		text   string
	}{{t.Upper, colourOf(2), "H1 accepted above %.2f"}, {t.Lower, colourOf(1), "H0 accepted below %.2f"}} {
		s.Line(s.left, s.y(bound.at), s.right, s.y(bound.at),
			"stroke", bound.colour, "stroke-width", "2", "stroke-dasharray", "6 4")
		s.text(s.left+6, s.y(bound.at)-5, fmt.Sprintf(bound.text, bound.at)) // where the curve is at 0
	}
	s.curve(xs, ys, colourOf(0))
	return s.String(), nil
}

// newChart begins a plot over a number of games or pairs.
func newChart(title, unit string, last, lo, hi float64, label func(float64) string) *sheet {
	s := newSheet(title, usualWidth, 220, 52, 40)
	s.x1, s.y0, s.y1 = max(last, 1), lo, hi
	s.gridX(counts(s.x0, s.x1, 6), whole)
	s.gridY(ticks(s.y0, s.y1, 5), label)
	s.text((s.left+s.right)/2, s.height-6, unit, "text-anchor", "middle")
	return s
}

// scores draws the first engine's score over the games of a run of two, with its error.
func scores(sum *arena.Summary) (string, error) {
	samples := sum.Course.Scores
	if len(samples) < 2 {
		return "", ErrNothing
	}
	var xs, ys, lo, hi []float64
	wide := .1
	for i, at := range samples {
		xs, ys, lo, hi = append(xs, float64(at.Games)), append(ys, at.Score), append(lo, at.Lo), append(hi, at.Hi)
		if 10*i >= len(samples) { // the first games are wild
			wide = max(wide, 1.1*math.Abs(at.Hi-.5), 1.1*math.Abs(at.Lo-.5))
		}
	}
	name, _ := shorten(sum.Run.Plan.Engines[0].Name)
	title := fmt.Sprintf("Score of %s over the games, with 95 %% bounds", name)
	wide = min(.5, wide)
	s := newChart(title, "games", xs[len(xs)-1], .5-wide, .5+wide, percent)
	s.Line(s.left, s.y(.5), s.right, s.y(.5), "stroke", ink, "stroke-opacity", ".6")
	for k := range xs { // the first games stay on the paper
		ys[k], lo[k], hi[k] = s.within(ys[k]), s.within(lo[k]), s.within(hi[k])
	}
	s.band(xs, lo, hi, colourOf(0))
	s.curve(xs, ys, colourOf(0))
	return s.String(), nil
}

// within keeps a value between the ends of the vertical axis.
func (s *sheet) within(v float64) float64 { return min(max(v, s.y0), s.y1) }

// The two ends of the scale of scores: below and above 50 %, which has no colour.
const (
	lowColour  = "#3f8fd2"
	highColour = "#e5851b"
	strongest  = .68 // opacity, so that text can be read on light and dark paper
)

// shade returns the colour of a score and its opacity. The scale diverges from
// 50 %, and what is unsure is pale: the opacity is multiplied by the certainty
// (value-suppressing uncertainty palettes, Correll, Moritz and Heer 2018).
func shade(score, certainty float64) (colour string, opacity float64) {
	colour = highColour
	if score < .5 {
		colour = lowColour
	}
	return colour, strongest * math.Sqrt(min(1, 2*math.Abs(score-.5))) * certainty
}

// certainty is how sure a score is, from 0 to 1: how much of the scale its 95 %
// bounds exclude.
func certainty(lo, hi *float64) float64 {
	if lo == nil || hi == nil {
		return 0
	}
	c := 1 - (*hi - *lo)
	return min(1, max(0, c*c*1.15))
}

const heatCell = 34.0

// heatMap draws the matrix of roles: the score of the row against the column.
// Each cell has its score; bounds and games are in its tooltip.
func heatMap(sum *arena.Summary) (string, error) {
	if len(sum.Figures.Matrix) == 0 {
		return "", fmt.Errorf("%w: a heat map needs games between two roles", ErrNothing)
	}
	var labels []string
	at := map[string]int{}
	for i, role := range sum.Figures.Roles {
		labels = append(labels, role.Name)
		at[role.Name] = i
	}
	margin := labelWidth(labels)
	side := heatCell * float64(len(sum.Figures.Roles))
	width := max(margin+side+24, 420)
	run, _ := shorten(sum.Run.Name)
	s := newSheet(fmt.Sprintf("%s: row against column, %%", run), width, margin+side+80, margin, 92)
	x0, y0 := margin, s.top+margin
	for i, role := range sum.Figures.Roles {
		place := heatCell * (float64(i) + .5)
		s.label(x0-6, y0+place+4, role.Name, "text-anchor", "end")
		s.Group("transform", fmt.Sprintf("rotate(-90 %g %g)", x0+place+4, y0-6))
		s.label(x0+place+4, y0-6, role.Name)
		s.End()
	}
	for _, c := range sum.Figures.Matrix {
		if c.Score == nil {
			continue
		}
		x, y := x0+heatCell*float64(at[c.Col]), y0+heatCell*float64(at[c.Row])
		sure := certainty(c.Lo, c.Hi)
		s.Group("class", "cell", "data-row", report.Printable(c.Row), "data-col", report.Printable(c.Col))
		s.Title(cellTitle(&c))
		s.cell(x, y, heatCell, heatCell, *c.Score, sure)
		s.text(x+heatCell/2, y+heatCell/2+4, fmt.Sprintf("%.0f", 100**c.Score),
			"text-anchor", "middle", "fill-opacity", fmt.Sprintf("%.2f", .55+.45*sure))
		s.End()
	}
	s.Rect(x0, y0, side, side, "fill", "none", "stroke", ink, "stroke-opacity", ".5")
	s.scale(8, y0+side+22)
	return s.String(), nil
}

func (s *sheet) cell(x, y, width, height, score, sure float64) {
	colour, opacity := shade(score, sure)
	s.Rect(x, y, width, height, "fill", colour, "fill-opacity", fmt.Sprintf("%.3f", opacity),
		"stroke", ink, "stroke-opacity", ".15")
}

func cellTitle(c *arena.MatrixCell) string {
	return fmt.Sprintf("%s against %s: %s (95 %%: %s) in %d games", report.Printable(c.Row), report.Printable(c.Col),
		report.Percent(c.Score), report.Bounds(c.Lo, c.Hi), c.Games)
}

// scale explains the colours: the score to the right, certainty upwards.
func (s *sheet) scale(x, y float64) {
	const step, high, steps = 18.0, 12.0, 11
	for row, sure := range []float64{1, .5, .2} {
		for i := range steps {
			s.cell(x+step*float64(i), y+high*float64(row), step, high, float64(i)/(steps-1), sure)
		}
		if word := [...]string{"many games: sure", "", "few games: unsure"}[row]; word != "" {
			s.text(x+step*steps+8, y+high*float64(row)+10, word, "font-size", "10")
		}
	}
	for i, word := range []string{"0", "50", "100 %"} {
		s.text(x+step/2+step*float64(i)*(steps-1)/2, y+50, word, "text-anchor", "middle", "font-size", "11")
	}
}

package plot

import (
	"fmt"
	"math"

	"thera/arena"
	"thera/arena/report"
)

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
	s := newSheet(fmt.Sprintf("%s: row against column, %%", clip(sum.Run.Name, 30)), width, margin+side+80, margin, 92)
	x0, y0 := margin, s.top+margin
	for i, role := range sum.Figures.Roles {
		place := heatCell * (float64(i) + .5)
		s.text(x0-6, y0+place+4, clip(role.Name, 24), "text-anchor", "end")
		s.Group("transform", fmt.Sprintf("rotate(-90 %g %g)", x0+place+4, y0-6))
		s.text(x0+place+4, y0-6, clip(role.Name, 24))
		s.End()
	}
	for i := range sum.Figures.Matrix {
		c := &sum.Figures.Matrix[i]
		if c.Score == nil {
			continue
		}
		x, y := x0+heatCell*float64(at[c.Col]), y0+heatCell*float64(at[c.Row])
		sure := certainty(c.Lo, c.Hi)
		s.Group("class", "cell", "data-row", report.Printable(c.Row), "data-col", report.Printable(c.Col))
		s.Title(cellTitle(c))
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

package plot

import (
	"fmt"

	"thera/arena/report"
)

// Tuning draws the path of each option over the steps, with the values that were
// tried as a band.
func Tuning(t *report.Tuning) (string, error) {
	if t.Iterations == 0 {
		return "", ErrNothing
	}
	const panel = 200.0
	s := newSheet(fmt.Sprintf("Options over %d steps, with the values that were tried", t.Iterations), 640, panel*float64(len(t.Options))+40, 64, 0)
	for i, o := range t.Options {
		s.top, s.bottom = 34+panel*float64(i)+26, 34+panel*float64(i+1)-24
		xs, lo, hi := make([]float64, len(o.Path)), make([]float64, len(o.Path)), make([]float64, len(o.Path))
		s.y0, s.y1 = o.Path[0], o.Path[0]
		for k, x := range o.Path {
			spread := o.Spread[min(k, len(o.Spread)-1)]
			xs[k], lo[k], hi[k] = float64(k), x-spread, x+spread
			s.y0, s.y1 = min(s.y0, lo[k]), max(s.y1, hi[k])
		}
		s.x0, s.x1 = span(0, float64(t.Iterations))
		s.y0, s.y1 = span(s.y0, s.y1)
		s.text(s.left, s.top-8, clip(o.Name, 40), "font-weight", "bold")
		s.gridX(ticks(s.x0, s.x1, 6), whole)
		s.gridY(ticks(s.y0, s.y1, 4), plain)
		s.band(xs, lo, hi, colourOf(0))
		s.curve(xs, o.Path, colourOf(0))
	}
	return s.String(), nil
}

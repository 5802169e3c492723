// Package plot draws the figures of a run: ratings with their error bars, the
// log-likelihood ratio of a test, scores over the games, and
// scores of roles. Files, pages and reports show the same pictures.
//
// It computes no statistics: all figures are those of an arena.Summary. It refuses to draw
// certainty that is not there: what is unsure has an error bar, a band or a pale colour.
package plot

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"thera/arena"
	"thera/arena/report"
	"thera/engine/game"
	"thera/engine/svg"
)

// ErrNothing is the error of a plot for which a run has no figures.
var ErrNothing = errors.New("nothing to draw")

type kind struct {
	name, title string
	draw        func(*arena.Summary) (string, error)
}

// kinds lists the plots of a run by name, in the order of the page.
var kinds = []kind{
	{"ratings", "Ratings", ratings},
	{"llr", "Log-likelihood ratio", llr},
	{"score", "Score over the games", scores},
	{"roles", "Roles", heatMap},
}

// Names returns the names of all plots.
func Names() []string { return arena.Map(kinds, func(k kind) string { return k.name }) }

// Named is a drawn plot.
type Named struct{ Name, Title, SVG string }

// All draws the plots for which the run has figures, but for those named.
func All(sum *arena.Summary, without ...string) []Named {
	var all []Named
	for _, k := range kinds {
		if slices.Contains(without, k.name) {
			continue
		}
		if text, err := k.draw(sum); err == nil {
			all = append(all, Named{k.name, k.title, text})
		}
	}
	return all
}

// Draw draws the plot of that name.
func Draw(sum *arena.Summary, name string) (string, error) {
	for _, k := range kinds {
		if k.name == name {
			text, err := k.draw(sum)
			if err != nil {
				return "", fmt.Errorf("run %s: plot %s: %w", sum.Run.Name, name, err)
			}
			return text, nil
		}
	}
	return "", game.Unknown("plot", name, Names())
}

// Usual is the plot that a file gets without a name: the roles if there are any.
func Usual(sum *arena.Summary) string {
	if len(sum.Figures.Matrix) > 0 {
		return "roles"
	}
	return "ratings"
}

// Colours of lines and marks, which can be seen on light and on dark paper
// (Wong's palette for colour-blind readers, without yellow). Text has the colour
// of the page.
var palette = []string{"#0c7bb8", "#d55e00", "#009e73", "#c1609a", "#8a6fd1", "#7f7f7f", "#b07d00", "#3aa6dd"}

func colourOf(i int) string { return palette[i%len(palette)] }

const (
	ink   = "currentColor"
	faint = ".18"
)

// sheet is a plot with its axes.
type sheet struct {
	*svg.Canvas
	width, height            float64
	left, top, right, bottom float64
	x0, x1, y0, y1           float64 // what the axes show
}

// usualWidth is that of most plots: on a phone their text is still large enough to be read.
const usualWidth = 420.0

// newSheet begins a plot of that height below its title, with room for the labels.
func newSheet(title string, width, height, left, bottom float64, attributes ...string) *sheet {
	lines := strings.Split(report.Wrap(report.Printable(title), int(width/8), 0), "\n")
	top := 18 + 17*float64(len(lines))
	height += top
	s := &sheet{
		Canvas: svg.New(report.Printable(title), width, height, append(attributes, "font-size", "12", "class", "plot")...),
		width:  width, height: height, left: left, top: top, right: width - 16, bottom: height - bottom,
	}
	s.Rect(0, 0, width, height, "fill", "#ffffff", "class", "paper")
	for i, line := range lines {
		s.text(8, 18+17*float64(i), line, "font-size", "13", "font-weight", "bold")
	}
	return s
}

// text writes text of any origin.
func (s *sheet) text(x, y float64, text string, attributes ...string) {
	s.Text(x, y, report.Printable(text), append([]string{"fill", ink}, attributes...)...)
}

func (s *sheet) x(v float64) float64 { return s.left + (v-s.x0)/(s.x1-s.x0)*(s.right-s.left) }
func (s *sheet) y(v float64) float64 { return s.bottom - (v-s.y0)/(s.y1-s.y0)*(s.bottom-s.top) }

// ticks returns round values between lo and hi, about n of them.
func ticks(lo, hi float64, n int) []float64 {
	raw := (hi - lo) / float64(n)
	unit := math.Pow(10, math.Floor(math.Log10(raw)))
	step := unit
	for _, k := range []float64{2, 5, 10} {
		if step < raw {
			step = unit * k
		}
	}
	var out []float64
	for v := math.Ceil(lo/step) * step; v <= hi+step/1e6 && len(out) < 50; v += step {
		out = append(out, math.Round(v/step)*step)
	}
	return out
}

// counts returns those ticks that are whole numbers.
func counts(lo, hi float64, n int) []float64 {
	return slices.DeleteFunc(ticks(lo, hi, n), func(v float64) bool { return v != math.Trunc(v) })
}

// gridX draws ticks of the horizontal axis.
func (s *sheet) gridX(values []float64, label func(float64) string) {
	for _, v := range values {
		s.Line(s.x(v), s.top, s.x(v), s.bottom, "stroke", ink, "stroke-opacity", faint)
		anchor, x, text := "middle", s.x(v), label(v)
		if x+3.6*float64(len(text)) > s.width { // it would be cut off
			anchor, x = "end", s.width-2
		}
		s.text(x, s.bottom+16, text, "text-anchor", anchor)
	}
}

// gridY draws ticks of the vertical axis.
func (s *sheet) gridY(values []float64, label func(float64) string) {
	for _, v := range values {
		s.Line(s.left, s.y(v), s.right, s.y(v), "stroke", ink, "stroke-opacity", faint)
		s.text(s.left-6, s.y(v)+4, label(v), "text-anchor", "end")
	}
}

// curve draws a line through points.
func (s *sheet) curve(xs, ys []float64, colour string) {
	if len(xs) == 0 {
		return
	}
	path := svg.NewPath().Move(s.x(xs[0]), s.y(ys[0]))
	for i := 1; i < len(xs); i++ {
		path.Line(s.x(xs[i]), s.y(ys[i]))
	}
	s.Path(path, "fill", "none", "stroke", colour, "stroke-width", "2", "stroke-linejoin", "round")
	last := len(xs) - 1
	s.Circle(s.x(xs[last]), s.y(ys[last]), 3, "fill", colour)
}

// band fills what is between two curves.
func (s *sheet) band(xs, lo, hi []float64, colour string) {
	if len(xs) < 2 {
		return
	}
	path := svg.NewPath().Move(s.x(xs[0]), s.y(lo[0]))
	for i := range xs {
		path.Line(s.x(xs[i]), s.y(hi[i]))
	}
	for i := len(xs) - 1; i >= 0; i-- {
		path.Line(s.x(xs[i]), s.y(lo[i]))
	}
	s.Path(path.Close(), "fill", colour, "fill-opacity", ".2")
}

// row is a value with its error bar.
type row struct {
	label, about string // at its left, and in its tooltip
	x, lo, hi    *float64
	colour       string
}

// drawRows draws rows below each other, the first one on top. axis sets the horizontal axis.
func drawRows(title string, rows []row, axis func(*sheet)) (string, error) {
	if len(rows) == 0 {
		return "", ErrNothing
	}
	const height = 22.0
	left := labelWidth(arena.Map(rows, func(r row) string { return r.label }))
	s := newSheet(title, max(usualWidth, left+240), height*float64(len(rows))+30, left, 30)
	axis(s)
	for i, r := range rows {
		y := s.top + height*(float64(i)+.5)
		s.label(s.left-8, y+4, r.label, "text-anchor", "end")
		s.Group()
		s.Title(report.Printable(r.about))
		if r.x == nil && r.lo == nil && r.hi == nil {
			s.text(s.left+8, y+4, "no rating", "fill-opacity", ".7")
		}
		s.whisker(r.x, r.lo, r.hi, y, r.colour)
		s.End()
	}
	return s.String(), nil
}

// whisker draws a value with its error bar along a row. An end that is open or beyond the
// axis goes to the edge and has no stroke across.
func (s *sheet) whisker(x, lo, hi *float64, y float64, colour string) {
	from, to := s.left, s.right
	if lo != nil && *lo >= s.x0 {
		from = s.x(*lo)
		s.Line(from, y-5, from, y+5, "stroke", colour, "stroke-width", "2")
	}
	if hi != nil && *hi <= s.x1 {
		to = s.x(*hi)
		s.Line(to, y-5, to, y+5, "stroke", colour, "stroke-width", "2")
	}
	if lo != nil || hi != nil {
		s.Line(from, y, to, y, "stroke", colour, "stroke-width", "2")
	}
	if x != nil {
		s.Circle(s.x(*x), y, 4.5, "fill", colour)
	}
}

// longestLabel is the largest width of a name.
const longestLabel = 175.0

// shorten returns a name as it is shown, without what is beyond longestLabel, and about how wide it is.
func shorten(name string) (short string, wide float64) {
	name = report.Printable(name)
	short = name
	for columns := report.TextWidth(name); ; columns-- {
		letters := 0.0
		for _, r := range short {
			switch {
			case strings.ContainsRune("MWmw@%", r):
				letters += 11.5
			case unicode.IsUpper(r):
				letters += 8.5
			default:
				letters += 6.2 * float64(report.TextWidth(string(r)))
			}
		}
		if wide = max(letters, 7.2*float64(report.TextWidth(short))); wide <= longestLabel {
			return short, wide
		}
		short = report.Squeeze(name, columns-1)
	}
}

// label writes a name. The tooltip of one that is cut is the whole name.
func (s *sheet) label(x, y float64, name string, attributes ...string) {
	short, _ := shorten(name)
	if whole := report.Printable(name); short != whole {
		s.Group()
		defer s.End()
		s.Title(whole)
	}
	s.text(x, y, short, attributes...)
}

// labelWidth is the width that labels take.
func labelWidth(labels []string) (most float64) {
	for _, l := range labels {
		_, wide := shorten(l)
		most = max(most, wide)
	}
	return most + 16
}

func whole(v float64) string   { return fmt.Sprintf("%.0f", v) }
func percent(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }
func plain(v float64) string {
	return strings.Replace(fmt.Sprintf("%g", math.Round(v*1000)/1000), "-", "−", 1)
}

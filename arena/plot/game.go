package plot

import (
	"fmt"
	"math"
	"slices"
)

// Move is an asked move of a game, for its graphs.
type Move struct {
	Ply   int
	Seat  int      // 0 or 1
	Score *float64 // from the mover's view; nil: it gave none
	Ms    float64
}

// Game draws the graphs of one game: what both engines thought of it, from the
// first seat's view, and the time of each move. link is the address of a ply.
func Game(names [2]string, moves []Move, link func(ply int) string) []string {
	var out []string
	last := 0
	for _, m := range moves {
		last = max(last, m.Ply)
	}
	if last == 0 {
		return nil
	}
	if text := evaluations(names, moves, last, link); text != "" {
		out = append(out, text)
	}
	return append(out, moveTimes(names, moves, last, link))
}

// seatColours are those of both seats on boards and pages.
var seatColours = [2]string{"#d4503e", "#8a6fd1"}

func newGraph(title string, names [2]string, last int) *sheet {
	s := newSheet(title, usualWidth, 150, 56, 24, "role", "group") // left of it "+100M" and "600000" fit
	s.x0, s.x1 = .5, float64(last)+.5
	x := 8.0
	for i, name := range names {
		s.Rect(x, s.top-9, 10, 10, "fill", seatColours[i])
		s.label(x+14, s.top, name)
		x += labelWidth([]string{name}) + 14
	}
	s.top += 8
	s.gridX(counts(1, float64(last), 8), whole)
	return s
}

// evaluations draws scores on a scale that shows small ones and has room for large
// ones: engines have different units.
func evaluations(names [2]string, moves []Move, last int, link func(int) string) string {
	squash := func(v float64) float64 { return math.Copysign(math.Log1p(math.Abs(v)), v) }
	var sizes []float64
	for _, m := range moves {
		if m.Score != nil {
			sizes = append(sizes, math.Abs(*m.Score))
		}
	}
	if len(sizes) == 0 {
		return ""
	}
	// Proven ends have scores beyond all others: they are at the edge.
	slices.Sort(sizes)
	usual := max(1, 3*sizes[len(sizes)*3/4])
	most := squash(min(usual, max(1, sizes[len(sizes)-1])))
	s := newGraph("Evaluation, first seat's view", names, last)
	s.y0, s.y1 = -most*1.08, most*1.08
	s.Line(s.left, s.y(0), s.right, s.y(0), "stroke", ink, "stroke-opacity", ".6")
	unit := math.Pow(10, math.Floor(math.Log10(math.Expm1(most))))
	for _, v := range []float64{unit, unit / 100} {
		if v >= 1 && squash(v) > most*.25 {
			s.gridY([]float64{squash(v), -squash(v)}, func(at float64) string { return signed(math.Copysign(v, at)) })
		}
	}
	for seat := range 2 {
		var xs, ys []float64
		for _, m := range moves {
			if m.Seat == seat && m.Score != nil {
				v := squash(*m.Score)
				if seat == 1 {
					v = -v
				}
				xs, ys = append(xs, float64(m.Ply)), append(ys, s.within(v))
			}
		}
		s.curve(xs, ys, seatColours[seat])
	}
	s.plies(last, link)
	return s.String()
}

// signed writes a power of ten in at most five characters, as +10, +100k or -1M.
func signed(v float64) string {
	units := "kMGTPE"
	unit := ""
	for ; math.Abs(v) >= 1e3 && units != ""; units = units[1:] {
		v, unit = v/1e3, units[:1]
	}
	return fmt.Sprintf("%+.0f%s", v, unit)
}

func moveTimes(names [2]string, moves []Move, last int, link func(int) string) string {
	most := 0.0
	for _, m := range moves {
		most = max(most, m.Ms)
	}
	s := newGraph("Time a move, ms", names, last)
	s.y0, s.y1 = 0, max(most, 1)*1.05
	s.gridY(ticks(s.y0, s.y1, 3), plain)
	both := map[int]int{}
	for _, m := range moves {
		both[m.Ply]++
	}
	for _, m := range moves {
		width := (s.right - s.left) / float64(last) * .8
		x := s.x(float64(m.Ply)) - width/2
		if both[m.Ply] > 1 { // both seats move at once
			width /= 2
			x += width * float64(m.Seat)
		}
		y := s.y(m.Ms)
		s.Rect(x, y, max(width, .8), max(s.bottom-y, .8), "fill", seatColours[m.Seat])
	}
	s.plies(last, link)
	return s.String()
}

// plies makes each ply of a graph a link.
func (s *sheet) plies(last int, link func(int) string) {
	if link == nil {
		return
	}
	width := (s.right - s.left) / float64(last)
	for ply := 1; ply <= last; ply++ {
		s.Link(link(ply), "class", "ply", "data-ply", fmt.Sprint(ply), "tabindex", "-1", "aria-label", fmt.Sprintf("ply %d", ply))
		s.Rect(s.x(float64(ply))-width/2, s.top, width, s.bottom-s.top, "fill", ink, "fill-opacity", "0")
		s.End()
	}
}

// Package svg writes drawings as SVG: the boards of games and the plots of runs.
//
// Colours and sizes are attributes of the elements. There are no style
// attributes, no style sheets, no scripts and no identifiers, so that a drawing
// can stand in a page with a strict content security policy, several times, and
// in a separate file. The package does not know what it draws.
package svg

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Canvas is a drawing in progress. Attributes are pairs of a name and a value.
type Canvas struct {
	text strings.Builder
	open []string // groups
}

// New begins a drawing of that size in pixels. title is what it shows, for
// people who cannot see it.
func New(title string, width, height float64, attributes ...string) *Canvas {
	c := &Canvas{}
	w, h := number(width), number(height)
	all := []string{
		"xmlns", "http://www.w3.org/2000/svg", "width", w, "height", h, "viewBox", "0 0 " + w + " " + h,
		"aria-label", title, "font-family", "system-ui, sans-serif",
	}
	if !slices.Contains(attributes, "role") { // one with links is a group
		all = append(all, "role", "img")
	}
	c.begin("svg", append(all, attributes...))
	c.text.WriteString(">\n")
	return c
}

// String ends the drawing and returns it.
func (c *Canvas) String() string {
	for len(c.open) > 0 {
		c.End()
	}
	return c.text.String() + "</svg>\n"
}

// Group begins a group whose attributes hold for what follows, up to End.
func (c *Canvas) Group(attributes ...string) {
	c.begin("g", attributes)
	c.text.WriteString(">")
	c.open = append(c.open, "g")
}

// Link begins a group that leads to an address when it is clicked, up to End.
func (c *Canvas) Link(address string, attributes ...string) {
	c.begin("a", append([]string{"href", address}, attributes...))
	c.text.WriteString(">")
	c.open = append(c.open, "a")
}

// End ends the last group.
func (c *Canvas) End() {
	last := len(c.open) - 1
	c.text.WriteString("</" + c.open[last] + ">\n")
	c.open = c.open[:last]
}

// Title explains the group that was just begun, for a pointer that rests on it.
func (c *Canvas) Title(text string) {
	c.text.WriteString("<title>" + escape(text) + "</title>")
}

// Rect draws a rectangle with its corner at x, y.
func (c *Canvas) Rect(x, y, width, height float64, attributes ...string) {
	c.element("rect", append([]string{"x", number(x), "y", number(y), "width", number(width), "height", number(height)}, attributes...))
}

// Circle draws a circle around x, y.
func (c *Canvas) Circle(x, y, radius float64, attributes ...string) {
	c.element("circle", append([]string{"cx", number(x), "cy", number(y), "r", number(radius)}, attributes...))
}

// Line draws a line from x1, y1 to x2, y2.
func (c *Canvas) Line(x1, y1, x2, y2 float64, attributes ...string) {
	c.element("line", append([]string{"x1", number(x1), "y1", number(y1), "x2", number(x2), "y2", number(y2)}, attributes...))
}

// Path draws a path.
func (c *Canvas) Path(path *Path, attributes ...string) {
	c.element("path", append([]string{"d", path.text.String()}, attributes...))
}

// Text writes one line of text at x, y, which is on the line's base.
func (c *Canvas) Text(x, y float64, text string, attributes ...string) {
	c.begin("text", append([]string{"x", number(x), "y", number(y)}, attributes...))
	c.text.WriteString(">" + escape(text) + "</text>\n")
}

// Arrow draws an arrow that ends at x2, y2.
func (c *Canvas) Arrow(x1, y1, x2, y2, size float64, colour string, attributes ...string) {
	length := math.Hypot(x2-x1, y2-y1)
	if length == 0 {
		return
	}
	dx, dy := (x2-x1)/length*size, (y2-y1)/length*size
	c.Group(append([]string{"stroke", colour, "fill", colour}, attributes...)...)
	c.Line(x1, y1, x2-dx, y2-dy, "stroke-width", number(size/3), "stroke-linecap", "round")
	head := NewPath().Move(x2, y2).Line(x2-dx*1.4-dy*.8, y2-dy*1.4+dx*.8).Line(x2-dx*1.4+dy*.8, y2-dy*1.4-dx*.8).Close()
	c.Path(head, "stroke", "none")
	c.End()
}

func (c *Canvas) element(name string, attributes []string) {
	c.begin(name, attributes)
	c.text.WriteString("/>\n")
}

func (c *Canvas) begin(name string, attributes []string) {
	c.text.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		c.text.WriteString(" " + attributes[i] + `="` + escape(attributes[i+1]) + `"`)
	}
}

// Path is the outline of a shape.
type Path struct{ text strings.Builder }

// NewPath returns an empty path.
func NewPath() *Path { return &Path{} }

// Move goes to a point without drawing.
func (p *Path) Move(x, y float64) *Path { return p.to('M', x, y) }

// Line draws a line to a point.
func (p *Path) Line(x, y float64) *Path { return p.to('L', x, y) }

// Close draws a line to where the shape began.
func (p *Path) Close() *Path {
	p.text.WriteByte('Z')
	return p
}

func (p *Path) to(command byte, x, y float64) *Path {
	p.text.WriteByte(command)
	p.text.WriteString(number(x) + " " + number(y))
	return p
}

// number writes x with at most two decimals. What is not finite is 0: a drawing
// never holds NaN.
func number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "0"
	}
	return strconv.FormatFloat(math.Round(x*100)/100+0, 'f', -1, 64)
}

// escape writes text of any origin as text of an SVG: markup is escaped, and what
// has no shape is a replacement character.
func escape(text string) string {
	return escapes.Replace(strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text))
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

package svg

import (
	"math"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// A drawing of hostile text is well-formed, has no element that the text made,
// and no style or script.
func TestDrawingsAreSafe(t *testing.T) {
	evil := `</text><script>alert(1)</script>" onload="alert(2)' & ` + "\x00\x1b[31m\u202e"
	c := New(evil, math.NaN(), math.Inf(1))
	c.Group("fill", evil)
	c.Title(evil)
	c.Link(evil)
	c.Text(1, 2, evil)
	c.Path(NewPath().Move(1, 2).Line(3.14159, -0.001).Close())
	c.Arrow(0, 0, 3, 4, 5, "#000")
	c.Arrow(1, 1, 1, 1, 5, "#000")
	text := c.String()
	elements := map[string]int{}
	for _, element := range gametest.SVG(t, "hostile", text) {
		elements[element.Name.Local]++
	}
	if elements["svg"] != 1 || elements["text"] != 1 || elements["g"] != 2 || elements["a"] != 1 || elements["line"] != 1 {
		t.Errorf("elements %v", elements)
	}
	if strings.ContainsAny(text, "\x00\x1b\u202e") {
		t.Errorf("invisible characters in\n%s", text)
	}
	if !strings.Contains(text, `d="M1 2L3.14 0Z"`) {
		t.Errorf("path in\n%s", text)
	}
}

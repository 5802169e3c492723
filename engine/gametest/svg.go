package gametest

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// SVG returns the elements of a drawing. The test fails where the drawing is not
// well-formed, or has a script, a style, an attribute that runs a script, or a
// value that is not a number.
func SVG(t *testing.T, name, text string) []xml.StartElement {
	t.Helper()
	var elements []xml.StartElement
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements
		}
		if err != nil {
			t.Fatalf("%s: %v in\n%s", name, err, text)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		elements = append(elements, start.Copy())
		if start.Name.Local == "script" || start.Name.Local == "style" {
			t.Errorf("%s: element %s", name, start.Name.Local)
		}
		for _, a := range start.Attr {
			if a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
				t.Errorf("%s: %s=%q", name, a.Name.Local, a.Value)
			}
		}
	}
}

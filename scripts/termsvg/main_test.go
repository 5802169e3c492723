package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// What was overwritten is not shown, columns stay where they are, and the picture
// is XML.
func TestDraw(t *testing.T) {
	var s screen
	err := s.write("$ thera\r\nold line\r\n\x1b[1A\x1b[Jnew  <line>\r\n\x1b[32m█\x1b[0m done\r\n\r\n" + strings.Repeat("x", columns+1))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := s.draw(&b); err != nil {
		t.Fatal(err)
	}
	svg := b.String()
	for _, want := range []string{
		`<text x="14.0" y="26" fill="#cdd6f4" textLength="54.6" lengthAdjust="spacingAndGlyphs">$ thera</text>`,
		`<text x="53.0" y="43" fill="#cdd6f4" textLength="46.8" lengthAdjust="spacingAndGlyphs">&lt;line&gt;</text>`,
		`fill="#a6e3a1" textLength="7.8" lengthAdjust="spacingAndGlyphs">█</text>`,
		`y="111" fill="#cdd6f4" textLength="7.8" lengthAdjust="spacingAndGlyphs">x</text>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	if strings.Contains(svg, "old") {
		t.Error("what was overwritten is shown")
	}
	for dec := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := new(screen).write("\x1b[5;5H"); err == nil {
		t.Error("an unknown sequence is drawn")
	}
}

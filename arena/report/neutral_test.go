package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"thera/engine/gametest"
)

// hostile is text that an engine prints to move the cursor, to hide what
// follows, to write a formula or to bring in markup.
const hostile = "=cmd|' /C calc'!A0 \x1b[2J\u202egnp.exe\u2028\u009b31m\u200b\xff\x00<img src=x onerror=alert(1)> [x](http://evil) `a` |b| www.evil @you &lt; \r\n\t_"

func TestNeutralText(t *testing.T) {
	for name, text := range map[string]string{"terminal": Printable(hostile), "Markdown": markdown(hostile), "CSV": cellText(hostile)} {
		if at := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) }); at >= 0 {
			t.Errorf("%s: %q at %d", name, text, at)
		}
		if !strings.Contains(text, "x1b") || !strings.Contains(text, "u202e") || !strings.Contains(text, "xff") {
			t.Errorf("%s: %q does not say what was there", name, text)
		}
	}
	for _, left := range []string{"<", " [x", "x](", " `a", " |", "://", "www.", "@"} {
		if text := markdown(hostile); strings.Contains(text, left) {
			t.Errorf("Markdown: %q has %q", text, left)
		}
	}
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "+cmd": "'+cmd", "-cmd": "'-cmd", "@sum": "'@sum", "\t=1": " =1", "-12.5": "-12.5", "+3e4": "+3e4", "a=b": "a=b", "": "",
	} {
		if got := cellText(text); got != want {
			t.Errorf("CSV: %q is %q, want %q", text, got, want)
		}
	}
	if text := Lines("a\x1b\r\nb\n"); text != "a\\x1b\nb\n" {
		t.Errorf("lines: %q", text)
	}
	const plain = "depth-1 (½ ± 12 %) müßig 棋"
	if Printable(plain) != plain || markdown(plain) != plain || cellText(plain) != plain {
		t.Error("plain text was changed")
	}
}

// JSON has nothing invisible either, and loses nothing.
func TestNeutralJSON(t *testing.T) {
	in := strings.ToValidUTF8(hostile, "?") + "\U000e0041\u009b"
	var b bytes.Buffer
	gametest.OK(t, NewJSON(&b).Encode(in))
	text := strings.TrimSuffix(b.String(), "\n")
	if at := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) }); at >= 0 {
		t.Errorf("%q at %d", text, at)
	}
	var out string
	if err := json.Unmarshal([]byte(text), &out); err != nil || out != in {
		t.Errorf("%q, %v", out, err)
	}
}

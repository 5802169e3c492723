package foreign

import (
	"strings"
	"testing"
)

const flat = "0000000000000000000000000"

func TestTextIsKept(t *testing.T) {
	for _, tt := range []struct{ text, canonical, indices string }{
		{flat + "/1/mortal:11,13/mortal:7,17", flat + "/1/mortal:B3,D3/mortal:C4,C2", flat + "/1/mortal:11,13/mortal:7,17"},
		{flat + "/2/newgod[x/y:#,7|B2]:D3,B3/mortal:C2,7", flat + "/2/newgod[x/y:#,7|B2]:B3,D3/mortal:C4,C2", flat + "/2/newgod[x/y:#,7|B2]:11,13/mortal:7,17"},
		{flat + "/1/newgod#:13,11/mortal:7,17", flat + "/1/#newgod:B3,D3/mortal:C4,C2", flat + "/1/newgod#:11,13/mortal:7,17"},
		{flat + "/1/newgod:#B3,D3/mortal:C4,C2", flat + "/1/#newgod:B3,D3/mortal:C4,C2", flat + "/1/newgod#:11,13/mortal:7,17"},
		{flat + "/2/mortal:B3,D3/newgod:D3,f@B3,A1", flat + "/2/mortal:B3,D3/newgod:D3,f@B3,A1", flat + "/2/mortal:11,13/newgod:13,f@B3,20"},
		{flat + "/1/newgod/mortal", flat + "/1/newgod/mortal", flat + "/1/newgod/mortal"},
	} {
		p, err := Parse(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if p.String() != tt.canonical || p.Indices() != tt.indices {
			t.Errorf("%s: %s and %s", tt.text, p, p.Indices())
		}
		again, err := Parse(p.Indices())
		if err != nil || again.String() != p.String() {
			t.Errorf("%s: %s reads as %v, %v", tt.text, p.Indices(), again, err)
		}
	}
}

func TestWhatIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "want 25 heights",
		flat + "/1/a:A5":                  "want 25 heights",
		flat[1:] + "/1/a:A5/b:B5":         "want 25 heights",
		"5" + flat[1:] + "/1/a:A5/b:B5":   "want 25 heights",
		flat + "/3/a:A5/b:B5":             "want 25 heights",
		flat + "/1/#a:A5/#b:B5":           "player 1 is marked already",
		flat + "/1/#a#:A5/b:B5":           "marked twice",
		flat + "/1/a[x:A5/b:B5":           "want 25 heights",
		flat + "/1/:A5/b:B5":              "want 25 heights",
		flat + "/1/a:A5/b:\x1b[31m":       "printable",
		flat + "/1/a:A5/b:B\xff":          "printable",
		flat + "/1/a:A5/" + long + ":B5":  "want 25 heights",
		flat + "/1/a:A5/b[" + long2 + "]": "at most",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
}

var long, long2 = strings.Repeat("x", 41), strings.Repeat("x", 2000)

func TestBlocked(t *testing.T) {
	p, _ := Parse("0200022000000000000000000/1/newgod[2]:A5/mortal:D1,E1")
	for text, want := range map[string]bool{
		"0200022000000000000000000/1/newgod[2]:A5/#mortal:D1,E1": true,  // v2
		"0200022000000000000000000/2/newgod[2]:0/mortal#:23,24":  true,  // v1
		"0200022000000000000000000/2/#newgod[2]:A5/mortal:D1,E1": false, // her own win
		"1200022000000000000000000/2/newgod[2]:A5/#mortal:D1,E1": false,
	} {
		if q, err := Parse(text); err != nil || p.IsBlocked(q) != want {
			t.Errorf("%s: %v, want %v (%v)", text, !want, want, err)
		}
	}
	if !p.IsBlocked(p.Blocked()) {
		t.Error("its own blocked position is not")
	}
}

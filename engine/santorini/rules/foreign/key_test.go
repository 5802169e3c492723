package foreign

import (
	"slices"
	"testing"
)

// Positions that differ only in how they are written have one key. Whatever else
// differs is kept apart.
func TestKey(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"/1/mortal:B3,D3/mortal:C4,C2", "/1/mortal:13,11/mortal:7,17", true},
		{"/1/#newgod:B3,D3/mortal:C4,C2", "/1/newgod:#11,13/mortal:7,17", true},
		{"/2/newgod[2|C3]:B3,D3/mortal:C4,C2", "/2/newgod[2|12]:11,13/mortal:7,17", true},
		{"/2/newgod[C3,A5,E1]:B3,D3/mortal:C4", "/2/newgod[A5,C3,E1]:B3,D3/mortal:C4", true},
		{"/2/newgod[x|C3,A5;B1]:B3,D3/mortal:C4", "/2/newgod[x|A5,C3;B1]:B3,D3/mortal:C4", true},
		{"/2/newgod[(B1)(C3,A5)]:B3/mortal:C4", "/2/newgod[(B1)(A5,C3)]:B3/mortal:C4", true},
		{"/2/newgod:D3,f@B3,A1/mortal:C4", "/2/newgod:A1,D3,f@B3/mortal:C4", true},
		{"/2/newgod:D3,f@B3,A1/mortal:C4", "/2/newgod:20,13,f@11/mortal:7", true},
		{"/2/newgod[to=C3]:B3/mortal:C4", "/2/newgod[to=12]:B3/mortal:C4", true},

		{"/1/mortal:B3,D3/mortal:C4,C2", "/2/mortal:B3,D3/mortal:C4,C2", false},
		{"/1/#newgod:B3,D3/mortal:C4,C2", "/1/newgod:B3,D3/#mortal:C4,C2", false},
		{"/1/#newgod:B3,D3/mortal:C4,C2", "/1/newgod:B3,D3/mortal:C4,C2", false},
		{"/1/newgod/mortal", "/1/newgod:/mortal", false},
		{"/2/newgod[1,2]:B3/mortal:C4", "/2/newgod[2,1]:B3/mortal:C4", false},           // counts
		{"/2/newgod[3,C3]:B3/mortal:C4", "/2/newgod[C3,3]:B3/mortal:C4", false},         // a count and a square
		{"/2/newgod[A5,B1;C3]:B3/mortal:C4", "/2/newgod[A5;B1,C3]:B3/mortal:C4", false}, // other lists
		{"/2/newgod[C3]:B3/mortal:C4", "/2/newgod[C31]:B3/mortal:C4", false},
		{"/2/newgod[x]:B3/mortal:C4", "/2/newgod:B3/mortal:C4", false},
		{"/2/C3[x]:B3/mortal:C4", "/2/12[x]:B3/mortal:C4", false}, // a name is a name
	} {
		a, errA := Parse(flat + tt.a)
		b, errB := Parse(flat + tt.b)
		if errA != nil || errB != nil {
			t.Errorf("%v, %v", errA, errB)
			continue
		}
		if same := a.Key() == b.Key(); same != tt.same {
			t.Errorf("%s and %s: keys %s and %s", a, b, a.Key(), b.Key())
		}
	}
}

// A key says the same of a position that is written with the squares of its key, and
// with its workers and tokens in another order.
func FuzzKey(f *testing.F) {
	for _, text := range []string{
		flat + "/2/newgod[2]:13,11/mortal#:7,17", flat + "/1/newgod[a:C3,D4|2]:@C3,flag=D4,5/mortal:7,17",
		flat + "/1/newgod[5,4,C3]{B2}:A1,B1,é=C1/mortal", flat + "/1/newgod[,]:,/mortal:25,-1,007",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			return
		}
		key := p.Key()
		for i := range p.Sides {
			s := &p.Sides[i]
			slices.Reverse(s.words)
			for j, word := range s.words {
				s.words[j] = indexed(word)
			}
			s.Head = s.Name + indexed(s.Head[len(s.Name):])
		}
		if again := p.Key(); again != key {
			t.Fatalf("%q: key %q, and %q of the same", text, key, again)
		}
	})
}

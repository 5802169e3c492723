package protocol

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseOption(t *testing.T) {
	for _, tt := range []struct {
		line string
		want ListedOption
		err  string
	}{
		{
			"option name Search Depth type spin default 3 min -1 max 10",
			ListedOption{Name: "Search Depth", Kind: Spin, Default: "3", Bounded: true, Min: -1, Max: 10},
			"",
		},
		{"option name Hash type spin default 16", ListedOption{Name: "Hash", Kind: Spin, Default: "16"}, ""},
		{
			"option name Style type combo default Solid var Solid var Very Wild",
			ListedOption{Name: "Style", Kind: Combo, Default: "Solid", Choices: []string{"Solid", "Very Wild"}},
			"",
		},
		{"option name Log File type string default a b", ListedOption{Name: "Log File", Kind: Text, Default: "a b"}, ""},
		{"option name Clear type button", ListedOption{Name: "Clear", Kind: Button}, ""},
		{"option name Bad type slider", ListedOption{}, `type "slider"`},
		{"option name Bad type spin min x max 3", ListedOption{}, `no range from "x" to "3"`},
		{"option name Bad type spin min 4 max 3", ListedOption{}, "no range"},
		{"option name Bad type combo", ListedOption{}, "without a var"},
		{"option type check", ListedOption{}, "no name"},
		{"id name x", ListedOption{}, "want"},
	} {
		got, err := ParseOption(tt.line)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q: err = %v, want %q", tt.line, err, tt.err)
			}
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%q: %v %s", tt.line, err, diff)
		}
		if back, err := ParseOption(got.String()); err != nil || !cmp.Equal(back, got) {
			t.Errorf("%q reads back as %+v, %v", got.String(), back, err)
		}
	}
}

func TestCheckOption(t *testing.T) {
	spin, combo := ListedOption{Name: "S", Kind: Spin, Bounded: true, Min: 1, Max: 9}, ListedOption{Name: "C", Kind: Combo, Choices: []string{"a", "b c"}}
	for _, tt := range []struct {
		option     ListedOption
		value, err string
	}{
		{spin, "9", ""},
		{spin, "10", `option S: "10": want a whole number from 1 to 9`},
		{spin, "x", "want a whole number from 1 to 9"},
		{ListedOption{Kind: Spin}, "-5000000000", ""},
		{ListedOption{Kind: Spin}, "x", "want a whole number"},
		{ListedOption{Kind: Check}, "true", ""},
		{ListedOption{Kind: Check}, "yes", "want true or false"},
		{combo, "b c", ""},
		{combo, "c", "want one of a, b c"},
		{ListedOption{Kind: Button}, "", ""},
		{ListedOption{Kind: Button}, "now", "takes no value"},
		{ListedOption{Kind: Text}, "any thing", ""},
		{ListedOption{}, "any thing", ""},
		{ListedOption{Kind: Text}, "a\nquit", "control character"},
	} {
		err := tt.option.Check(tt.value)
		if (tt.err == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s %q: err = %v, want %q", tt.option.Kind, tt.value, err, tt.err)
		}
	}
	if got := spin.Command("3"); got != "setoption name S value 3" {
		t.Error(got)
	}
	if got := (&ListedOption{Name: "B", Kind: Button}).Command("true"); got != "setoption name B" {
		t.Error(got)
	}
}

func TestOptionsAreFoundInAnyCase(t *testing.T) {
	var s Options
	for _, name := range []string{"Hash", "maxPly", "HASH"} {
		s.Add(ListedOption{Name: name})
	}
	for name, want := range map[string]string{"MaxPly": "maxPly", "Hash": "Hash", "hash": "Hash", "HASH": "HASH"} {
		if o := s.Find(name); o == nil || o.Name != want {
			t.Errorf("%s: found %v, want %s", name, o, want)
		}
	}
	if s.Find("depth") != nil || s.Set("depth", "1") {
		t.Error("an option that is not listed is found")
	}
	if _, set := s.Value("maxply"); set {
		t.Error("a value before any was set")
	}
	if !s.Set("MAXPLY", "5") || s.Set("maxPly", "5") || !s.Set("maxPly", "") {
		t.Error("Set does not tell news from what is known")
	}
	if text, set := s.Value("maxPly"); text != "" || !set {
		t.Errorf("value %q, %v", text, set)
	}
	if err := s.Unlisted("maxPlies"); !strings.Contains(err.Error(), `did you mean maxPly?`) {
		t.Error(err)
	}
	if err := s.Unlisted("Quux"); err.Error() != `unknown option "Quux" (known: Hash, maxPly, HASH)` {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"Hash", "maxPly", "HASH"}, s.Names()); diff != "" {
		t.Error(diff)
	}
}

func FuzzParseOption(f *testing.F) {
	f.Add("option name Style type combo default A var A var B")
	f.Add("option name type type spin default 1 min 0 max 30 name x")
	f.Fuzz(func(t *testing.T, line string) {
		o, err := ParseOption(line)
		if err != nil {
			return
		}
		if o.Name == "" || o.Kind == "" || strings.ContainsAny(o.Command("true"), "\r\n") {
			t.Fatalf("%q: option %+v", line, o)
		}
	})
}

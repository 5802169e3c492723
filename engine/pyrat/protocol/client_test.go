package protocol

import (
	"strings"
	"testing"

	"thera/engine/pyrat/rules"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
)

// greeter is an AI that introduces itself with lines and keeps what it receives.
func greeter(sent *[]string, lines ...string) gametest.Server {
	return gameServer(func(line string, say func(string)) {
		if line == "pyrat" {
			for _, l := range append(lines, "pyratready") {
				say(l)
			}
			return
		}
		*sent = append(*sent, line)
	})
}

func TestDialReadsIdentityAndOptions(t *testing.T) {
	var sent []string
	conn := gametest.Join(t, greeter(&sent, "id name Greedy Bot v2.0", "id author A Student", "hello",
		"option name Search Depth type spin default 3 min 1 max 10",
		"option name Strategy type combo default Balanced var Aggressive var Very Balanced var Defensive",
		"option name Debug type check default false", "option name File type string default <empty>",
		"option name Clear type button", "option name Bad type slider", "option name Worse type spin min x max 3",
		"protocol version 1.0 1.1 2.0"))
	s, info, err := Dialect{}.Dial(t.Context(), conn, game.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := game.Info{
		Name: "Greedy Bot v2.0", Author: "A Student", Protocol: "1.0",
		Options: []string{"Search Depth", "Strategy", "Debug", "File", "Clear"},
		Limits:  game.Limits{Time: true}, Resets: true,
	}
	if diff := cmp.Diff(want, info); diff != "" {
		t.Error(diff)
	}
	if o := s.(*session).options.Find("strategy"); !cmp.Equal(o.Choices, []string{"Aggressive", "Very Balanced", "Defensive"}) {
		t.Errorf("choices %q", o.Choices)
	}
	if o := s.(*session).options.Find("Search Depth"); o.Min != 1 || o.Max != 10 || o.Default != "3" {
		t.Errorf("spin %+v", o)
	}
	if w := conn.Warnings(); len(w) != 2 || !strings.Contains(w[0], "Bad") || !strings.Contains(w[1], "Worse") {
		t.Errorf("warnings %q", w)
	}
	if p := conn.PassedLines(); len(p) != 1 || p[0] != "hello" {
		t.Errorf("passed over %q", p)
	}
}

func TestDialWarnsOfOtherVersions(t *testing.T) {
	var sent []string
	conn := gametest.Join(t, greeter(&sent, "protocol version 2.0 3.0"))
	if _, _, err := (Dialect{}).Dial(t.Context(), conn, game.Options{}); err != nil {
		t.Fatal(err)
	}
	if w := conn.Warnings(); len(w) != 1 || !strings.Contains(w[0], "none of 2.0 3.0 is 1.x") {
		t.Errorf("warnings %q", w)
	}
}

func TestDialSetsOptions(t *testing.T) {
	lines := []string{
		"option name Depth type spin default 3 min -1 max 10", "option name Mode type combo default A var A var B C",
		"option name Debug type check default false", "option name Clear type button", "option name File type string default x",
	}
	for _, tt := range []struct{ name, value, sent, err string }{
		{"Depth", "-1", "setoption name Depth value -1", ""},
		{"Depth", "11", "", `option Depth: "11": want a whole number from -1 to 10`},
		{"Depth", "x", "", "want a whole number from -1 to 10"},
		{"Mode", "B C", "setoption name Mode value B C", ""},
		{"Mode", "D", "", "want one of A, B C"},
		{"Debug", "true", "setoption name Debug value true", ""},
		{"Debug", "yes", "", "want true or false"},
		{"Clear", "", "setoption name Clear", ""},
		{"File", "any thing", "setoption name File value any thing", ""},
		{"Other", "1", "setoption name Other value 1", ""},
		{"File", "a\nquit", "", "control character"},
	} {
		var sent []string
		conn := gametest.Join(t, greeter(&sent, lines...))
		_, _, err := Dialect{}.Dial(t.Context(), conn, game.Options{Set: []game.Option{{Name: tt.name, Value: tt.value}}})
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s=%q: %v, want %q", tt.name, tt.value, err, tt.err)
			}
			continue
		}
		_ = conn.Send([]byte("isready"))
		_, _ = conn.Recv(t.Context())
		if err != nil || len(sent) == 0 || sent[0] != tt.sent {
			t.Errorf("%s=%q: %v, received %q", tt.name, tt.value, err, sent)
		}
	}
	var sent []string
	conn := gametest.Join(t, greeter(&sent))
	_, _, err := Dialect{}.Dial(t.Context(), conn, game.Options{Protocol: map[string]string{"debug": "maybe"}})
	if err == nil || !strings.Contains(err.Error(), "debug") {
		t.Errorf("debug maybe: %v", err)
	}
}

// small is a board of 4 x 3.
const small = "maze height:3 width:4; walls (0,0)-(0,1); mud (1,0)-(2,0):3; cheese (2,0) (1,2) (3,2); player1 rat (3,2); player2 python (0,0)"

func mustParse(t testing.TB, text string) *rules.Position {
	t.Helper()
	p, err := rules.Parse(text, rules.Default())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// generated returns a maze of a preset.
func generated(t testing.TB, preset string, seed uint64) *rules.Position {
	t.Helper()
	plan, _ := rules.Preset(preset)
	p, err := plan.Generate(seed, rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

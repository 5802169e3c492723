package protocol

import (
	"strings"
	"testing"
	"time"

	"thera/engine/pyrat/rules"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/pyrat/player"
)

// greeter is an AI that introduces itself with lines and keeps what it receives.
func greeter(told *[]string, lines ...string) gametest.Server {
	return gameServer(func(line string, say func(string)) {
		if line == "pyrat" {
			for _, l := range append(lines, "pyratready") {
				say(l)
			}
			return
		}
		*told = append(*told, line)
	})
}

func TestDialReadsIdentityAndOptions(t *testing.T) {
	var told []string
	conn := gametest.Join(t, greeter(&told, "id name Greedy Bot v2.0", "id author A Student", "hello",
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
	var told []string
	conn := gametest.Join(t, greeter(&told, "protocol version 2.0 3.0"))
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
		var told []string
		conn := gametest.Join(t, greeter(&told, lines...))
		_, _, err := Dialect{}.Dial(t.Context(), conn, game.Options{Set: []game.Option{{Name: tt.name, Value: tt.value}}})
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s=%q: %v, want %q", tt.name, tt.value, err, tt.err)
			}
			continue
		}
		_ = conn.Send([]byte("isready"))
		_, _ = conn.Recv(t.Context())
		if err != nil || len(told) == 0 || told[0] != tt.sent {
			t.Errorf("%s=%q: %v, received %q", tt.name, tt.value, err, told)
		}
	}
	var told []string
	conn := gametest.Join(t, greeter(&told))
	_, _, err := Dialect{}.Dial(t.Context(), conn, game.Options{Protocol: map[string]string{"debug": "maybe"}})
	if err == nil || !strings.Contains(err.Error(), "debug") {
		t.Errorf("debug maybe: %v", err)
	}
}

func TestInfoReadsEveryKind(t *testing.T) {
	for _, tt := range []struct {
		text string
		want info
	}{
		{"nodes 12345 depth 3 currmove UP", info{nodes: 12345, depth: 3, currmove: "UP"}},
		{"score 25 pv UP RIGHT RIGHT target (5,3)", info{score: 25, scored: true, pv: "UP RIGHT RIGHT", target: "(5,3)"}},
		{"depth 4 time 150 nodes 50000", info{depth: 4, time: 150 * time.Millisecond, nodes: 50000}},
		{"string Switching to defensive strategy", info{texts: [keptTexts]string{"Switching to defensive strategy"}}},
		{"target (1, 2) string Time to reach: 3 turns (3 moves)", info{target: "(1,2)", texts: [keptTexts]string{"Time to reach: 3 turns (3 moves)"}}},
		{"currline UP UP score -1.5", info{currline: "UP UP", score: -1.5, scored: true}},
		{"nodes x depth -3 time score NaN pv", info{}},
		{"string nodes 5", info{texts: [keptTexts]string{"nodes 5"}}},
		{"", info{}},
	} {
		var got info
		got.read(strings.Fields(tt.text))
		if got != tt.want {
			t.Errorf("%q: %+v", tt.text, got)
		}
		var back info
		if back.read(strings.Fields(got.line())[1:]); tt.want.score == float64(int(tt.want.score)) && back != got {
			t.Errorf("%q reads back as %+v", got.line(), back)
		}
	}
}

// TestClientAgainstServer plays a whole game between host and built-in engine
// and watches its reports.
func TestClientAgainstServer(t *testing.T) {
	line := game.Begin(generated(t, "tiny", 3))
	var players [2]*session
	for i := range players {
		conn := gametest.Join(t, Player{})
		s, info, err := Dialect{}.Dial(t.Context(), conn, game.Options{
			MoveTime: 2 * time.Second,
			Set:      []game.Option{{Name: "Playouts", Value: "50"}, {Name: "Strategy", Value: []string{player.Search, player.Balanced}[i]}},
		})
		if err != nil || info.Name != "Thera" || len(info.Options) != 4 {
			t.Fatal(info, err)
		}
		players[i] = s.(*session)
		if err := players[i].Seat(t.Context(), game.Seat(i+1), line); err != nil {
			t.Fatal(err)
		}
	}
	reports := 0
	for line.Position.ToMove() != 0 {
		var turn game.Turn
		for i, s := range players {
			if err := s.Sync(t.Context(), line); err != nil {
				t.Fatal(err)
			}
			reply, err := gametest.Go(t.Context(), s, game.Ask{Line: line, Watch: func(game.SearchInfo) { reports++ }})
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 && line.Ply == 0 && (reply.Nodes != 50 || reply.Depth < 1 || !reply.Known || reply.PV == "") {
				t.Errorf("first reply %+v", reply)
			}
			turn[i] = reply.Move
		}
		var err error
		if line, err = line.Play(turn); err != nil {
			t.Fatal(err)
		}
	}
	outcome, _ := line.Position.Outcome()
	for _, s := range players {
		if err := s.End(t.Context(), line, outcome); err != nil {
			t.Fatal(err)
		}
	}
	if reports < line.Ply || outcome.Points[0]+outcome.Points[1] < 7 {
		t.Errorf("%d reports in %d turns, %+v", reports, line.Ply, outcome)
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

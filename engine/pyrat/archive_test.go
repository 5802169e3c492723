package pyrat

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/pyrat/rules"
)

// vector is one game of the rules' vectors.
type vector struct {
	ID          string
	Lines       []string
	MaxTurns    int `json:"max_turns"`
	Rat, Python string
}

// Every recorded game, written as .pyrat text, is read back to the same states.
func TestReplaysRoundTrip(t *testing.T) {
	gametest.Sequential(t)
	g := New()
	for _, v := range gametest.Vectors[vector](t, "rules/testdata/games.jsonl.gz") {
		history := game.Begin(mustParse(t, strings.Join(append(v.Lines, "max_turns "+strconv.Itoa(v.MaxTurns)), "; ")))
		for i := range len(v.Rat) {
			next, err := history.Play(game.Turn{v.Rat[i : i+1], v.Python[i : i+1]})
			if err != nil {
				t.Fatal(err)
			}
			history = next
		}
		text, err := g.Write("pyrat", history, game.Heading{})
		if err != nil {
			t.Fatal(err)
		}
		back, err := g.Read("pyrat", text)
		if err != nil {
			t.Fatalf("%s: %v\n%s", v.ID, err, text)
		}
		if back.Ply != history.Ply || back.Position.String() != history.Position.String() {
			t.Fatalf("%s: reads back as %s after %d turns\n%s", v.ID, back.Position, back.Ply, text)
		}
	}
}

func TestReplayGolden(t *testing.T) {
	history := game.Begin(mustParse(t, small+"; turn 2; score rat:0.5 python:0; mud_timers rat:0 python:0"))
	for _, turn := range []game.Turn{{"S", "R"}, {"L", "R"}, {"L", "U"}} {
		next, err := history.Play(turn)
		if err != nil {
			t.Fatal(err)
		}
		history = next
	}
	text, err := New().Write("pyrat", history, game.Heading{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/small.pyrat")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != string(want) {
		t.Errorf("got\n%s", text)
	}
	if back, err := New().Read("pyrat", text); err != nil || back.Position.String() != history.Position.String() {
		t.Errorf("%v, %v", back, err)
	}
}

// The heading says who played, when, and how a game ended that the moves did not
// end.
func TestReplayHeading(t *testing.T) {
	text, err := New().Write("pyrat", game.Begin(mustParse(t, small)), game.Heading{
		Event: "a \"cup\"", Round: 3, Players: [2]string{"one", "two"}, Date: time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC),
		Ended: true, Outcome: game.Outcome{Winner: game.Second, Reason: "exited: 7"},
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `[Event "a \"cup\""]
[Site "Thera"]
[Date "2026.02.03"]
[Round "3"]
[Rat "one"]
[Python "two"]
[Result "0-1"]
`
	if !strings.HasPrefix(string(text), want) {
		t.Errorf("%s", text)
	}
	if history, err := New().Read("pyrat", text); err != nil || history.Ply != 0 {
		t.Errorf("%v, %v", history, err)
	}
}

// foreign is a replay of another program: comments, times, no MaxTurns.
const foreign = `[Event "A game"]
[Rat "One"]
[Python "Two"]
[Result "*"]
[MazeHeight "3"]
[MazeWidth "4"]
[TimeControl "100+3000+1000"]

W:(0,0)-(0,1)
M:
C:(1,0) (2,2) (3,0)
R:(3,2)
P:(0,0)

! {Both players completed preprocessing}

1. U/R (50ms/60ms) {Opening moves,
over two lines}
2. L/S (45ms/55ms)
`

func TestReplaysOfOthers(t *testing.T) {
	for _, text := range []string{foreign, strings.ReplaceAll(foreign, "\n", "\r\n"), "\ufeff" + strings.TrimSuffix(foreign, "\n")} {
		history, err := New().Read("pyrat", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p := history.Position.(*rules.Position)
		if s := p.State(); history.Ply != 2 || s.Score != [2]rules.Points{2, 2} || s.Left != 1 {
			t.Errorf("%d turns, %s", history.Ply, p)
		}
	}
	samples := "../../../shared/transcripts/pyrat/"
	for name, turns := range map[string]int{"example_game.pyrat": 3, "streaming_game.pyrat": 3} {
		text, err := os.ReadFile(samples + name)
		if os.IsNotExist(err) {
			continue // other people's samples are not part of the project
		}
		if err != nil {
			t.Fatal(err)
		}
		if history, err := New().Read("pyrat", text); err != nil || history.Ply != turns {
			t.Errorf("%s: %v, %v", name, history, err)
		}
	}
}

func TestReplaysRefuse(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{`[MazeHeight "3"]`, `[MazeHeight "1"]`, "line 9: tags MazeHeight and MazeWidth: maze height 1"},
		{`[MazeWidth "4"]`, "", "maze width"},
		{`[Rat "One"]`, `[Rat One]`, "line 2: \"[Rat One]\": want [Name \"value\"]"},
		{`[Rat "One"]`, `[Event "One"]`, "tag Event is given twice"},
		{"W:(0,0)-(0,1)", "W:(0,0)-(5,1)", "line 9: wall (0,0)-(5,1): (5,1): off the board"},
		{"C:(1,0)", "C:(2,2)", "two on one cell"},
		{"P:(0,0)", "", "no player2 line"},
		{"1. U/R", "3. U/R", "line 17: \"3. U/R (50ms/60ms)\": want turn 1."},
		{"1. U/R", "1. U/X", `turn 1. illegal move "X"`},
		{"2. L/S", "2. L", "illegal move"},
		{"2. L/S", "2.", "line 19"},
		{"2. L/S", "2. L/S 45ms", "want N. X/Y (time/time)"},
		{"over two lines}", "over two lines", "a comment is not closed"},
		{"(45ms/55ms)", "(45ms/55ms)\nR:(0,0)", "R: after the first turn"},
		{"(45ms/55ms)", "(45ms/55ms) {", "a comment is not closed"},
		{"2. L/S", "2. L/R\n3. D/S\n4. S/R\n5. S/R", "illegal"},
		{"C:(1,0) (2,2) (3,0)", "C:(1,0)", "game over"},
	} {
		text := strings.Replace(foreign, tt.old, tt.new, 1)
		if history, err := New().Read("pyrat", []byte(text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q for %q: %v, %v; want %q", tt.new, tt.old, history, err, tt.want)
		}
	}
	over := strings.Replace(strings.Replace(foreign, "C:(1,0) (2,2) (3,0)", "C:(1,0) (2,2)", 1), `"*"`, `"1-0"`, 1)
	if _, err := New().Read("pyrat", []byte(over)); err == nil || !strings.Contains(err.Error(), `tag Result "1-0": the moves give 1/2-1/2`) {
		t.Errorf("a wrong result: %v", err)
	}
	if _, err := New().Read("pgn", nil); err == nil {
		t.Error("format pgn was read")
	}
}

// No text makes the reader panic, and a replay that it reads can be written and
// read again.
func FuzzReplay(f *testing.F) {
	f.Add(foreign)
	f.Add("")
	f.Add("1. U/R")
	f.Fuzz(func(t *testing.T, text string) {
		history, err := New().Read("pyrat", []byte(text))
		if err != nil {
			return
		}
		out, err := New().Write("pyrat", history, game.Heading{})
		if err != nil {
			t.Fatal(err)
		}
		if back, err := New().Read("pyrat", out); err != nil || back.Position.String() != history.Position.String() {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/engine/game"
)

// talk returns the output of the AI talker before its n-th move: many lines of
// all nine kinds of info.
func talk(n int) {
	for i := range 100 {
		fmt.Printf("info nodes %d depth %d time %d currmove DOWN\n", i, i, i)
		fmt.Println("info string", i, strings.Repeat("z", 1000))
	}
	fmt.Printf("info nodes %d depth %d time %d\n", 1000*n, n, 10*n)
	fmt.Println("info currmove UP currline UP LEFT score -2.5")
	fmt.Println("info pv UP RIGHT RIGHT target (3, 4)")
	fmt.Println("info string on my way")
}

// exportedGames returns the games of a run's export.
func exportedGames(t *testing.T, db string) (text string, games []arena.GameLine) {
	t.Helper()
	status, text, errOut := thera("", "export", "--db", db)
	if status != exitDone {
		t.Fatalf("exit %d: %s", status, errOut)
	}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if i == 0 {
			continue
		}
		var g arena.GameLine
		if err := json.Unmarshal([]byte(line), &g); err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	return text, games
}

// TestPyRatInfoIsRecorded checks that every kind of info from an AI is stored
// with its move, exported, imported and shown, and that there is none for an
// AI that sends none.
func TestPyRatInfoIsRecorded(t *testing.T) {
	t.Parallel()
	file, db := botsFile(t, "talker", "punctual", "")
	runGames(t, file, db)
	text, games := exportedGames(t, db)
	complete := 0
	for _, g := range games {
		asked := map[string]int{}
		for _, p := range g.Game.Plies {
			name := []string{g.First, g.Second}[p.Seat.Index()]
			asked[name]++
			if name == "b" {
				if p.Said != nil || p.Nodes != 0 || p.Scored {
					t.Errorf("b said nothing, the record has %+v %+v", p, p.Said)
				}
				continue
			}
			if p.Said == nil || len(p.Said.Texts) == 0 || p.Said.Texts[len(p.Said.Texts)-1] != "on my way" {
				continue // a move that came late on a busy machine
			}
			complete++
			n := p.Depth // its count of questions, over both games
			want := &game.Details{
				Time: time.Duration(10*n) * time.Millisecond, Score: -2.5, CurrMove: "UP", CurrLine: "UP LEFT", PV: "UP RIGHT RIGHT", Target: "(3,4)",
				Texts: p.Said.Texts,
			}
			if diff := cmp.Diff(want, p.Said); diff != "" || n < 1 || p.Nodes != int64(1000*n) || p.Score != -2 || !p.Scored {
				t.Errorf("move %d: %+v %s", n, p, diff)
			}
			if size := len(strings.Join(p.Said.Texts, "")); len(p.Said.Texts) != 4 || size > 1000 {
				t.Errorf("%d remarks of %d bytes kept of a flood", len(p.Said.Texts), size)
			}
		}
		if asked["a"] != g.Plies || asked["b"] != g.Plies {
			t.Errorf("%d turns, asked %v", g.Plies, asked)
		}
	}
	if complete < 8 {
		t.Errorf("%d of 16 moves have all that was said about them", complete)
	}
	jsonl, other := filepath.Join(t.TempDir(), "games.jsonl"), filepath.Join(t.TempDir(), "other.db")
	if status, _, errOut := thera("", "export", "--db", db, "-o", jsonl); status != exitDone {
		t.Fatal(errOut)
	}
	if status, _, errOut := thera("", "import", jsonl, "--db", other); status != exitDone {
		t.Fatal(errOut)
	}
	_, games2 := exportedGames(t, other)
	if diff := cmp.Diff(games, games2); diff != "" {
		t.Errorf("not as it was exported (%d bytes): %s", len(text), diff)
	}
	status, out, errOut := thera("", "replay", games[0].ID, "--db", db, "--wide")
	if want := ` ms, nodes 1000, 10 ms by its own clock, currmove UP, currline UP LEFT, pv UP RIGHT RIGHT, target (3,4), `; status != exitDone ||
		!strings.Contains(out, "\n   a: score -2.5, depth 1, ") || !strings.Contains(out, want) || !strings.Contains(out, `, "on my way"`) ||
		!strings.Contains(out, "\n   b: ") {
		t.Errorf("replay shows no such line (%s):\n%.2000s", errOut, out)
	}
}

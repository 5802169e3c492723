package report

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/history"
)

// historyOf is a group in which strong beat weak in most pairs, and middle met strong
// alone.
func historyOf(strong string) []history.Group {
	engines := []arena.EngineSpec{{Name: strong}, {Name: "weak"}, {Name: "middle"}, {Name: "idle"}}
	g := history.Group{
		Conditions: []arena.Condition{{Key: "game", Value: "nim"}, {Key: "openings.random_plies", Value: "4"}, {Key: "limit", Value: "nodes 5"}},
		Runs:       []string{"a", "b"},
		Self:       3,
		Summary: &arena.Summary{
			Run: arena.RunInfo{Name: "history", Game: "nim", Plan: arena.Settings{Limit: arena.Limit{Nodes: 5}}}, Engines: engines, Counted: 120,
			Rows: []arena.Row{
				{Pairing: [2]string{strong, "weak"}, Tally: arena.Tally{Games: [3]int{72, 0, 8}, Pairs: [5]int{0, 0, 8, 0, 32}}},
				{Pairing: [2]string{strong, "middle"}, Tally: arena.Tally{Games: [3]int{22, 0, 18}, Pairs: [5]int{3, 0, 12, 0, 5}}},
			},
		},
	}
	for i, e := range engines {
		g.Versions = append(g.Versions, history.Version{Spec: e, Names: []string{e.Name}, First: time.Unix(int64(i), 0)})
	}
	g.Versions[2].Stopped = 40
	return []history.Group{g}
}

func TestHistory(t *testing.T) {
	h, err := NewHistory(historyOf("strong"))
	if err != nil {
		t.Fatal(err)
	}
	g := &h.Groups[0]
	if g.Title() != "nim, nodes 5, openings.random_plies 4" || g.Games != 120 || len(g.Versions) != 3 {
		t.Fatalf("%s, %d games, %d versions", g.Title(), g.Games, len(g.Versions))
	}
	for i, want := range []struct {
		name, marks string
		rank        int
		opponents   int
	}{{"strong", "weak opponents", 1, 2}, {"weak", "one opponent", 3, 1}, {"middle", "biased, one opponent", 2, 1}} {
		v := &g.Versions[i]
		if v.Name != want.name || v.marks() != want.marks || v.Rank != want.rank || v.Opponents != want.opponents {
			t.Errorf("%s: %s, rank %d, %d opponents; want %+v", v.Name, v.marks(), v.Rank, v.Opponents, want)
		}
		if v.Elo == nil || v.EloLo == nil || v.OpponentElo == nil {
			t.Errorf("%s has no Elo", v.Name)
		}
	}
	// Weighted by games: 80 against weak, 40 against middle.
	if got, want := *g.Versions[0].OpponentElo, (80**g.Versions[1].Elo+40**g.Versions[2].Elo)/120; got-want > 1e-9 || want-got > 1e-9 {
		t.Errorf("the opponents of strong have %v, want %v", got, want)
	}
	var text strings.Builder
	if err := h.Write(&text, Terminal); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"120 games of 2 runs", "biased: games of sequential tests", "3 games of a version against itself: in no figure"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in %s", want, text.String())
		}
	}
	if strings.Contains(text.String(), "idle") {
		t.Errorf("a version without games is shown in %s", text.String())
	}
	if _, err := json.Marshal(h); err != nil {
		t.Error(err)
	}
}

// Names come from files of others.
func TestHistoryIsNeutral(t *testing.T) {
	h, err := NewHistory(historyOf("a\x1b[2J|b"))
	if err != nil {
		t.Fatal(err)
	}
	h.Groups[0].Versions[0].Subject = "x\x1b[31m|y"
	for _, form := range Formats() {
		var text strings.Builder
		if err := h.Write(&text, form); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text.String(), "\x1b") || form == Markdown && strings.Contains(text.String(), "m|y") {
			t.Errorf("%s: %q", form, text.String())
		}
	}
}

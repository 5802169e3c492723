package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// TestJudgePyRatVectors sends every recorded game of PyRat through `thera
// judge` and compares cells, mud, score and end.
func TestJudgePyRatVectors(t *testing.T) {
	gametest.Sequential(t)
	t.Parallel()
	type vector struct {
		ID          string
		Lines       []string
		MaxTurns    int `json:"max_turns"`
		Rat, Python string
		Turns       []struct {
			At    [2][2]int
			Mud   [2]int
			Score [2]float64
		}
		Outcome struct {
			Over   bool
			Winner string
			Reason *string
		}
	}
	vectors := gametest.Vectors[vector](t, "../../engine/pyrat/rules/testdata/games.jsonl.gz")
	in := &strings.Builder{}
	for _, v := range vectors {
		moves := make([]string, len(v.Turns))
		for i := range moves {
			moves[i] = v.Rat[i:i+1] + "/" + v.Python[i:i+1]
		}
		question, err := json.Marshal(map[string]any{
			"start": strings.Join(v.Lines, "; ") + fmt.Sprintf("; max_turns %d", v.MaxTurns), "moves": moves,
		})
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(question, '\n'))
	}
	status, out, errOut := thera(in.String(), "judge", "pyrat")
	answers := strings.Split(strings.TrimSpace(out), "\n")
	if status != exitDone || len(answers) != len(vectors) || len(vectors) != 122 {
		t.Fatalf("status %d, %d answers to %d games: %s", status, len(answers), len(vectors), errOut)
	}
	turns := 0
	for i, v := range vectors {
		var a struct {
			States  []string
			Outcome *outcomeJSON
			Illegal any
		}
		if err := json.Unmarshal([]byte(answers[i]), &a); err != nil {
			t.Fatal(err)
		}
		if a.Illegal != nil || len(a.States) != len(v.Turns)+1 || (a.Outcome != nil) != v.Outcome.Over {
			t.Fatalf("%s: %s", v.ID, answers[i])
		}
		for n, turn := range v.Turns {
			turns++
			want := fmt.Sprintf("; turn %d; score rat:%g python:%g; mud_timers rat:%d python:%d; ", n+1, turn.Score[0], turn.Score[1], turn.Mud[0], turn.Mud[1])
			players := fmt.Sprintf("; player1 rat (%d,%d); player2 python (%d,%d); ", turn.At[0][0], turn.At[0][1], turn.At[1][0], turn.At[1][1])
			if state := a.States[n+1]; !strings.Contains(state, want) || !strings.Contains(state, players) {
				t.Fatalf("%s, turn %d: %s, want %s and %s", v.ID, n+1, state, want, players)
			}
		}
		if v.Outcome.Over && (a.Outcome.Reason != *v.Outcome.Reason || []string{"draw", "rat", "python"}[a.Outcome.Winner] != v.Outcome.Winner) {
			t.Errorf("%s: %+v", v.ID, a.Outcome)
		}
	}
	if turns != 5467 {
		t.Errorf("%d turns", turns)
	}
}

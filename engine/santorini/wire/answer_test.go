package wire

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/santorini/rules"
)

const (
	openText   = "0000000000000000000000000/1/mortal:11,13/mortal:7,17"
	playedText = "1000000000000000000000000/2/mortal:5,13/mortal:7,17"
	bestChain  = `[{"type":"select_worker","value":"B3"},{"type":"move_worker","value":"A4"},{"type":"build","value":"A5"}]`
	bestMove   = `{"type":"best_move","start_state":"` + openText + `","next_state":"` + playedText + `","trigger":"stop_flag",` +
		`"meta":{"score":7,"calculated_depth":5,"elapsed_seconds":0.1,"actions":` + bestChain + `}}`
)

var answerSeeds = []string{
	`{"type":"started","features":["limits"]}`,
	`{"type":"best_move","start_state":"a","next_state":"b","trigger":"seed","meta":{"score":-20000,"calculated_depth":3,"elapsed_seconds":0.00022,"actions":[{"type":"select_worker","value":"D5"}]}}`,
	`{"type":"best_move","start_state":"a","next_state":"b","meta":{"trigger":"limit","nodes_visited":12,"score":1.5,"pv":["x"]}}`,
	`{"type":"best_move","meta":{"calculated_depth":1e3}}`,
	`{ "type" : "best_move" , "x" : [1, -0.5e+3, true, false, null, {"y":{}}, []] }`,
	`{"type":"best_move","next_state":"é"}`,
	`{"type":"best_move","Start_state":"a"}`,
	`{"type":"best_move","start_state":null}`,
	`{"type":"best_move","meta":{"score":01}}`,
	`{"type":"best_move"}x`,
	`{"type":"best_move","meta":{},"meta":{"score":3}}`,
	`pong`,
	`[]`,
}

// FuzzAnswer checks that scanBest reads what it accepts as encoding/json does.
func FuzzAnswer(f *testing.F) {
	for _, s := range answerSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		fast, ok := scanBest(line)
		slow, err := decodeAnswer(line)
		if !ok {
			return
		}
		if err != nil {
			t.Fatalf("%q is read by hand, and refused by encoding/json: %v", line, err)
		}
		if diff := cmp.Diff(plainAnswer(slow), plainAnswer(fast)); diff != "" {
			t.Fatalf("%q (-encoding/json +by hand):\n%s", line, diff)
		}
	})
}

// plainAnswer makes two answers comparable.
func plainAnswer(a Answer) map[string]any {
	return map[string]any{
		"kind": a.Kind, "start": string(a.Start), "next": string(a.Next), "trigger": string(a.Trigger),
		"actions": string(a.Actions), "pv": string(a.PV), "depth": a.Depth, "nodes": a.Nodes, "score": a.Score, "scored": a.HasScore,
		"features": len(a.Features), "message": a.Message, "command": a.Command, "states": len(a.States),
	}
}

func FuzzChain(f *testing.F) {
	for _, s := range []string{
		bestChain, `[]`, `null`, `[{"type":"no_moves"}]`, `[{"type":"build","selection":3},{"type":"build","value":"3"}]`,
		`[{"type":"move_worker","value":{"dest":"A4","meta":null}}]`,
		`[{"type":"move_worker","value":{"dest":"A4","meta":{"type":"move_enemy_worker","value":{"from":"A1","to":"B1"}}}}]`,
		`[{"value":"A4","type":"move_worker","selection":3}]`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fast, ok := scanChain(text, nil)
		slow, err := decodeChain(text)
		if !ok {
			return
		}
		if err != nil {
			t.Fatalf("%q is read by hand, and refused by encoding/json: %v", text, err)
		}
		if diff := cmp.Diff(slow, fast, cmp.AllowUnexported(step{})); diff != "" && len(slow)+len(fast) > 0 {
			t.Fatalf("%q (-encoding/json +by hand):\n%s", text, diff)
		}
	})
}

func TestReadChain(t *testing.T) {
	for text, want := range map[string][]step{
		`[{"type":"select_worker","selection":11},{"type":"build","value":"E1"}]`: {
			{kind: stepSelect, square: 11, from: rules.NoSquare, to: rules.NoSquare}, {kind: stepBuild, square: 24, from: rules.NoSquare, to: rules.NoSquare},
		},
		`[{"type":"move_worker","value":{"dest":"A4","meta":null}}]`: {
			{kind: stepMove, square: 5, from: rules.NoSquare, to: rules.NoSquare},
		},
		`[{"type":"move_worker","value":{"dest":"A4","meta":{"type":"move_enemy_worker","value":{"from":"A4","to":"A3"}}}}]`: {
			{kind: stepMove, square: 5, from: 5, to: 10},
		},
		`[{"type":"set_wind_direction","value":"NE"}]`: {{kind: "set_wind_direction", square: rules.NoSquare, from: rules.NoSquare, to: rules.NoSquare, extra: true}},
	} {
		got, err := readChain([]byte(text), nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(step{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	for _, text := range []string{`[{"type":"build","value":"F1"}]`, `[{"type":"build"}]`, `[{"type":"build","value":25}]`, `{}`} {
		if steps, err := readChain([]byte(text), nil); err == nil {
			t.Errorf("%s was read as %v", text, steps)
		}
	}
}

// TestScanAllocates checks that an ordinary best_move is read without allocation.
func TestScanAllocates(t *testing.T) {
	line := []byte(bestMove)
	var room [16]step
	if n := testing.AllocsPerRun(100, func() {
		a, ok := scanBest(line)
		if !ok || !bytes.HasPrefix(a.Actions, []byte("[{")) {
			t.Fatal("not read by hand")
		}
		if steps, ok := scanChain(a.Actions, room[:0]); !ok || len(steps) != 3 {
			t.Fatal("chain not read by hand")
		}
	}); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkAnswer(b *testing.B) {
	line := []byte(bestMove)
	b.Run("by hand", func(b *testing.B) {
		for b.Loop() {
			if _, ok := scanBest(line); !ok {
				b.Fatal("refused")
			}
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		for b.Loop() {
			if _, err := decodeAnswer(line); err != nil {
				b.Fatal(err)
			}
		}
	})
}

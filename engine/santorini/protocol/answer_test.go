package protocol

import (
	"testing"

	"github.com/google/go-cmp/cmp"
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
		"pv": string(a.PV), "depth": a.Depth, "nodes": a.Nodes, "score": a.Score, "scored": a.HasScore,
		"features": len(a.Features), "message": a.Message, "command": a.Command,
	}
}

// TestScanAllocates checks that an ordinary best_move is read without allocation.
func TestScanAllocates(t *testing.T) {
	line := []byte(bestMove)
	if n := testing.AllocsPerRun(100, func() {
		if a, ok := scanBest(line); !ok || a.Depth != 5 {
			t.Fatal("not read by hand")
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

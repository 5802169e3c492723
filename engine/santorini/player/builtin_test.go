package player

import (
	"context"
	"testing"

	"thera/engine/gametest"
	"thera/engine/santorini/rules"
)

// TestEachSwitchChangesTheSignature checks that every heuristic matters.
func TestEachSwitchChangesTheSignature(t *testing.T) {
	gametest.Sequential(t)
	ctx := context.Background()
	base, err := signature(ctx, nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := signature(ctx, nil, 4); again != base {
		t.Errorf("signature %d, then %d", base, again)
	}
	t.Logf("signature %d", base)
	for _, o := range Options() {
		if o.Min != 0 || o.Max != 1 {
			continue
		}
		other := "0"
		if o.Words != nil {
			other = o.Words[1-o.Default]
		}
		got, err := signature(ctx, map[string]string{o.Name: other}, 4)
		if err != nil || got == base {
			t.Errorf("%s %s: %d, %v", o.Name, other, got, err)
		}
		t.Logf("%s %s: %d (%+d %%)", o.Name, other, got, (got-base)*100/base)
	}
	if _, err := (Builtin{}).Signature(ctx, map[string]string{"magic": "1"}); err == nil {
		t.Error("an unknown switch is taken")
	}
}

// TestSignatures pins how the player plays with either evaluation, on every platform.
func TestSignatures(t *testing.T) {
	gametest.Sequential(t)
	for eval, want := range map[string]int64{"hand": 350612, "net": 135036} {
		if got, err := (Builtin{}).Signature(t.Context(), map[string]string{"eval": eval}); err != nil || got != want {
			t.Errorf("eval %s: signature %d, %v, want %d", eval, got, err, want)
		}
	}
}

func TestExpect(t *testing.T) {
	ctx := context.Background()
	for _, tt := range []struct {
		text      string
		low, high float64
	}{
		{benchPositions[0], 0.3, 0.7},
		{"0000000000000100002300000/1/mortal:13,17/mortal:7,8", 0, 1},
		{"0000000000002320000000000/1/mortal:12,24/mortal:0,20", 0.99, 1},
		{"0000000000002320000000000/2/mortal:0,20/mortal:12,24", 0, 0.01},
		{"0000000000000100002300000/2/mortal#:13,18/mortal:7,8", 1, 1},
	} {
		pos, err := rules.Read(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := (Builtin{}).Expect(ctx, pos, 5000); err != nil || got < tt.low || got > tt.high {
			t.Errorf("%s: expected score %v, %v", tt.text, got, err)
		}
	}
}

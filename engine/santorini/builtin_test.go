package santorini

import (
	"context"
	"testing"

	"thera/engine/gametest"
	"thera/engine/santorini/player"
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
	for _, o := range player.Options() {
		if o.Min != 0 || o.Max != 1 {
			continue
		}
		got, err := signature(ctx, map[string]string{o.Name: "0"}, 4)
		if err != nil || got == base {
			t.Errorf("without %s: %d, %v", o.Name, got, err)
		}
		t.Logf("without %s: %d (%+d %%)", o.Name, got, (got-base)*100/base)
	}
	if _, err := New().Signature(ctx, map[string]string{"magic": "1"}); err == nil {
		t.Error("an unknown switch is taken")
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
		pos, err := New().Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := New().Expect(ctx, pos, 5000); err != nil || got < tt.low || got > tt.high {
			t.Errorf("%s: expected score %v, %v", tt.text, got, err)
		}
	}
}

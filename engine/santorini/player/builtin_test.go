package player

import (
	"context"
	"strconv"
	"testing"

	"thera/engine/gametest"
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
		other := strconv.Itoa(1 - o.Default)
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

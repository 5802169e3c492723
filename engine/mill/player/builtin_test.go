package player

import (
	"context"
	"errors"
	"strings"
	"testing"

	"thera/engine/gametest"
	"thera/engine/mill/rules"
)

func TestSignature(t *testing.T) {
	gametest.Sequential(t)
	sign := func(switches map[string]string) int64 {
		t.Helper()
		n, err := (Builtin{}).Signature(context.Background(), switches)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	want := sign(nil)
	if again := sign(map[string]string{"killers": "1", "Hash": "16"}); again != want {
		t.Errorf("the same search takes %d nodes, then %d", want, again)
	}
	for _, switches := range []map[string]string{{"killers": "0"}, {"ConsiderMobility": "false"}, {"Algorithm": "2"}} {
		if got := sign(switches); got == want {
			t.Errorf("%v changes nothing: %d nodes", switches, got)
		}
	}
	for _, switches := range []map[string]string{{"magic": "1"}, {"killers": "x"}, {"Algorithm": "9"}} {
		if _, err := (Builtin{}).Signature(context.Background(), switches); err == nil {
			t.Errorf("%v: no error", switches)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Builtin{}).Signature(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

func TestExpect(t *testing.T) {
	for _, tt := range []struct {
		fen       string
		low, high float64
	}{
		{rules.StartFEN, 0.3, 0.7},
		{"*OO*O***/*****@@*/***@**** w m s 3 0 3 0 0 0 0 0 0 0 0 9 30", 0.99, 1},
		{"*OO*O@**/***@**@*/O*O****O b m s 6 0 3 0 0 0 0 0 0 0 0 9 30", 0.99, 1},
		{"@O@*@O@*/@*******/@O@O@O@O w o s 6 0 9 0 0 0 0 0 0 0 0 0 30", 0, 0},
		{"O@OO*@OO/O**@O*@@/@*@O@@*O b o s 9 0 9 0 0 0 0 0 0 0 0 120 14", 0.5, 0.5},
	} {
		p, err := rules.Parse(rules.Default(), tt.fen)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := (Builtin{}).Expect(context.Background(), p, 3000); err != nil || got < tt.low || got > tt.high {
			t.Errorf("%s: %v, %v, want %v to %v", tt.fen, got, err, tt.low, tt.high)
		}
	}
	if _, err := (Builtin{}).Expect(context.Background(), nil, 1); err == nil || !strings.Contains(err.Error(), "another game") {
		t.Errorf("err = %v", err)
	}
}

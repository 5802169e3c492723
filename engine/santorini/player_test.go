package santorini

import (
	"context"
	"strconv"
	"testing"
)

func mustParse(t testing.TB, text string) state {
	t.Helper()
	p, _, err := parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

func benchDepthOf(b *testing.B, text string, depth int) {
	pos := mustParse(b, text)
	p := newPlayer()
	p.search(context.Background(), &pos, thinkLimits{Nodes: 1}, nil)
	var nodes int64
	b.ReportAllocs()
	for b.Loop() {
		p.newGame()
		nodes += p.search(context.Background(), &pos, thinkLimits{Depth: depth}, nil).nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
}

func BenchmarkPlayerStartDepth8(b *testing.B) {
	benchDepthOf(b, "0000000000000000000000000/1/mortal:11,13/mortal:7,17", 8)
}

func BenchmarkPlayerMiddleDepth11(b *testing.B) {
	benchDepthOf(b, "0001000001011001110010100/2/mortal:17,20/mortal:3,16", 11)
}

// Every thought of the player is a legal line.
func TestThoughtsAreLegalLines(t *testing.T) {
	ctx := context.Background()
	for _, text := range benchPositions {
		pos := mustParse(t, text)
		p := newPlayer()
		told := 0
		check := func(r thought) {
			told++
			if !r.found || len(r.pv) == 0 || r.pv[0] != r.next {
				t.Fatalf("%s: thought without a turn: %+v", text, r)
			}
			at, f := pos, newFrame()
			for i, next := range r.pv {
				if _, ok := f.find(&at, &next); !ok {
					t.Fatalf("%s: state %d of the line is not legal: %s after %s", text, i, next.text(formV2), at.text(formV2))
				}
				at = next
			}
		}
		last := p.search(ctx, &pos, thinkLimits{Nodes: 20000}, check)
		check(last)
		if last.trigger != triggerEnd && last.nodes != 20000 {
			t.Errorf("%s: %d nodes, trigger %s", text, last.nodes, last.trigger)
		}
		if told < 3 {
			t.Errorf("%s: only %d thoughts", text, told)
		}
	}
}

func TestPlayerWithoutATurn(t *testing.T) {
	ctx := context.Background()
	p := newPlayer()
	over := mustParse(t, "0000000000000100002300000/2/mortal#:13,17/mortal:7,8")
	if got := p.search(ctx, &over, thinkLimits{}, nil); got.found || got.trigger != triggerEnd {
		t.Errorf("a finished game: %+v", got)
	}
	stuck := mustParse(t, "0400044000000000000000000/1/mortal:0,24/mortal:7,8")
	stuck.workers[0] = bit(0)
	if got := p.search(ctx, &stuck, thinkLimits{}, nil); got.found || got.trigger != triggerEnd || got.score >= 0 {
		t.Errorf("a blocked mover: %+v", got)
	}
}

func TestPlayerStopsOnContext(t *testing.T) {
	pos := mustParse(t, benchPositions[0])
	p := newPlayer()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	got := p.search(ctx, &pos, thinkLimits{}, func(r thought) {
		if r.depth >= 3 {
			cancel()
		}
	})
	if !got.found || got.trigger != triggerStop || got.depth < 3 {
		t.Errorf("stopped with %+v", got)
	}
	if got = p.search(ctx, &pos, thinkLimits{}, nil); !got.found {
		t.Error("a search stopped at once has no turn")
	}
}

func TestThreadsSearchTogether(t *testing.T) {
	pos := mustParse(t, benchPositions[1])
	p := newPlayer()
	for name, value := range map[string]string{"threads": "3", "hash": "4"} {
		if err := p.set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	f := newFrame()
	for range 3 {
		got := p.search(context.Background(), &pos, thinkLimits{Depth: 6}, nil)
		if _, legal := f.find(&pos, &got.next); !legal || got.depth != 6 {
			t.Errorf("three threads: depth %d, %s", got.depth, got.next.text(formV2))
		}
	}
}

// Less skill looks less deep, and by other seeds plays other turns.
func TestSkill(t *testing.T) {
	pos := mustParse(t, benchPositions[0])
	turns := map[state]bool{}
	for seed := range 8 {
		p := newPlayer()
		for name, value := range map[string]int{"skill": 2, "seed": seed, "hash": 1} {
			if err := p.set(name, strconv.Itoa(value)); err != nil {
				t.Fatal(err)
			}
		}
		got := p.search(context.Background(), &pos, thinkLimits{Nodes: 5000}, nil)
		if got.depth > 2 {
			t.Errorf("skill 2 looks %d deep", got.depth)
		}
		turns[got.next] = true
	}
	if len(turns) < 2 {
		t.Errorf("%d different turns by 8 seeds", len(turns))
	}
}

func TestOptions(t *testing.T) {
	p := newPlayer()
	for _, o := range playerOptions() {
		if got := p.value(o.Name); got != o.Default || o.Default < o.Min || o.Default > o.Max {
			t.Errorf("%s: value %d, default %d of %d to %d", o.Name, got, o.Default, o.Min, o.Max)
		}
		if err := p.set(o.Name, strconv.Itoa(o.Min)); err != nil || p.value(o.Name) != o.Min {
			t.Errorf("%s: %v, value %d", o.Name, err, p.value(o.Name))
		}
		if err := p.set(o.Name, strconv.Itoa(o.Max+1)); err == nil || p.value(o.Name) != o.Min {
			t.Errorf("%s takes %d", o.Name, o.Max+1)
		}
	}
	for _, bad := range [][2]string{{"depth", "1"}, {"hash", "x"}, {"hash", ""}, {"hash", "true"}, {"killers", "2"}} {
		if err := p.set(bad[0], bad[1]); err == nil {
			t.Errorf("option %q takes %q", bad[0], bad[1])
		}
	}
	if err := p.set("killers", "on"); err != nil || p.value("killers") != 1 {
		t.Error("a switch does not take on")
	}
}

// Each switch changes the bench; nothing else does.
func TestEachSwitchChangesTheSignature(t *testing.T) {
	ctx := context.Background()
	base, err := signature(ctx, nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := signature(ctx, nil, 4); again != base {
		t.Errorf("signature %d, then %d", base, again)
	}
	t.Logf("signature %d", base)
	for _, o := range playerOptions() {
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

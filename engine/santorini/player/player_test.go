package player

import (
	"context"
	"strconv"
	"testing"

	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/rules"
)

// TestThoughtsAreLegalLines checks that every result is a line of legal turns.
func TestThoughtsAreLegalLines(t *testing.T) {
	ctx := context.Background()
	for _, text := range positions {
		pos := santorinitest.MustParse(t, text)
		p := New()
		results := 0
		check := func(r Result) {
			results++
			if !r.Found || len(r.PV) == 0 || r.PV[0] != r.Next {
				t.Fatalf("%s: result without a turn: %+v", text, r)
			}
			at, l := pos, rules.NewMoveList()
			for i, next := range r.PV {
				if _, ok := l.Find(&at, &next); !ok {
					t.Fatalf("%s: state %d of the line is not legal: %s after %s", text, i, rules.Text(&next, rules.V2), rules.Text(&at, rules.V2))
				}
				at = next
			}
		}
		last := p.Search(ctx, &pos, Limits{Nodes: 20000}, check)
		check(last)
		if last.Trigger != TriggerEndOfLine && last.Nodes != 20000 {
			t.Errorf("%s: %d nodes, trigger %s", text, last.Nodes, last.Trigger)
		}
		if results < 3 {
			t.Errorf("%s: only %d results", text, results)
		}
	}
}

func TestPlayerWithoutATurn(t *testing.T) {
	ctx := context.Background()
	p := New()
	over := santorinitest.MustParse(t, "0000000000000100002300000/2/mortal#:13,17/mortal:7,8")
	if got := p.Search(ctx, &over, Limits{}, nil); got.Found || got.Trigger != TriggerEndOfLine {
		t.Errorf("a finished game: %+v", got)
	}
	stuck := santorinitest.MustParse(t, "0400044000000000000000000/1/mortal:0,24/mortal:7,8")
	stuck.Workers[0] = rules.Bit(0)
	if got := p.Search(ctx, &stuck, Limits{}, nil); got.Found || got.Trigger != TriggerEndOfLine || got.Score >= 0 {
		t.Errorf("a blocked mover: %+v", got)
	}
}

// TestSkill checks that a weaker player searches less deeply and varies with the seed.
func TestSkill(t *testing.T) {
	pos := santorinitest.MustParse(t, positions[0])
	turns := map[rules.State]bool{}
	for seed := range 8 {
		p := New()
		for name, value := range map[string]int{"skill": 2, "seed": seed, "hash": 1} {
			if err := p.Set(name, strconv.Itoa(value)); err != nil {
				t.Fatal(err)
			}
		}
		got := p.Search(context.Background(), &pos, Limits{Nodes: 5000}, nil)
		if got.Depth > 2 {
			t.Errorf("skill 2 looks %d deep", got.Depth)
		}
		turns[got.Next] = true
	}
	if len(turns) < 2 {
		t.Errorf("%d different turns by 8 seeds", len(turns))
	}
}

func TestOptions(t *testing.T) {
	p := New()
	for _, o := range Options() {
		if got := p.Value(o.Name); got != o.Default || o.Default < o.Min || o.Default > o.Max {
			t.Errorf("%s: value %d, default %d of %d to %d", o.Name, got, o.Default, o.Min, o.Max)
		}
		if o.Words != nil {
			continue // TestSetOption
		}
		if err := p.Set(o.Name, strconv.Itoa(o.Min)); err != nil || p.Value(o.Name) != o.Min {
			t.Errorf("%s: %v, value %d", o.Name, err, p.Value(o.Name))
		}
		if err := p.Set(o.Name, strconv.Itoa(o.Max+1)); err == nil || p.Value(o.Name) != o.Min {
			t.Errorf("%s takes %d", o.Name, o.Max+1)
		}
	}
	for _, bad := range [][2]string{{"depth", "1"}, {"hash", "x"}, {"hash", ""}, {"hash", "true"}, {"killers", "2"}} {
		if err := p.Set(bad[0], bad[1]); err == nil {
			t.Errorf("option %q takes %q", bad[0], bad[1])
		}
	}
	if err := p.Set("killers", "on"); err != nil || p.Value("killers") != 1 {
		t.Error("a switch does not take on")
	}
}

// positions are the start, middle and end of games of basic gods, and a placement.
var positions = []string{
	"0000000000000000000000000/1/mortal:11,13/mortal:7,17",
	"0001000001011001110010100/2/mortal:17,20/mortal:3,16",
	"0000000000001100012000000/1/artemis:7,17/pan:11,13",
	"0010001210012100011000000/2/pan:6,13/hephaestus:7,12",
	"0000011000121002210001100/1/hephaestus:11,18/artemis:7,13",
	"0012401231001220134000112/1/mortal:3,12/artemis:8,16",
	"0000000000000000000000000/1/mortal/pan",
}

func TestPlayerStopsOnContext(t *testing.T) {
	pos := santorinitest.MustParse(t, positions[0])
	p := New()
	ctx, cancel := context.WithCancel(t.Context())
	got := p.Search(ctx, &pos, Limits{}, func(r Result) {
		if r.Depth >= 3 {
			cancel()
		}
	})
	if !got.Found || got.Trigger != TriggerStop || got.Depth < 3 {
		t.Errorf("stopped with %+v", got)
	}
}

//go:build unix

package match

import (
	"errors"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/player"
	"thera/arena/proc"
	"thera/engine/game"
	"thera/engine/santorini"
)

// An engine that is asked for the rules is bounded in time and output, and never waited for
// without end.
func TestLawIsBounded(t *testing.T) {
	g, problems := santorini.New().With(&santorini.Rules{Law: game.LawBoth}, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	start, err := g.Start(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	v2, err := Dialect(g, "v2")
	if err != nil {
		t.Fatal(err)
	}
	spawner, err := proc.NewSpawner()
	if err != nil {
		t.Fatal(err)
	}
	defer spawner.Close()
	for _, tt := range []struct {
		name, script string
		sync         time.Duration
		kind         game.FaultKind
	}{
		{"hangs", "exec sleep 1000", 50 * time.Millisecond, game.FaultTimeout},
		{"floods", "exec yes {}", 10 * time.Minute, game.FaultFlood},
		{"exits", "exit 3", time.Minute, game.FaultExited},
		{"lies", `read line; echo '{"type":"next_moves","next_states":[{"next_state":"nonsense"}]}'; exec sleep 1000`, 10 * time.Minute, game.FaultProtocol},
	} {
		t.Run(tt.name, func(t *testing.T) {
			spec := arena.EngineSpec{Name: "law x", Command: []string{"/bin/sh", "-c", `echo '{"type":"started"}'; ` + tt.script}}
			p := player.New(spec, v2, game.First, arena.Limit{Start: 10 * time.Minute, Sync: tt.sync}, player.Options{Spawner: spawner})
			defer p.Kill()
			_, said, err := list(t.Context(), p, start.(game.Foreign))
			var fault *game.Fault
			if err != nil || !errors.As(said, &fault) || fault.Kind != tt.kind || p.Alive() {
				t.Errorf("%v, err %v, alive: %v", said, err, p.Alive())
			}
		})
	}
}

// Lists that differ only in how they are written are the same; what differs is kept in
// order.
func TestWithout(t *testing.T) {
	g, problems := santorini.New().With(&santorini.Rules{Law: game.LawBoth}, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	start, err := g.Start(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	pos := start.(game.Foreign)
	const (
		a, b, c = "newgod[1|A5,B3]:B3,D3/mortal:C4,C2", "newgod[1|B3]:B3,D3/mortal:C4,C2", "#newgod[0|]:B3,D3/mortal:C4,C2"
		a2, c2  = "newgod[1|B3,A5]:D3,B3/mortal:7,17", "newgod[0|]#:11,13/mortal:7,17"
	)
	for _, tt := range []struct {
		list, other []string
		want        string
	}{
		{[]string{a, b, c}, []string{a, b, c}, ""},
		{[]string{a, b, c}, nil, a + " " + b + " " + c},
		{nil, []string{a}, ""},
		{[]string{a, b}, []string{b, c}, a},
		{[]string{a, b, c}, []string{c2, a2, b}, ""},
		{[]string{c2, a2, b}, []string{a, c}, b},
		{[]string{a, a2}, []string{a}, a2}, // their order means something here
	} {
		list, other := texts(tt.list), texts(tt.other)
		got := strings.Join(without(pos, list, other), " ")
		if want := strings.Join(texts(strings.Fields(tt.want)), " "); got != want {
			t.Errorf("%q without %q:\n%s, want\n%s", list, other, got, want)
		}
		if got, want := same(pos, list, other), tt.want == "" && len(list) == len(other); got != want {
			t.Errorf("%q and %q are the same: %v", list, other, got)
		}
	}
}

// texts are positions with these sides.
func texts(sides []string) []string {
	list := make([]string, len(sides))
	for i, side := range sides {
		list[i] = "0000000000000000000000000/2/" + side
	}
	return list
}

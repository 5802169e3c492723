//go:build unix

package match

import (
	"errors"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/player"
	"thera/arena/proc"
	"thera/engine/game"
	"thera/engine/santorini"
)

// An engine that is asked for the rules is bounded in time and output, and asked a
// second time in a new process. It is never waited for without end.
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
			p := player.New(spec, v2, nil, arena.Limit{Start: 10 * time.Minute, Sync: tt.sync}, player.Options{Spawner: spawner})
			defer p.Kill()
			answer, restarted, err := list(t.Context(), p, start.(game.Foreign))
			var fault *game.Fault
			if err != nil || !errors.As(answer.fault, &fault) || fault.Kind != tt.kind || restarted == "" {
				t.Errorf("%v, asked again: %q, err %v", answer.fault, restarted, err)
			}
		})
	}
}

// Both lists of a position are kept up to a bound, and what differs in order.
func TestWithout(t *testing.T) {
	for _, tt := range []struct{ list, other, want string }{
		{"abc", "abc", ""}, {"abc", "", "abc"}, {"", "abc", ""}, {"acde", "bcf", "ade"}, {"bcf", "acde", "bf"},
	} {
		var got string
		for _, move := range without(letters(tt.list), letters(tt.other)) {
			got += move
		}
		if got != tt.want {
			t.Errorf("%q without %q: %q, want %q", tt.list, tt.other, got, tt.want)
		}
	}
}

func letters(text string) []string {
	var list []string
	for _, c := range text {
		list = append(list, string(c))
	}
	return list
}

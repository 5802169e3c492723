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
	"thera/engine/gametest"
	"thera/engine/santorini"
)

// An engine that is asked for the rules is bounded in time and output, and never waited for
// without end.
func TestRulesEngineIsBounded(t *testing.T) {
	g, problems := santorini.New().With(&santorini.Rules{Law: game.BothEngines}, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	start, err := g.Start(0, 0)
	gametest.OK(t, err)
	v2, err := Dialect(g, "v2")
	gametest.OK(t, err)
	spawner, err := proc.NewSpawner()
	gametest.OK(t, err)
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
			spec := arena.EngineSpec{Name: rulesPrefix + "x", Command: []string{"/bin/sh", "-c", `echo '{"type":"started"}'; ` + tt.script}}
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

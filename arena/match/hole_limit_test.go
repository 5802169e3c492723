//go:build unix

package match

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/hex"
)

// An engine that has played under its limit does not end a run that it is losing by not knowing the
// limit any more.
func TestHoleLimitForgotten(t *testing.T) {
	const script = `for played in %s; do [ -e "$played" ] && deaf=1; : > "$played"; done
		while read -r word cell rest; do case $word in
			init_board) taken= ;;
			option) [ "$deaf" ] || echo ok ;;
			seto | sety) taken="$taken $cell" ;;
			make_move) for cell in a1 a2 a3 b1 b2 b3 c1 c2 c3; do case "$taken " in *" $cell "*) ;; *) taken="$taken $cell"; echo $cell; break ;; esac; done ;;
		esac; done`
	g, problems := hex.New().With(&hex.Rules{Size: 3}, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	bot := func(name, played string) arena.EngineSpec {
		return arena.EngineSpec{Name: name, Command: []string{"/bin/sh", "-c", fmt.Sprintf(script, played)}, Fresh: true}
	}
	limit := arena.Limit{Depth: 1, MaxMove: time.Minute}
	p := &arena.Plan{Game: g, Limit: limit, Engines: []arena.EngineSpec{bot("good", ""), bot("bad", filepath.Join(t.TempDir(), "played"))}}
	recs := games(t, p, 2, Options{})
	if recs[0].Fault != nil {
		t.Fatalf("the first game: %v", recs[0].Fault)
	}
	checkVerdict(t, 1, recs[1], game.FaultProtocol, "the limit is depth, and this engine does not say that it knows such limits")
}

//go:build unix

package player

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/arena/proc"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

func TestMain(m *testing.M) {
	if code, ours := faultkit.Main(); ours {
		os.Exit(code)
	}
	goleak.VerifyTestMain(gametest.PlainEngines(m, faultkit.ProgramVar))
}

func nimPlayer(t *testing.T, fault string) (*Player, game.Position) {
	t.Helper()
	spawner, err := proc.NewSpawner()
	gametest.OK(t, err)
	t.Cleanup(func() { spawner.Close() })
	g := nim.New(21)
	pos, err := g.Start(0, 1)
	gametest.OK(t, err)
	argv, env := faultkit.Command(fault)
	spec := arena.EngineSpec{Name: fault, Command: argv, Env: env}
	limit := arena.Limit{Start: time.Minute, Sync: time.Minute, Grace: time.Minute}
	p := New(spec, g.Dialects()[0], game.First, limit, Options{Spawner: spawner})
	p.bye = time.Minute
	t.Cleanup(p.Kill)
	return p, pos
}

func TestLife(t *testing.T) {
	ctx := context.Background()
	p, pos := nimPlayer(t, "none")
	if p.Alive() || p.Stderr() != "" {
		t.Error("alive before it was started")
	}
	for range 2 { // a second life is like the first
		gametest.OK(t, p.Start(ctx, pos))
		at := game.Begin(pos)
		gametest.OK(t, p.Seat(ctx, game.First, at))
		gametest.OK(t, p.Sync(ctx, at))
		answer, err := p.Go(ctx, game.Ask{History: at, Time: time.Second}, Limits{Soft: time.Minute, Hard: 2 * time.Minute})
		if err != nil || answer.Move != "1" || answer.Wall <= 0 {
			t.Errorf("%+v, %v", answer, err)
		}
		moves, err := p.List(ctx, pos)
		if err != nil || strings.Join(moves, "") != "123" {
			t.Errorf("%q, %v", moves, err)
		}
		if err := p.End(ctx, at, game.Outcome{}); err != nil || !p.Alive() || p.Info().Name != "nim" {
			t.Errorf("%v, alive %v", err, p.Alive())
		}
		p.Quit()
		if p.Alive() {
			t.Error("alive after quit")
		}
	}
}

// Ignoring quit is not a fault. The engine is killed.
func TestDeafToQuit(t *testing.T) {
	p, pos := nimPlayer(t, "noquit")
	p.bye = byeLimit
	gametest.OK(t, p.Start(context.Background(), pos))
	done := p.Process().Done()
	p.Quit()
	<-done
}

// An engine that has answered in a turn of both has no time any more: what it uses then
// is no stall of the machine but its doing.
func TestHoleAfterItsAnswer(t *testing.T) {
	clock := time.Second
	used, answered := afterwards(func() time.Duration { return clock })
	clock += time.Second
	if got := used(); got != 0 {
		t.Errorf("%v while it thinks", got)
	}
	answered()
	if got := used(); got != 0 {
		t.Errorf("%v at its answer", got)
	}
	clock += time.Second
	if got := used(); got != time.Second {
		t.Errorf("%v in the second after its answer", got)
	}
	p, pos := nimPlayer(t, "none")
	rival := &Player{}
	rival.Face(p, true)
	if rival.judge.Rival != nil {
		t.Error("an opponent that does not run is faced")
	}
	gametest.OK(t, p.Start(context.Background(), pos))
	rival.Face(p, true)
	if before := rival.judge.Rival(); before != 0 || p.answered == nil {
		t.Errorf("%v before the answer of an opponent that can give one: %v", before, p.answered != nil)
	}
}

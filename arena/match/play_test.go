//go:build unix

package match

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/player"
	"thera/arena/proc"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		name, engine, text string
		change             func(p *arena.Plan)
	}{
		{"missing program", "bad", "no/such/engine", func(p *arena.Plan) { p.Engines[1].Command = []string{"/no/such/engine"} }},
		{"missing folder", "good", "/no/such/folder", func(p *arena.Plan) { p.Engines[0].Dir = "/no/such/folder" }},
		{"unknown protocol", "bad", `no protocol "uci"`, func(p *arena.Plan) { p.Engines[1].Protocol = "uci" }},
		{"a start it cannot know", "good", "heap of 13", func(p *arena.Plan) { p.Game = nim.New(13) }},
		{"nodes that it does not know", "good", "the limit is nodes", func(p *arena.Plan) {
			g := nim.New(21)
			g.NoNodes = true
			p.Game, p.Limit, p.Engines[0].Limit = g, arena.Limit{Nodes: 1000, Start: time.Minute}, arena.Limit{}
		}},
		{"an option it refuses", "bad", "no option", func(p *arena.Plan) { p.Engines[1].Options = []game.Option{{Name: "unknown", Value: "1"}} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := plan(nim.New(21), "none")
			tt.change(p)
			w := NewWorker(p, Options{})
			defer w.Close()
			_, err := w.Play(context.Background(), job(0), start(t, p.Game))
			var refused *Refusal
			if !errors.As(err, &refused) || refused.Engine != tt.engine || !strings.Contains(err.Error(), tt.text) {
				t.Fatalf("err = %v, want a refusal of %s: %s", err, tt.engine, tt.text)
			}
			if limited := strings.HasPrefix(tt.name, "nodes"); limited != (refused.Instead != "") {
				t.Errorf("instead it proposes %q", refused.Instead)
			}
		})
	}
}

// Engines live on from game to game, but not those that want to be fresh, and
// not after a fault.
func TestProcessesAreKept(t *testing.T) {
	for _, tt := range []struct {
		name, fault string
		bad         int // starts, in four games
	}{
		{"kept", "none", 1},
		{"fresh", "none", 4},
		{"faulty", "exit3", 4},
		{"illegal", "illegal", 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := plan(nim.New(21), tt.fault)
			p.Engines[1].Fresh = tt.name == "fresh"
			var mu sync.Mutex
			starts := map[string]int{}
			games(t, p, 4, Options{Trace: func(engine string, dir byte, line []byte) {
				mu.Lock()
				defer mu.Unlock()
				if dir == '<' && string(line) == "ready" {
					starts[engine]++
				}
			}})
			if starts["good"] != 1 || starts["bad"] != tt.bad {
				t.Errorf("started %v, want good once and bad %d times", starts, tt.bad)
			}
		})
	}
}

// An engine that ended between two games is started again, and that is said, also where it ends
// so late that nobody sees it before the next game.
func TestEndedBetweenGames(t *testing.T) {
	p := plan(nim.New(1), "none")
	p.Engines[1].Command = []string{"sh", "-c", `echo ready
while read -r word id rest; do case $word in
new) [ -z "$had" ] || exit 3; had=1; echo ok;;
go) echo "move $id 1";;
esac; done`}
	w := NewWorker(p, Options{Machine: still{}}).(*worker)
	defer w.Close()
	for i, want := range []string{"", "had ended since its last game (3", "had ended since its last game (signal 9"} {
		rec, err := w.Play(context.Background(), job(0), start(t, p.Game))
		if err != nil || rec.Source != arena.Natural {
			t.Fatal(rec, err)
		}
		if got := strings.Join(rec.Warnings, "\n"); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("game %d: warnings %q, want %q", i, got, want)
		}
		if bad := w.players["bad"].Process(); i == 1 {
			bad.Wake() // a wait that ends for nothing changes nothing
			bad.Kill()
			<-bad.Done()
		}
	}
}

// A cancelled game is not a record; the worker can play on.
func TestCancel(t *testing.T) {
	p := plan(nim.New(21), "hang:2")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	asked := 0
	w := NewWorker(p, Options{Trace: func(engine string, dir byte, line []byte) {
		if engine == "bad" && dir == '>' && strings.HasPrefix(string(line), "go ") {
			if asked++; asked == 2 {
				cancel()
			}
		}
	}})
	defer w.Close()
	// Were it not heeded, the game would end by a timeout, and have a record.
	p.Limit.Move = 5 * time.Second
	rec, err := w.Play(ctx, job(0), start(t, p.Game))
	if rec != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", rec, err)
	}
	p.Limit.Move, p.Limit.Grace = 50*time.Millisecond, 0
	if rec, err := w.Play(context.Background(), job(1), start(t, p.Game)); err != nil || rec.Outcome.Reason == "" {
		t.Errorf("after that: %v, %v", rec, err)
	}
}

// stepped is a match of a plan's two engines, which are started by hand.
func stepped(t *testing.T, p *arena.Plan) (*Match, *arena.Game) {
	t.Helper()
	spawner, err := proc.NewSpawner()
	gametest.OK(t, err)
	t.Cleanup(func() { spawner.Close() })
	pos := start(t, p.Game)
	var players [2]*player.Player
	var limits [2]arena.Limit
	for i := range players {
		dialect := p.Game.Dialects()[0]
		limits[i] = p.LimitOf(&p.Engines[i])
		players[i] = player.New(p.Engines[i], dialect, game.Seat(i+1), limits[i], player.Options{Spawner: spawner})
		t.Cleanup(players[i].Kill)
		gametest.OK(t, players[i].Start(context.Background(), pos))
	}
	rec := &arena.Game{Job: job(0)}
	m := New(p.Game, players, limits, arena.Adjudication{}, game.Begin(pos), rec, Options{})
	gametest.OK(t, m.Begin(context.Background()))
	return m, rec
}

// An engine that gives up resigns: no fault, nobody blamed.
func TestResigned(t *testing.T) {
	for i, rec := range games(t, plan(nim.New(21), "resign:2"), 2, Options{}) {
		if rec.Source != arena.Natural || rec.Fault != nil || rec.Outcome.Reason != "resigned" ||
			rec.Engine(rec.Outcome.Winner) == "bad" || len(rec.Plies) != len(rec.Moves)+1 {
			t.Errorf("game %d: %s %+v %v, %d asked", i, rec.Source, rec.Outcome, rec.Fault, len(rec.Plies))
		}
	}
}

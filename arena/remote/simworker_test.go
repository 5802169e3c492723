package remote

import (
	"context"
	"slices"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/engine/game"
)

// habit is what a worker does besides its work.
type habit string

const (
	steady    habit = "steady"
	mortal    habit = "mortal"    // it is killed, and comes again
	vanishing habit = "vanishing" // it is killed, and does not come again
	hanging   habit = "hanging"   // some of its games never end
	slow      habit = "slow"
	stalling  habit = "stalling" // its machine is too busy
	lying     habit = "lying"    // the rules show it
	making    habit = "making"   // it makes up games that no rule shows to be false
)

func (h habit) honest() bool { return h != lying && h != making && h != stalling }

// worker is one on another machine, whenever it is started.
type worker struct {
	*simulation
	name  string
	habit habit
	slots int
	lie   func(rec *arena.Game)
	share float64 // of its games that it lies about

	mu     sync.Mutex
	played map[string]int // how often, by game
}

// live starts the worker again and again.
func (w *worker) live(ctx context.Context) {
	for life := 0; ctx.Err() == nil; life++ {
		dice := w.dice(w.name, life)
		if rest(ctx, between(dice, 0, 10*time.Second)) != nil {
			return
		}
		ctx, kill := context.WithCancel(ctx)
		e := &end{wire: w.wire, name: w.name, life: life, kill: kill, gentle: dice.IntN(4) == 0}
		if mortal := w.habit == mortal || w.habit == vanishing; mortal && time.Now().Before(w.calm) {
			e.dies = 1 / float64(1+dice.IntN(100))
		}
		own := &arenatest.Workers{Strength: strengths()}
		remote := &Worker{
			Conn: e, Name: w.name, Slots: w.slots, Sandbox: "simulated", Say: func(string) {},
			Prepare: func(info *arena.RunInfo, engines []arena.EngineSpec, _ Fetch) (*Prepared, error) {
				if err := rest(ctx, between(dice, 0, 7*time.Second)); err != nil {
					return nil, err
				}
				plan := info.PlanOf(w.plan.Game)
				plan.Engines = engines
				slot := func(n int) arena.Worker { return &player{own.New(n), w} }
				return &Prepared{Plan: plan, Worker: slot}, nil
			},
		}
		if err := remote.Run(ctx); err != nil {
			w.breaks("worker %s: %v", w.name, err)
		}
		_, dead := e.is()
		kill()
		e.Close()
		if dead && w.habit == vanishing {
			return
		}
	}
}

// player is a slot of a worker.
type player struct {
	arena.Worker
	*worker
}

// Play implements arena.Worker.
func (p *player) Play(ctx context.Context, job arena.Job, start game.Position) (*arena.Game, error) {
	p.mu.Lock()
	p.played[job.ID]++
	dice := p.dice(p.name, "plays", job.ID, p.played[job.ID])
	p.mu.Unlock()
	most := 20 * time.Second
	if p.habit == slow {
		most = 10 * time.Minute
	}
	strange := dice.Float64() < p.share
	if strange && p.habit == hanging {
		p.tell("hung game")
		<-ctx.Done()
	}
	if err := rest(ctx, between(dice, time.Second, most)); err != nil {
		return nil, err
	}
	g, err := p.Worker.Play(ctx, job, start)
	if err != nil || !strange {
		return g, err
	}
	switch p.habit {
	case stalling:
		p.tell("stalled game")
		accuse(g)
		g.Source, g.Outcome, g.Seconds = arena.Stalled, game.Outcome{Reason: "stalled"}, 61
		g.Fault = &game.Fault{Kind: game.FaultTimeout}
	case lying, making:
		was := slices.Clone(g.Moves)
		p.lie(g)
		if p.habit == lying || !slices.Equal(was, g.Moves) {
			p.tell("lie")
		}
	}
	return g, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/proc"
	"thera/arena/remote"
	"thera/arena/session"
	"thera/arena/store"
)

// simulated is one run and what became of it.
type simulated struct {
	*scenario
	fleet fleetReport

	Elapsed        time.Duration
	Silent         int      // workers that the host took for gone
	Refused, Gone  int      // false games, and workers that were expelled
	Said           []string // other remarks
	Memory         uint64   // the most that the host had from the system
	Steady         steady
	Lost, Doubled  int // games that are not stored, and games that are stored but are none of the run
	False          int // games that are stored, and not the recorded ones
	broken         []string
	steadyAt       time.Time
	steadyCPU      time.Duration
	steadyFrom     int
	memoryMeasured time.Time
}

// steady are the figures of a run from a fifth to four fifths of its games.
type steady struct {
	Games     int
	Took, CPU time.Duration
}

// play plays a run for workers only, and looks what is stored. fleet starts the workers and
// returns what ends them.
func (r *simulated) play(ctx context.Context, path string, fleet func(url string) (func() error, error)) (err error) {
	b, err := newBook(r.Seed)
	if err != nil {
		return err
	}
	plan := b.plan(r.Games, r.Seed)
	db, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	server, err := remote.Serve("127.0.0.1:0", nil)
	if err != nil {
		return err
	}
	defer server.Close()
	nc, err := server.Connect()
	if err != nil {
		return err
	}
	defer nc.Close()
	begun := time.Now()
	finish, err := fleet("nats://" + server.Address())
	if err != nil {
		return err
	}
	host := &remote.Host{Conn: nc, Plan: plan, Home: path, Wait: r.Wait, Book: db}
	_, err = (&session.Runner{Plan: plan, Store: db, Remote: host, Watcher: r}).Run(ctx)
	r.Elapsed = time.Since(begun)
	if err = errors.Join(err, finish()); err != nil {
		return err
	}
	return r.judge(ctx, db, plan, b)
}

// Event implements arena.Watcher.
func (r *simulated) Event(e arena.Event) {
	switch words := strings.Fields(e.Text); {
	case e.Kind == arena.GameFinished:
		r.finished(e.Played)
	case e.Kind != arena.Warned:
	case strings.Contains(e.Text, " is refused: "):
		r.Refused++
	case strings.Contains(e.Text, " is expelled: "):
		r.Gone++
	case strings.Contains(e.Text, " is silent: "):
		r.Silent++
	case len(words) > 2 && (words[2] == "plays," || words[2] == "has"): // it comes, leaves, or has forgotten the run
	default:
		r.Said = append(r.Said, e.Text)
	}
}

// finished measures the steady part of the run.
func (r *simulated) finished(games int) {
	if time.Since(r.memoryMeasured) > time.Second {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		r.Memory, r.memoryMeasured = max(r.Memory, m.Sys), time.Now()
	}
	switch {
	case r.steadyAt.IsZero() && games >= r.Games/5:
		r.steadyAt, r.steadyFrom, r.steadyCPU = time.Now(), games, proc.OwnCPU()
	case !r.steadyAt.IsZero() && r.Steady.Games == 0 && games >= r.Games*4/5:
		r.Steady = steady{games - r.steadyFrom, time.Since(r.steadyAt), proc.OwnCPU() - r.steadyCPU}
	}
}

const mostBroken = 20

func (r *simulated) breaks(format string, args ...any) {
	if len(r.broken) < mostBroken {
		r.broken = append(r.broken, fmt.Sprintf(format, args...))
	}
}

// judge looks whether the promises were kept, by the store and not by what the host says.
func (r *simulated) judge(ctx context.Context, db *store.Store, plan *arena.Plan, b *book) error {
	run, err := db.Find(ctx, plan.Name)
	if err != nil {
		return err
	}
	wanted := map[string]bool{} // those that are not there
	id := plan.Identity([2]string{plan.Engines[0].Name, plan.Engines[1].Name})
	for pair := range plan.Format.Rounds {
		for leg := range 2 {
			wanted[id.Job(pair, leg)] = true
		}
	}
	for rec, err := range db.Games(ctx, run.ID, true) {
		if err != nil {
			return err
		}
		if !wanted[rec.ID] || rec.Status != arena.StatusCounted {
			r.Doubled++
			r.breaks("game %s of worker %s is stored twice, or is none of the run", rec.ID, rec.By.Worker)
			continue
		}
		delete(wanted, rec.ID)
		want := b.record(rec.Job, rec.Start)
		if want == nil || !slices.Equal(rec.Moves, want.Moves) || rec.Outcome != want.Outcome || rec.Source != want.Source ||
			rec.Fault != nil || !slices.Equal(rec.Plies, want.Plies) || rec.Seconds != want.Seconds {
			r.False++
			r.breaks("game %s of worker %s is false", rec.ID, rec.By.Worker)
		}
	}
	r.Lost = len(wanted)
	for id := range wanted {
		r.breaks("game %s is lost", id)
	}
	return nil
}

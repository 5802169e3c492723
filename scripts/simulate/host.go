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

	Silent        int      // times that the host found a worker silent
	Refused, Gone int      // refused games, and expelled workers
	Said          []string // other remarks
	Lost, Doubled int      // games that are not stored, and stored games that are surplus
	False         int      // stored games that differ from the recorded ones
	broken        []string

	// Measured from a fifth to four fifths of the games.
	Games     int
	Took, CPU time.Duration
	memory    uint64 // of the host at the end of the measurement
	from      int
	begun     time.Time
	before    time.Duration
}

// play plays a run on workers alone and checks the stored games. fleet starts the workers
// and returns a function that stops them.
func (r *simulated) play(ctx context.Context, path string, fleet func(url string) (func() error, error)) (err error) {
	b, err := newBook(r.Seed)
	if err != nil {
		return err
	}
	plan := b.plan(r.All, r.Seed)
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
	finish, err := fleet("nats://" + server.Address())
	if err != nil {
		return err
	}
	host := &remote.Host{Conn: remote.NATS{Conn: nc}, Home: path, Wait: r.Wait}
	_, err = (&session.Runner{Plan: plan, Store: db, Remote: host, Watcher: r}).Run(ctx)
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
	case len(words) > 2 && (words[2] == "plays," || words[2] == "has"): // a worker comes or goes
	default:
		r.Said = append(r.Said, e.Text)
	}
}

// finished measures the steady part of the run.
func (r *simulated) finished(games int) {
	switch {
	case r.begun.IsZero() && games >= r.All/5:
		r.begun, r.from, r.before = time.Now(), games, proc.OwnCPU()
	case !r.begun.IsZero() && r.Games == 0 && games >= r.All*4/5:
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		r.Games, r.Took, r.CPU, r.memory = games-r.from, time.Since(r.begun), proc.OwnCPU()-r.before, m.Sys
	}
}

func (r *simulated) breaks(format string, args ...any) {
	r.broken = append(r.broken, fmt.Sprintf(format, args...))
}

// judge checks the promises against the stored games, not against what the host says.
func (r *simulated) judge(ctx context.Context, db *store.Store, plan *arena.Plan, b *book) error {
	run, err := db.Find(ctx, plan.Name)
	if err != nil {
		return err
	}
	wanted := map[string]bool{} // games that are not found yet
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
			r.breaks("game %s of worker %s is stored twice, or does not belong to the run", rec.ID, rec.By.Worker)
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

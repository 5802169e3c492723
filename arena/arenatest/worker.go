// Package arenatest has doubles for the tests of the arena's packages: workers without
// engines and a store without a file. It asserts nothing.
package arenatest

import (
	"context"
	"sync"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// Workers makes workers that play package nim's game without engines. Who takes how
// many depends on the engine's name, the position and the job's seed alone,
// so that a game is the same whenever it is played.
type Workers struct {
	// Before, if set, is asked before each game; a record ends it immediately.
	Before func(ctx context.Context, slot int, job arena.Job) (*arena.Game, error)
	// Strength of an engine by name: the share of its moves, of 100, that are
	// perfect.
	Strength map[string]int

	mu     sync.Mutex
	opened int
	closed int
	played int
}

// New is the worker of a slot.
func (w *Workers) New(slot int) arena.Worker {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.opened++
	return &worker{workers: w, slot: slot}
}

// Counts are workers opened, workers closed and games played.
func (w *Workers) Counts() (opened, closed, played int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.opened, w.closed, w.played
}

type worker struct {
	workers *Workers
	slot    int
}

// Play implements arena.Worker.
func (w *worker) Play(ctx context.Context, job arena.Job, start game.Position) (*arena.Game, error) {
	if w.workers.Before != nil {
		if rec, err := w.workers.Before(ctx, w.slot, job); rec != nil || err != nil {
			return rec, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rec := &arena.Game{Job: job, Start: start.String(), Source: arena.Natural}
	for pos := start; ; {
		if outcome, over := pos.Outcome(); over {
			rec.Outcome = outcome
			break
		}
		seat := pos.ToMove().Only()
		name := job.Engine(seat)
		turn := game.By(seat, nim.Choose(pos, w.workers.Strength[name], nim.Dice(name, pos.String(), job.ID)))
		next, err := pos.Play(turn)
		if err != nil {
			return nil, err
		}
		rec.Moves = append(rec.Moves, turn.String())
		rec.Plies = append(rec.Plies, arena.Ply{Seat: seat, Depth: 1, Nodes: 1})
		pos = next
	}
	w.workers.mu.Lock()
	defer w.workers.mu.Unlock()
	w.workers.played++
	return rec, nil
}

// Close implements arena.Worker.
func (w *worker) Close() error {
	w.workers.mu.Lock()
	defer w.workers.mu.Unlock()
	w.workers.closed++
	return nil
}

// Fault is the record of a game that the engine in seat lost by a fault.
func Fault(job arena.Job, seat game.Seat, kind game.FaultKind) *arena.Game {
	return &arena.Game{
		Job: job, Start: "21 1", Source: arena.Faulted, Fault: &game.Fault{Kind: kind}, Blamed: seat,
		Outcome: game.Outcome{Winner: seat.Other(), Reason: string(kind)},
	}
}

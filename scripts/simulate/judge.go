package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"thera/arena"
	"thera/arena/store"
)

// verdict is whether the promises were kept, by the store and not by what the host says.
type verdict struct {
	Games   int // that the run has
	Lost    int // of them, not stored
	Doubled int // stored a second time, or of no job
	False   int // stored, and not the recorded game
	Lies    map[string]fate
	Broken  []string // the first promises that were broken
}

// fate is what became of the lies of one kind.
type fate struct {
	Told   int // and judged
	Found  int
	Late   int // not found: the game was stored before, from another worker, and nothing was changed
	Missed int // neither
}

const mostBroken = 20

func (v *verdict) broken(format string, args ...any) {
	if len(v.Broken) < mostBroken {
		v.Broken = append(v.Broken, fmt.Sprintf(format, args...))
	}
}

// judge reads the store.
func judge(ctx context.Context, path string, plan *arena.Plan, b *book, h *hostReport, f *fleetReport) (*verdict, error) {
	db, err := store.Existing(ctx, path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	run, err := db.Find(ctx, plan.Name)
	if err != nil {
		return nil, err
	}
	v := &verdict{Lies: map[string]fate{}}
	wanted := map[string]bool{} // and whether it was stored
	id := plan.Identity([2]string{plan.Engines[0].Name, plan.Engines[1].Name})
	for pair := range plan.Format.Rounds {
		for leg := range 2 {
			wanted[id.Job(pair, leg)] = false
		}
	}
	v.Games = len(wanted)
	stored := map[string]entry{}
	for rec, err := range db.Games(ctx, run.ID, true) {
		if err != nil {
			return nil, err
		}
		if was, known := wanted[rec.ID]; !known || was || rec.Status == arena.StatusVoid {
			v.Doubled++
			v.broken("game %s of worker %s is stored twice, or is none of the run", rec.ID, rec.By.Worker)
			continue
		}
		wanted[rec.ID] = true
		stored[rec.ID] = entry{rec.By.Worker, rec.Started.Add(time.Duration(rec.Seconds * float64(time.Second)))}
		if why := differs(rec, b); why != "" {
			v.False++
			v.broken("game %s of worker %s is false: %s", rec.ID, rec.By.Worker, why)
		}
	}
	for id, is := range wanted {
		if !is {
			v.Lost++
			v.broken("game %s is lost", id)
		}
	}
	v.lies(h, f, stored)
	return v, nil
}

// entry is who played a stored game, and when it came.
type entry struct {
	worker string
	came   time.Time
}

// differs compares a stored game with the recorded one.
func differs(rec *arena.Game, b *book) string {
	want := b.record(rec.Job, rec.Start)
	switch {
	case want == nil:
		return "it has another start: " + rec.Start
	case !slices.Equal(rec.Moves, want.Moves):
		return "other moves"
	case rec.Outcome != want.Outcome || rec.Source != want.Source || rec.Fault != nil:
		return "another result"
	case !slices.Equal(rec.Plies, want.Plies) || rec.Seconds != want.Seconds:
		return "other times"
	}
	return ""
}

// lies compares the lies that were told with those that were found.
func (v *verdict) lies(h *hostReport, f *fleetReport, stored map[string]entry) {
	reported := map[found]bool{}
	for _, r := range h.Found {
		reported[r] = true
	}
	for _, l := range f.Told {
		fate := v.Lies[l.Kind]
		fate.Told++
		of := stored[l.ID]
		switch {
		case reported[found{l.Worker, l.Says}]:
			fate.Found++
		case of.worker != "" && of.worker != l.Worker && of.came.Before(l.Judged):
			fate.Late++
		default:
			fate.Missed++
			v.broken("a lie of worker %s is not found: %s, game %s", l.Worker, l.Kind, l.ID)
		}
		v.Lies[l.Kind] = fate
	}
}

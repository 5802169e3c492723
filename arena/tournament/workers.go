package tournament

import (
	"iter"
	"maps"
	"slices"

	"thera/arena"
)

// worker is what one worker did.
type worker struct {
	arena.WorkerRow
	seconds float64
}

// Workers returns what the workers of a run did, by all of its games and by what happened
// with them.
func Workers(games iter.Seq[*arena.Game], incidents []arena.Incident) []arena.WorkerRow {
	all := byKey[string, worker]{}
	for g := range games {
		w := all.of(playedBy(g))
		switch {
		case g.Status == arena.StatusExcluded:
			w.Excluded++
		case g.Status == arena.StatusVoid:
			w.Voided += btoi(g.Source == arena.Stalled)
		default:
			w.Games++
			w.Moves += g.Sides[0].Moves + g.Sides[1].Moves
			w.Faults += btoi(g.Source == arena.Faulted)
			w.seconds += g.Seconds
		}
	}
	for _, i := range incidents {
		w := all.of(i.Worker)
		w.Refused += btoi(i.Kind == arena.GameRefused)
		w.Expelled = w.Expelled || i.Kind == arena.Expelled || i.Kind == arena.Excluded
		w.Audited += btoi(i.Kind == arena.AuditEqual || i.Kind == arena.AuditDiffers || i.Kind == arena.AuditUndecided)
		w.Differ += btoi(i.Kind == arena.AuditDiffers || i.Kind == arena.AuditFalse)
		w.Undecided += btoi(i.Kind == arena.AuditUndecided)
	}
	var out []arena.WorkerRow
	for _, name := range slices.Sorted(maps.Keys(all)) {
		w := all[name]
		w.Worker = name
		w.MovesPerSecond = ratio(float64(w.Moves), w.seconds)
		out = append(out, w.WorkerRow)
	}
	return out
}

// playedBy returns the worker that played a game, "" for this machine.
func playedBy(g *arena.Game) string {
	if g.By == nil {
		return ""
	}
	return g.By.Worker
}

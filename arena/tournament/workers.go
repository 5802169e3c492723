package tournament

import (
	"maps"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// LeastPairs is how many pairs of a worker that test needs, and AlarmLevel the
// probability below which it is a finding, divided by the number of workers that are tested (Bonferroni).
const (
	LeastPairs = 50
	AlarmLevel = 0.001
)

// worker is what one worker did.
type worker struct {
	arena.WorkerRow
	seconds float64
	met     map[[2]string]rating.Penta // pairs that count, of which it played both games, by pairing
}

// Workers returns what the workers of a run did: by all of its games, those that count pair by
// pair, and what happened with them.
func Workers(games []arena.Game, pairs [][]*arena.Game, incidents []arena.Incident) []arena.WorkerRow {
	all := byKey[string, worker]{}
	for i := range games {
		g := &games[i]
		by := playedBy(g)
		w := all.of(by.Worker)
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
	total := map[[2]string]rating.Penta{}
	for _, pair := range pairs {
		name, pairing := playedBy(pair[0]).Worker, pair[0].Pairing
		if len(pair) < 2 || name != playedBy(pair[1]).Worker {
			continue
		}
		w, one := all.of(name), arena.PairOf([2]int{pair[0].Winner(), pair[1].Winner()})
		if w.met == nil {
			w.met = map[[2]string]rating.Penta{}
		}
		w.met[pairing], total[pairing] = w.met[pairing].Add(one), total[pairing].Add(one)
		w.Pairs++
	}
	tested, out := 0, []arena.WorkerRow{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		w := all[name]
		w.Worker = name
		w.MovesPerSecond = ratio(float64(w.Moves), w.seconds)
		if w.Pairs >= LeastPairs {
			w.P = w.alike(total)
			tested += btoi(w.P != nil)
		}
		out = append(out, w.WorkerRow)
	}
	for i := range out {
		out[i].Flagged = out[i].P != nil && *out[i].P < AlarmLevel/float64(tested)
	}
	return out
}

// playedBy returns the worker that played a game, the zero By for this machine.
func playedBy(g *arena.Game) arena.By {
	if g.By == nil {
		return arena.By{}
	}
	return *g.By
}

// alike compares the worker with all others.
func (w *worker) alike(total map[[2]string]rating.Penta) *float64 {
	var pairings [][2]rating.Penta
	for pairing, own := range w.met {
		others := total[pairing]
		for class, n := range own {
			others[class] -= n
		}
		pairings = append(pairings, [2]rating.Penta{own, others})
	}
	return rating.Alike(pairings)
}

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

// Fleet is what is stored about the workers of a run.
type Fleet struct {
	Games     []arena.Game // all
	Counted   []arena.Game // those of pairs that count, pair by pair
	Incidents []arena.Incident
}

// playedBy returns the worker that played a game, the zero By for this machine.
func playedBy(g *arena.Game) arena.By {
	if g.By == nil {
		return arena.By{}
	}
	return *g.By
}

// Workers returns what the workers of a run did.
func Workers(fleet Fleet) []arena.WorkerRow {
	rows := map[string]*arena.WorkerRow{}
	row := func(name string) *arena.WorkerRow {
		if rows[name] == nil {
			rows[name] = &arena.WorkerRow{Worker: name}
		}
		return rows[name]
	}
	seconds, speeds := map[string]float64{}, map[string]float64{}
	for i := range fleet.Games {
		g := &fleet.Games[i]
		by := playedBy(g)
		w := row(by.Worker)
		switch {
		case g.Status == arena.StatusExcluded:
			w.Aside++
		case g.Status == arena.StatusVoid:
			if g.Source == arena.Stalled {
				w.Voided++
			}
		default:
			w.Games++
			w.Moves += g.Sides[0].Moves + g.Sides[1].Moves
			if g.Source == arena.Faulted {
				w.Faults++
			}
			seconds[by.Worker] += g.Seconds
			speeds[by.Worker] += by.Speed
		}
	}
	for _, i := range fleet.Incidents {
		w := row(i.Worker)
		switch i.Kind {
		case arena.GameRefused:
			w.Refused++
		case arena.Expelled, arena.Excluded:
			w.Expelled = true
		case arena.AuditEqual:
			w.Audited++
		case arena.AuditDiffers:
			w.Audited++
			w.Differ++
		case arena.AuditFalse:
			w.Differ++
		case arena.AuditUndecided:
			w.Audited++
			w.Undecided++
		}
	}
	pairs := fleet.pairs()
	tested := 0
	for name, w := range rows {
		w.MovesPerSecond = ratio(float64(w.Moves), seconds[name])
		if speeds[name] > 0 {
			w.Speed = ratio(speeds[name], float64(w.Games))
		}
		for _, p := range pairs[name] {
			w.Pairs += int(p.Pairs())
		}
		if w.Pairs >= LeastPairs && len(rows) > 1 {
			if w.P = rating.Alike(strata(pairs, name)); w.P != nil {
				tested++
			}
		}
	}
	out := []arena.WorkerRow{}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		w := rows[name]
		w.Flagged = w.P != nil && *w.P < AlarmLevel/float64(tested)
		out = append(out, *w)
	}
	return out
}

// pairs are the pentanomial counts of the pairs of which one worker played both games, by
// worker and pairing.
func (f *Fleet) pairs() map[string]map[[2]string]rating.Penta {
	out := map[string]map[[2]string]rating.Penta{}
	for i := 1; i < len(f.Counted); i++ {
		a, b := &f.Counted[i-1], &f.Counted[i]
		if a.Pairing != b.Pairing || a.Pair != b.Pair || a.Leg == b.Leg || playedBy(a).Worker != playedBy(b).Worker {
			continue
		}
		name := playedBy(a).Worker
		if out[name] == nil {
			out[name] = map[[2]string]rating.Penta{}
		}
		out[name][a.Pairing] = out[name][a.Pairing].Add(arena.PairOf([2]int{a.Winner(), b.Winner()}))
		i++
	}
	return out
}

// strata compares a worker with all others, pairing by pairing.
func strata(pairs map[string]map[[2]string]rating.Penta, worker string) (out [][2]rating.Penta) {
	for pairing, own := range pairs[worker] {
		var others rating.Penta
		for name, counts := range pairs {
			if name != worker {
				others = others.Add(counts[pairing])
			}
		}
		out = append(out, [2]rating.Penta{own, others})
	}
	return out
}

package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// The test of homogeneity needs so many pairs of a worker, and is shown as a finding below
// this probability, divided by the number of workers that are tested (Bonferroni).
const (
	leastPairs = 50
	alarmLevel = 0.001
)

// WorkerRow is what one worker did in a run. Games that count or may count are in it, and
// none that were set aside.
type WorkerRow struct {
	Worker         string   `json:"worker"` // "" is the machine that hosts the run
	Games          int      `json:"games"`
	Pairs          int      `json:"pairs"` // that count, and of which it played both games
	Speed          *float64 `json:"speed"` // reference speed, mean of its games
	Moves          int64    `json:"moves"`
	MovesPerSecond *float64 `json:"moves_per_second"` // of one slot while it played
	Faults         int      `json:"faults"`           // games that ended by an engine's fault
	Voided         int      `json:"voided"`           // pairs that are void because its machine stalled
	Refused        int      `json:"refused"`          // games that were false
	Aside          int      `json:"set_aside"`        // games that were set aside
	Audited        int      `json:"audited"`          // pairs that were played again elsewhere
	Differ         int      `json:"differ"`           // of them, those that are others there; and its audits of others' pairs that were false
	Undecided      int      `json:"undecided"`        // ... and of which nobody could say which is right
	Expelled       bool     `json:"expelled"`         // from a start of the run

	Homogeneity *rating.Homogeneity `json:"homogeneity"` // null: too few pairs
	Flagged     bool                `json:"flagged"`     // by that test
}

// Fleet is what is stored about the workers of a run.
type Fleet struct {
	Games     []arena.Finished          // all
	Counted   []arena.Finished          // those of pairs that count, pair by pair
	By        map[arena.Played]arena.By // workers on other machines
	Incidents []arena.Incident
}

func (f *Fleet) by(g *arena.Finished) arena.By { return f.By[arena.Played{ID: g.ID, Void: g.Void}] }

// AddWorkers adds what the workers of the run did to the report.
func (r *Report) AddWorkers(fleet Fleet) {
	rows := map[string]*WorkerRow{}
	row := func(name string) *WorkerRow {
		if rows[name] == nil {
			rows[name] = &WorkerRow{Worker: name}
		}
		return rows[name]
	}
	seconds, speeds := map[string]float64{}, map[string]float64{}
	for i := range fleet.Games {
		g := &fleet.Games[i]
		by := fleet.by(g)
		w := row(by.Worker)
		switch {
		case g.Void < 0:
			w.Aside++
		case g.Void > 0:
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
		case arena.Expelled:
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
		if w.Pairs >= leastPairs && len(rows) > 1 {
			h := rating.Homogeneous(strata(pairs, name))
			w.Homogeneity = &h
			if h.P != nil {
				tested++
			}
		}
	}
	r.Workers = []WorkerRow{}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		w := rows[name]
		w.Flagged = w.Homogeneity != nil && w.Homogeneity.P != nil && *w.Homogeneity.P < alarmLevel/float64(tested)
		r.Workers = append(r.Workers, *w)
	}
}

// pairs are the pentanomial counts of the pairs of which one worker played both games, by
// worker and pairing.
func (f *Fleet) pairs() map[string]map[[2]string]rating.Penta {
	out := map[string]map[[2]string]rating.Penta{}
	for i := 1; i < len(f.Counted); i++ {
		a, b := &f.Counted[i-1], &f.Counted[i]
		if a.Pairing != b.Pairing || a.Pair != b.Pair || a.Leg == b.Leg || f.by(a).Worker != f.by(b).Worker {
			continue
		}
		name := f.by(a).Worker
		if out[name] == nil {
			out[name] = map[[2]string]rating.Penta{}
		}
		p := out[name][a.Pairing]
		p[halves(a)+halves(b)]++
		out[name][a.Pairing] = p
		i++
	}
	return out
}

// halves are the points of the pairing's first engine in a game, in halves.
func halves(g *arena.Finished) int {
	switch g.Winner {
	case 0:
		return 2
	case 1:
		return 0
	}
	return 1
}

// strata compares a worker with all others, pairing by pairing.
func strata(pairs map[string]map[[2]string]rating.Penta, worker string) []rating.Stratum {
	var out []rating.Stratum
	for _, pairing := range slices.SortedFunc(maps.Keys(pairs[worker]), func(x, y [2]string) int {
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
	}) {
		s := rating.Stratum{A: pairing[0], B: pairing[1], Own: pairs[worker][pairing]}
		for name, counts := range pairs {
			if name != worker {
				s.Others = s.Others.Add(counts[pairing])
			}
		}
		out = append(out, s)
	}
	return out
}

func (r *Report) workerTable() *Table {
	t := tableOf("Workers", r.Workers, []column[WorkerRow]{
		{head: "Worker", name: "worker", kind: words, cell: func(w *WorkerRow) Cell { return Cell{cmp.Or(w.Worker, "this machine"), w.Worker} }},
		{head: "Games", name: "games", cell: func(w *WorkerRow) Cell { return count(w.Games) }},
		{head: "Pairs", name: "pairs", drop: 3, cell: func(w *WorkerRow) Cell { return count(w.Pairs) }},
		{head: "Speed", name: "speed", drop: 4, cell: func(w *WorkerRow) Cell { return number(w.Speed, oneDigit) }},
		{name: "moves", kind: csvOnly, cell: func(w *WorkerRow) Cell { return count(w.Moves) }},
		{head: "Moves/s", name: "moves_per_second", drop: 5, cell: func(w *WorkerRow) Cell { return number(w.MovesPerSecond, oneDigit) }},
		{head: "Faults", name: "faults", drop: 1, cell: func(w *WorkerRow) Cell { return count(w.Faults) }},
		{head: "Void", name: "voided", drop: 2, cell: func(w *WorkerRow) Cell { return count(w.Voided) }},
		{head: "Refused", name: "refused", cell: func(w *WorkerRow) Cell { return count(w.Refused) }},
		{
			head: "Aside", name: "set_aside", cell: func(w *WorkerRow) Cell { return count(w.Aside) },
			shown: anyRow(func(w *WorkerRow) bool { return w.Aside > 0 }),
		},
		{head: "Audited", name: "audited", cell: func(w *WorkerRow) Cell { return count(w.Audited) }},
		{head: "differ", name: "differ", cell: func(w *WorkerRow) Cell { return count(w.Differ) }},
		{
			head: "undecided", name: "undecided", cell: func(w *WorkerRow) Cell { return count(w.Undecided) },
			shown: anyRow(func(w *WorkerRow) bool { return w.Undecided > 0 }),
		},
		{head: "p", name: "p", cell: pCell},
		{head: "", name: "finding", kind: words, cell: func(w *WorkerRow) Cell {
			switch {
			case w.Flagged && w.Expelled:
				return text("unlike the others, expelled")
			case w.Flagged:
				return text("unlike the others")
			case w.Expelled:
				return text("expelled")
			}
			return text("")
		}, shown: anyRow(func(w *WorkerRow) bool { return w.Flagged || w.Expelled })},
	})
	t.Notes = []string{fmt.Sprintf("p: how likely results like its own, or odder ones, are if all workers' games are alike; of workers with %d pairs. "+
		"Below %g divided by the number of these workers it says that they are not", leastPairs, alarmLevel)}
	return t
}

// pCell is the probability of the test of homogeneity.
func pCell(w *WorkerRow) Cell {
	if w.Homogeneity == nil || w.Homogeneity.P == nil {
		return Cell{none, ""}
	}
	p := *w.Homogeneity.P
	if p < 0.0001 {
		return Cell{fmt.Sprintf("%.0e", p), raw(&p)}
	}
	return Cell{fmt.Sprintf("%.4f", p), raw(&p)}
}

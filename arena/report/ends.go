package report

import (
	"cmp"
	"slices"

	"thera/arena"
)

// ends counts how games ended, and the warnings about them.
func (r *Report) ends(sum *arena.Summary) {
	type key struct {
		source         arena.Source
		engine, reason string
	}
	at := map[key]int{}
	for _, e := range sum.Ends {
		k := key{source: e.Source, reason: e.Reason}
		if e.Blamed >= 0 {
			k.engine = e.Pairing[e.Blamed]
		}
		i, ok := at[k]
		if !ok {
			i = len(r.Ends)
			at[k] = i
			r.Ends = append(r.Ends, EndCount{Source: k.source, Engine: k.engine, Reason: k.reason, Example: e.Example})
		}
		r.Ends[i].Games += e.Games
	}
	slices.SortFunc(r.Ends, func(a, b EndCount) int {
		return cmp.Or(cmp.Compare(endOrder(a.Source), endOrder(b.Source)), cmp.Compare(a.Engine, b.Engine),
			cmp.Compare(b.Games, a.Games), cmp.Compare(a.Reason, b.Reason))
	})
	kinds := map[string]int{}
	for _, w := range sum.GameWarnings {
		i, ok := kinds[w.Kind]
		if !ok {
			i = len(r.Noted)
			kinds[w.Kind] = i
			r.Noted = append(r.Noted, WarningCount{Kind: w.Kind, Example: w.Example})
		}
		r.Noted[i].Count += w.Count
	}
	slices.SortStableFunc(r.Noted, func(a, b WarningCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind))
	})
}

// endOrder returns the place of a source in tables.
func endOrder(s arena.Source) int {
	return slices.Index([]arena.Source{arena.Natural, arena.Adjudicated, arena.Faulted, arena.Unrated}, s)
}

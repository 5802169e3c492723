package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"thera/arena"
	"thera/arena/report"
)

// most games of one kind on the page of an engine.
const mostOfKind = 3

// WriteEach writes a page for each engine of a run, for its author: its result, its faults with
// what repeats them, its worst losses and its best wins. The page of one that was left out at the
// last start says why. A page needs nothing else. show is the command that shows a game, without
// the game; checked is what a check says of each engine, in lines. Damaged games are left out, and
// the error names them.
func WriteEach(
	ctx context.Context, opts Options, info arena.RunInfo, show string, checked map[string]string,
	create func(engine string, write func(io.Writer) error) error,
) error {
	l, err := opts.load(ctx, info)
	if err != nil {
		return err
	}
	r := report.New(l.sum)
	for i := range r.Engines {
		view, err := opts.ofEngine(ctx, l, r, &r.Engines[i], show)
		if err == nil {
			view.Engine.Check = checked[r.Engines[i].Name]
			err = create(r.Engines[i].Name, view.write)
		}
		if err != nil {
			return err
		}
	}
	if l.info.Plan.Roster == nil {
		return l.damage
	}
	for _, out := range l.info.Plan.Roster.Out {
		view := newOffline(parts{Name: l.info.Name, Head: r.Head()})
		view.Engine = &enginePage{Name: out.Entry, Sentence: report.Printable(out.Entry + " did not play: " + out.Why)}
		if err := create(out.Entry, view.write); err != nil {
			return err
		}
	}
	return l.damage
}

// enginePage is what is particular to the page of an engine.
type enginePage struct {
	Name, Sentence, Command string
	Check                   string
	Pairings                *report.Table
	Faults                  []faultOf
}

// faultOf are the games that an engine lost by faults of one kind.
type faultOf struct {
	Title string
	Lines string // about the first
}

func (o *Options) ofEngine(
	ctx context.Context, l *loaded, r *report.Report, e *arena.EngineRow, show string,
) (*offline, error) {
	view := newOffline(parts{Name: l.info.Name, Head: r.Head()})
	view.Engine = &enginePage{
		Name: e.Name, Sentence: r.Place(e), Command: report.Command(e.Command), Pairings: r.PairingsOf(e.Name),
	}
	elo := map[string]float64{}
	for _, row := range r.Engines {
		if row.Elo != nil {
			elo[row.Name] = *row.Elo
		}
	}
	var won, lost []*arena.Game
	faults := map[string][]*arena.Game{}
	for i := range l.games {
		g := &l.games[i]
		i := slices.Index(g.Pairing[:], e.Name)
		switch {
		case !g.Status.Counts() || i < 0 || g.Pairing[0] == g.Pairing[1]:
		case g.Both() || g.Source == arena.Faulted && g.Guilty() == i:
			faults[g.End()] = append(faults[g.End()], g)
		case g.Winner() == i:
			won = append(won, g)
		case g.Winner() >= 0:
			lost = append(lost, g)
		}
	}
	strength := func(g *arena.Game) float64 { return elo[g.Pairing[1-slices.Index(g.Pairing[:], e.Name)]] }
	slices.SortStableFunc(won, func(a, b *arena.Game) int { return cmp.Compare(strength(b), strength(a)) })
	slices.SortStableFunc(lost, func(a, b *arena.Game) int { return cmp.Compare(strength(a), strength(b)) })
	g, err := o.Game(&l.info)
	if err != nil {
		return nil, err
	}
	again := report.Again{Show: show, Plan: l.info.PlanOf(g)}
	var failed []*arena.Game
	often := func(a, b string) int { return cmp.Or(len(faults[b])-len(faults[a]), strings.Compare(a, b)) }
	for _, kind := range slices.SortedFunc(maps.Keys(faults), often) {
		f := faultOf{Title: fmt.Sprintf("%s: %s", kind, arena.Plural(len(faults[kind]), "game"))}
		for first, err := range o.stored(ctx, l, idsOf(faults[kind], 1)) {
			if err != nil {
				return nil, err
			}
			f.Lines = strings.Join(report.FaultLines(first, again), "\n")
			failed = append(failed, faults[kind][0])
		}
		view.Engine.Faults = append(view.Engine.Faults, f)
	}
	for _, of := range []struct {
		title string
		games []*arena.Game
	}{{"Games lost by a fault", failed}, {"Losses to the weakest", lost}, {"Wins over the strongest", won}} {
		err = errors.Join(err, o.replays(ctx, l, view, of.title, "", idsOf(of.games, mostOfKind)))
	}
	return view, err
}

// idsOf are the identities of the first games.
func idsOf(games []*arena.Game, most int) []string {
	return arena.Map(games[:min(len(games), most)], func(g *arena.Game) string { return g.ID })
}

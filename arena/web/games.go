package web

import (
	"net/http"
	"net/url"
	"slices"

	"thera/arena"
	"thera/engine/game"
)

// filter chooses games of a list.
type filter struct {
	Engine, Against, Role, Reason, Result string
	Faults, Void                          bool
}

func filterOf(q url.Values) filter {
	return filter{
		Engine: q.Get("engine"), Against: q.Get("against"), Role: q.Get("role"), Reason: q.Get("reason"), Result: q.Get("result"),
		Faults: q.Get("faults") != "", Void: q.Get("void") != "",
	}
}

func (f *filter) takes(g *arena.Game) bool {
	fault := g.Source == arena.Faulted || g.Source == arena.Stalled
	switch {
	case !g.Status.Counts() && !f.Void, f.Faults && !fault,
		f.Engine != "" && !slices.Contains(g.Pairing[:], f.Engine), f.Against != "" && !slices.Contains(g.Pairing[:], f.Against),
		f.Role != "" && g.Roles[0] != f.Role && g.Roles[1] != f.Role,
		f.Reason != "" && g.End() != f.Reason:
		return false
	}
	switch f.Result {
	case "1-0":
		return g.Outcome.Winner == game.First
	case "0-1":
		return g.Outcome.Winner == game.Second
	case "draw":
		return g.Outcome.Winner == game.None
	}
	return true
}

// gameList is a part of a run's games.
type gameList struct {
	runView
	pager
	Games  []*arena.GameLine `json:"games"`
	Filter filter            `json:"-"`
	Names  []string          `json:"-"`
}

// list returns the games that a request asks for.
func (l *loaded) list(f filter, r *http.Request) (out gameList, err error) {
	out = gameList{runView: viewOf(l), Games: []*arena.GameLine{}, Filter: f}
	if out.pager, err = pageOf(r); err != nil {
		return out, err
	}
	for i := range l.games {
		if !f.takes(&l.games[i]) {
			continue
		}
		if out.Total >= out.Offset && out.Total < out.Offset+pageSize {
			out.Games = append(out.Games, l.games[i].Line(""))
		}
		out.Total++
	}
	out.Offset = min(out.Offset, out.Total)
	for _, e := range l.sum.Figures.Engines {
		out.Names = append(out.Names, e.Name)
	}
	for _, d := range l.sum.Dead {
		out.Names = append(out.Names, d.Engine)
	}
	return out, nil
}

// games lists the games of a run in the order of its plan.
func games(l *loaded, r *http.Request) (*page, error) {
	list, err := l.list(filterOf(r.URL.Query()), r)
	return &page{template: "games", title: "Games of " + l.info.Name, data: list}, err
}

// faults shows which engines failed how often and how, and the games.
func faults(l *loaded, r *http.Request) (*page, error) {
	list, err := l.list(filter{Faults: true, Void: true}, r)
	data := struct {
		gameList
		Ends     []arena.EndCount     `json:"ends"`
		Warnings []arena.WarningCount `json:"game_warnings"`
	}{gameList: list, Ends: []arena.EndCount{}, Warnings: l.sum.Figures.Noted}
	for _, e := range l.sum.Figures.Ends {
		if e.Source == arena.Faulted || e.Source == arena.Unrated {
			data.Ends = append(data.Ends, e)
		}
	}
	return &page{template: "faults", title: "Faults of " + l.info.Name, data: data}, err
}

package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"thera/arena"
	"thera/arena/plot"
	"thera/arena/report"
	"thera/arena/store"
)

// pageSize bounds the rows of a page.
const pageSize = 100

// pager is a part of a list.
type pager struct {
	Total  int    `json:"total"`
	Offset int    `json:"offset"`
	Base   string `json:"-"` // address of the parts, to which the offset is appended
}

// Last is the place behind the last row that is shown.
func (p pager) Last() int { return min(p.Total, p.Offset+pageSize) }

// Earlier and Later are the offsets of the parts before and after, -1 for none.
func (p pager) Earlier() int {
	if p.Offset == 0 {
		return -1
	}
	return max(0, p.Offset-pageSize)
}

// Later is the offset of the next part.
func (p pager) Later() int {
	if p.Last() >= p.Total {
		return -1
	}
	return p.Last()
}

func offset(r *http.Request) (int, error) { return number(r, "offset", 0, 0, 1<<30) }

// part returns the rows of a page.
func part[T any](list []T, from int) []T {
	from = min(from, len(list))
	return list[from:min(len(list), from+pageSize)]
}

// runs lists all runs, the latest first.
func (s *Server) runs(ctx context.Context, r *http.Request) (*page, error) {
	from, err := offset(r)
	if err != nil {
		return nil, err
	}
	infos, err := s.opts.Store.Runs(ctx)
	if err != nil && !errors.Is(err, store.ErrDamaged) {
		return nil, err
	}
	data := struct {
		pager
		Runs   []arena.RunInfo `json:"runs"`
		Damage string          `json:"damage,omitempty"`
		Live   int64           `json:"live,omitempty"` // the run that this program plays
	}{pager: pager{Total: len(infos), Offset: from, Base: "/?offset="}, Runs: append([]arena.RunInfo{}, part(infos, from)...), Live: s.opts.Live.run()}
	if err != nil {
		data.Damage = report.Lines(err.Error())
	}
	return &page{template: "runs", title: "Runs", data: data}, nil
}

// found returns the run of an address: a number.
func (s *Server) found(ctx context.Context, r *http.Request) (arena.RunInfo, error) {
	word := r.PathValue("run")
	if _, err := strconv.ParseInt(word, 10, 64); err != nil {
		return arena.RunInfo{}, notFound("run %s: want a number, as the list of runs has it", report.Printable(word))
	}
	return s.opts.Store.Find(ctx, "#"+word)
}

// ofRun returns the run of an address with its figures.
func (s *Server) ofRun(ctx context.Context, r *http.Request) (*loaded, error) {
	info, err := s.found(ctx, r)
	if err != nil {
		return nil, err
	}
	return s.cache.run(ctx, info)
}

// runView is what all pages of a run show at the top.
type runView struct {
	Run    arena.RunInfo `json:"run"`
	Roles  bool          `json:"-"`
	Failed int           `json:"-"` // games lost by faults
}

func viewOf(l *loaded) runView {
	v := runView{Run: l.info, Roles: len(l.sum.Figures.Roles) > 1}
	for _, e := range l.sum.Figures.Engines {
		v.Failed += e.Faults
	}
	for _, d := range l.sum.Dead {
		v.Failed += d.Faults
	}
	return v
}

// run shows the tables and plots of a run.
func (s *Server) run(ctx context.Context, r *http.Request) (*page, error) {
	l, err := s.ofRun(ctx, r)
	if err != nil {
		return nil, err
	}
	data := &runPage{runView: viewOf(l), parts: l.parts(), Report: report.New(l.sum), Course: &l.sum.Course}
	if l.damage != nil {
		data.Damage = report.Lines(l.damage.Error())
	}
	p := &page{template: "run", title: l.info.Name, data: data}
	live := s.opts.Live.plays(l.info.ID)
	if live {
		data.parts = s.opts.Live.parts()
	}
	if live || l.info.State == "running" {
		p.stream = fmt.Sprintf("/run/%d/events", l.info.ID)
	}
	return p, nil
}

// runPage is what the page of a run shows.
type runPage struct {
	runView
	parts  `json:"-"`
	Report *report.Report `json:"report"`
	Course *arena.Course  `json:"course"`
	Damage string         `json:"damage,omitempty"`
}

// parts are those parts of a run's page that change while it is played.
type parts struct {
	of       *arena.Summary // what tables and plots show
	ID       int64          // 0 where nothing may link to a server
	Name     string
	Head     string
	Claim    string // what the run has found
	Figures  string // that show it
	Progress string
	Share    int // of the games that are played, in percent; -1 if it is not known
	State    string
	Notes    []string
	First    []*report.Table // that stand beside the plots
	Cross    *report.Table
	Bracket  [][]arena.Duel  // by round
	Tables   []*report.Table // behind their headings
	Plots    []plot.Named
	Boards   []board
	Faults   []gameRow
}

// board is a game that is being played.
type board struct {
	First, Second string
	Ply           int
	SVG           string
	Words, End    string
	Evals         []Asked
}

const (
	mostCross = 40 // engines in a crosstable
	mostHeat  = 16 // roles in the heat map of a run's page; that of the gods has more
)

// partsOf draws what follows from a summary. With heat the heat map is among the plots.
func partsOf(sum *arena.Summary, heat bool) parts {
	r := report.New(sum)
	p := parts{
		of: sum, ID: sum.Run.ID, Name: sum.Run.Name, Head: r.Head(), State: r.State, Notes: r.Notes(),
		Bracket: roundsOf(sum.Bracket), Share: -1,
	}
	p.Claim, p.Figures = r.Answer()
	alone := len(r.Engines) == 1 // the roles are what is rated
	for _, t := range r.Views() {
		switch {
		case t.Name == "cross", t.Name == "ranking" && alone && len(r.Roles) > 1, t.Name == "matrix" && len(r.Roles) > mostHeat:
		case t.Name == "standings", t.Name == "ranking" && len(r.Standings) == 0, t.Name == "roles" && alone:
			p.First = append(p.First, t)
		default:
			p.Tables = append(p.Tables, t)
		}
	}
	if n := len(r.Engines); n > 2 && n <= mostCross && p.Bracket == nil {
		p.Cross = crosstable(r)
	}
	var without []string
	if !heat {
		without = append(without, "roles")
	}
	if alone {
		without = append(without, "ratings")
	}
	p.Plots = plot.All(sum, without...)
	return p
}

// crosstable returns that of a report. Its columns have the numbers of its rows: names would make it too wide.
// The raw value of a cell is its score in quarters, for its colour.
func crosstable(r *report.Report) *report.Table {
	t, err := r.Table("cross")
	if err != nil {
		panic(err)
	}
	t = t.View()
	shades := map[[2]string]string{}
	for i := range r.Pairings {
		if p := &r.Pairings[i]; p.Score.Score != nil {
			for side, score := range [2]float64{*p.Score.Score, 1 - *p.Score.Score} {
				shades[[2]string{p.Engines[side], p.Engines[1-side]}] = fmt.Sprintf("s%.0f", 4*score)
			}
		}
	}
	for i, row := range t.Rows {
		t.Heads[i+1].Head = strconv.Itoa(i + 1)
		for j := 1; j < len(row); j++ {
			row[j].Raw = shades[[2]string{row[0].Raw, t.Heads[j].Name}]
		}
	}
	return t
}

// roundsOf returns the matches of a knockout by round, with those to come.
func roundsOf(matches []arena.Duel) (rounds [][]arena.Duel) {
	for _, m := range matches {
		if m.Round > len(rounds) {
			rounds = append(rounds, nil)
		}
		rounds[m.Round-1] = append(rounds[m.Round-1], m)
	}
	for n := len(rounds); n > 0 && len(rounds[n-1]) > 1; n++ {
		rounds = append(rounds, make([]arena.Duel, len(rounds[n-1])/2))
	}
	return rounds
}

// plot answers with one plot as a file.
func (s *Server) plot(ctx context.Context, r *http.Request) (*page, error) {
	l, err := s.ofRun(ctx, r)
	if err != nil {
		return nil, err
	}
	text, err := plot.Draw(l.sum, r.PathValue("plot"))
	if err != nil {
		return nil, &httpError{http.StatusNotFound, err.Error()}
	}
	return &page{svg: text}, nil
}

package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"thera/arena"
	"thera/arena/plot"
	"thera/arena/report"
	"thera/arena/store"
	"thera/engine/game"
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

// Earlier is the offset of the part before.
func (p pager) Earlier() int { return max(0, p.Offset-pageSize) }

// pageOf returns the part of a list that a request asks for.
func pageOf(r *http.Request) (pager, error) {
	query := r.URL.Query()
	query.Del("offset")
	from, err := number(r, "offset", 0, 1<<30)
	return pager{Offset: from, Base: strings.Replace(r.URL.Path+"?"+query.Encode()+"&offset=", "?&", "?", 1)}, err
}

// runs lists all runs, the latest first.
func (s *Server) runs(r *http.Request) (*page, error) {
	part, err := pageOf(r)
	if err != nil {
		return nil, err
	}
	infos, err := s.opts.Store.Runs(r.Context())
	if err != nil && !errors.Is(err, store.ErrDamaged) {
		return nil, err
	}
	part.Total = len(infos)
	data := struct {
		pager
		Runs   []arena.RunInfo `json:"runs"`
		Damage string          `json:"damage,omitempty"`
		Live   int64           `json:"live,omitempty"` // the run that this program plays
	}{pager: part, Runs: append([]arena.RunInfo{}, infos[min(part.Offset, part.Total):part.Last()]...), Live: s.opts.Live.run()}
	if err != nil {
		data.Damage = report.Lines(err.Error())
	}
	return &page{template: "runs", title: "Runs", data: data}, nil
}

// found returns the run of an address: a number.
func (s *Server) found(r *http.Request) (arena.RunInfo, error) {
	word := r.PathValue("run")
	if _, err := strconv.ParseInt(word, 10, 64); err != nil {
		return arena.RunInfo{}, notFound("run %s: want a number, as the list of runs has it", report.Printable(word))
	}
	return s.opts.Store.Find(r.Context(), "#"+word)
}

// ofRun makes a page of the run of an address, with its figures.
func (s *Server) ofRun(of func(*loaded, *http.Request) (*page, error)) func(*http.Request) (*page, error) {
	return func(r *http.Request) (*page, error) {
		info, err := s.found(r)
		if err != nil {
			return nil, err
		}
		l, err := s.load(r.Context(), info)
		if err != nil {
			return nil, err
		}
		return of(l, r)
	}
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
func (s *Server) run(l *loaded, _ *http.Request) (*page, error) {
	data := &runPage{runView: viewOf(l), Report: report.New(l.sum), Course: &l.sum.Course}
	if l.damage != nil {
		data.Damage = report.Lines(l.damage.Error())
	}
	p := &page{template: "run", title: l.info.Name, data: data}
	live, _ := s.opts.Live.parts(l.info.ID)
	if live != nil || l.info.State == "running" {
		p.stream = fmt.Sprintf("/run/%d/events", l.info.ID)
	}
	if live == nil {
		live = new(l.parts())
	}
	data.parts = *live
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
	Notes    []string
	First    []*report.Table // that stand beside the plots
	Cross    *report.Table
	Bracket  [][]arena.Duel  // by round
	Tables   []*report.Table // behind their headings
	Plots    []plot.Named
	Boards   []board
	Faults   []*arena.GameLine
}

// board is a game that is being played.
type board struct {
	First, Second string
	frame
}

const (
	mostCross = 40 // engines in a crosstable
	mostHeat  = 16 // roles in the heat map of a run's page; that of the gods has more
)

// partsOf draws what follows from a summary. With heat the heat map is among the plots.
func partsOf(sum *arena.Summary, heat bool) parts {
	r := report.New(sum)
	p := parts{
		of: sum, ID: sum.Run.ID, Name: sum.Run.Name, Head: r.Head(), Notes: r.Notes(),
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
	for _, p := range r.Pairings {
		if p.Score.Score != nil {
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

// drawPlot answers with one plot as a file.
func drawPlot(l *loaded, r *http.Request) (*page, error) {
	text, err := plot.Draw(l.sum, r.PathValue("plot"))
	if err != nil {
		return nil, notFound("%v", err)
	}
	return &page{svg: text}, nil
}

// gods shows the roles of a run: the heat map and their ranking.
func gods(l *loaded, _ *http.Request) (*page, error) {
	if len(l.sum.Figures.Roles) == 0 {
		return nil, notFound("run %s has no games between gods", report.Printable(l.info.Name))
	}
	data := struct {
		runView
		RoleRows []arena.RoleRow    `json:"roles"`
		Matrix   []arena.MatrixCell `json:"matrix"`
		Plot     string             `json:"-"`
		Table    *report.Table      `json:"-"`
	}{runView: viewOf(l), RoleRows: l.sum.Figures.Roles, Matrix: l.sum.Figures.Matrix}
	var err error
	if data.Plot, err = plot.Draw(l.sum, "roles"); err != nil && !errors.Is(err, plot.ErrNothing) {
		return nil, err
	}
	roles, err := report.New(l.sum).Table("roles")
	if err != nil {
		return nil, err
	}
	data.Table = roles.View()
	return &page{template: "gods", title: "Gods of " + l.info.Name, data: data}, nil
}

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
	winner, chosen := winners[f.Result]
	return !chosen || g.Outcome.Winner == winner
}

// winners are the winners by the results that a filter knows.
var winners = map[string]game.Seat{"1-0": game.First, "0-1": game.Second, "draw": game.None}

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
	chosen := filterOf(r.URL.Query())
	if _, ok := winners[chosen.Result]; !ok && chosen.Result != "" {
		text := fmt.Sprintf("result=%s: want 1-0, 0-1 or draw", report.Printable(chosen.Result))
		return nil, &httpError{http.StatusBadRequest, text}
	}
	list, err := l.list(chosen, r)
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

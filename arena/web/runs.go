package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"thera/arena"
	"thera/arena/plot"
	"thera/arena/report"
	"thera/arena/store"
)

// pageSize bounds the rows of a page.
const pageSize = 100

// runLine is a run in a list.
type runLine struct {
	ID      int64     `json:"id"`
	Name    string    `json:"name"`
	Game    string    `json:"game"`
	Format  string    `json:"format"`
	State   string    `json:"state"`
	Games   int       `json:"games"`
	Started time.Time `json:"started"`
	Changed time.Time `json:"changed"`
}

func lineOf(info *arena.RunInfo) runLine {
	return runLine{
		ID: info.ID, Name: info.Name, Game: info.Game, Format: info.Plan.Format.Name, State: info.State, Games: info.Games,
		Started: info.Started.UTC(), Changed: info.Changed.UTC(),
	}
}

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
		Runs   []runLine `json:"runs"`
		Damage string    `json:"damage,omitempty"`
		Live   int64     `json:"live,omitempty"` // the run that this program plays
	}{pager: pager{Total: len(infos), Offset: from, Base: "/?offset="}, Runs: []runLine{}, Live: s.opts.Live.run()}
	if err != nil {
		data.Damage = report.Lines(err.Error())
	}
	infos = part(infos, from)
	for i := range infos {
		data.Runs = append(data.Runs, lineOf(&infos[i]))
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
	Run    runLine `json:"run"`
	Roles  bool    `json:"-"`
	Failed int     `json:"-"` // games lost by faults
}

func viewOf(l *loaded) runView {
	v := runView{Run: lineOf(&l.info), Roles: len(l.sum.Figures.Roles) > 1}
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
	ID       int64
	Head     string
	Progress string
	Share    int // of the games that are played, in percent; -1 if it is not known
	State    string
	Notes    []string
	Tables   []*report.Table
	Plots    []plot.Named
	Boards   []board
	Faults   []liveFault
	Seats    bool // whether live boards are shown
}

// board is a game that is being played.
type board struct {
	Slot          int
	First, Second string
	Ply           int
	SVG           string
	Words, End    string
	Evals         []Asked
}

// liveFault is a fault of the run that is being played.
type liveFault struct{ Game, Engine, Fault string }

// partsOf draws what follows from a summary.
func partsOf(sum *arena.Summary) parts {
	r := report.New(sum)
	p := parts{
		of: sum, ID: sum.Run.ID, Head: r.Head(), State: r.State, Notes: r.Notes(), Tables: r.Views(), Plots: plot.All(sum), Share: -1,
	}
	for i := range p.Tables { // the matrix is on the page of the gods, as a heat map too
		if len(r.Roles) > 4 && p.Tables[i].Title != "" && len(p.Tables[i].Heads) > 16 {
			p.Tables[i].Rows = nil
			p.Tables[i].Notes = append(p.Tables[i].Notes, "the page of the gods has this table as a heat map")
		}
	}
	return p
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

package web

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"thera/arena"
	"thera/arena/plot"
	"thera/arena/report"
)

// gods shows the roles of a run: the heat map and their ranking.
func (s *Server) gods(ctx context.Context, r *http.Request) (*page, error) {
	l, err := s.withRoles(ctx, r)
	if err != nil {
		return nil, err
	}
	data := struct {
		runView
		RoleRows []arena.RoleRow    `json:"roles"`
		Matrix   []arena.MatrixCell `json:"matrix"`
		Plot     string             `json:"-"`
		Tables   []*report.Table    `json:"-"`
	}{runView: viewOf(l), RoleRows: l.sum.Figures.Roles, Matrix: l.sum.Figures.Matrix}
	if data.Plot, err = plot.Draw(l.sum, "roles"); err != nil && !errors.Is(err, plot.ErrNothing) {
		return nil, err
	}
	for _, name := range []string{"roles", "extremes"} {
		t, err := report.New(l.sum).Table(name)
		if err != nil {
			return nil, err
		}
		if len(t.Rows) > 0 {
			data.Tables = append(data.Tables, t.View())
		}
	}
	return &page{template: "gods", title: "Gods of " + l.info.Name, data: data}, nil
}

// withRoles returns a run that has roles.
func (s *Server) withRoles(ctx context.Context, r *http.Request) (*loaded, error) {
	l, err := s.ofRun(ctx, r)
	if err == nil && len(l.sum.Figures.Roles) == 0 {
		err = notFound("run %s has no games between gods", report.Printable(l.info.Name))
	}
	return l, err
}

// god shows one role against all others.
func (s *Server) god(ctx context.Context, r *http.Request) (*page, error) {
	l, err := s.withRoles(ctx, r)
	if err != nil {
		return nil, err
	}
	return s.roles(l, r.PathValue("a"), "")
}

// matchup shows two roles against each other; the address has them as A,B.
func (s *Server) matchup(ctx context.Context, r *http.Request) (*page, error) {
	l, err := s.withRoles(ctx, r)
	if err != nil {
		return nil, err
	}
	a, b, ok := strings.Cut(r.PathValue("ab"), ",")
	if !ok {
		return nil, notFound("want two gods as A,B")
	}
	return s.roles(l, a, b)
}

// roles shows the match-ups of role a, with b alone unless it is "".
func (s *Server) roles(l *loaded, a, b string) (*page, error) {
	data := struct {
		runView
		A        string             `json:"role"`
		B        string             `json:"against,omitempty"`
		Role     *arena.RoleRow     `json:"figures,omitempty"`
		Matchups []arena.MatchupRow `json:"matchups"`
		Cells    []arena.MatrixCell `json:"cells"`
		Plot     string             `json:"-"`
		Engines  bool               `json:"-"` // whether the match-ups say how each engine did
	}{runView: viewOf(l), A: a, B: b, Matchups: []arena.MatchupRow{}, Cells: []arena.MatrixCell{}}
	for i := range l.sum.Figures.Roles {
		if l.sum.Figures.Roles[i].Name == a {
			data.Role = &l.sum.Figures.Roles[i]
		}
	}
	if data.Role == nil {
		return nil, notFound("run %s has no god %s", report.Printable(l.info.Name), report.Printable(a))
	}
	for _, m := range l.sum.Figures.Matchups {
		if b == "" && (m.Roles[0] == a || m.Roles[1] == a) || b != "" && (m.Roles == [2]string{a, b} || m.Roles == [2]string{b, a}) {
			data.Matchups = append(data.Matchups, m)
			data.Engines = data.Engines || len(m.Engines) > 0
		}
	}
	for _, c := range l.sum.Figures.Matrix {
		if c.Row == a && (b == "" || c.Col == b) {
			data.Cells = append(data.Cells, c)
		}
	}
	if len(data.Matchups) == 0 {
		return nil, notFound("%s and %s never met in run %s", report.Printable(a), report.Printable(b), report.Printable(l.info.Name))
	}
	name, title := a, a
	if b != "" {
		name, title = a+","+b, a+" against "+b
	}
	var err error
	if data.Plot, err = plot.Draw(l.sum, name); err != nil && !errors.Is(err, plot.ErrNothing) {
		return nil, err
	}
	return &page{template: "god", title: title, data: data}, nil
}

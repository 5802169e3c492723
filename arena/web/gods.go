package web

import (
	"context"
	"errors"
	"net/http"

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
	roles, err := report.New(l.sum).Table("roles")
	if err != nil {
		return nil, err
	}
	data.Tables = []*report.Table{roles.View()}
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
	data := struct {
		runView
		A        string             `json:"role"`
		Role     *arena.RoleRow     `json:"figures,omitempty"`
		Matchups []arena.MatchupRow `json:"matchups"`
		Cells    []arena.MatrixCell `json:"cells"`
		Plot     string             `json:"-"`
		Engines  bool               `json:"-"` // whether the match-ups say how each engine did
	}{runView: viewOf(l), A: r.PathValue("a"), Matchups: []arena.MatchupRow{}, Cells: []arena.MatrixCell{}}
	for i := range l.sum.Figures.Roles {
		if l.sum.Figures.Roles[i].Name == data.A {
			data.Role = &l.sum.Figures.Roles[i]
		}
	}
	if data.Role == nil {
		return nil, notFound("run %s has no god %s", report.Printable(l.info.Name), report.Printable(data.A))
	}
	for _, m := range l.sum.Figures.Matchups {
		if m.Roles[0] == data.A || m.Roles[1] == data.A {
			data.Matchups = append(data.Matchups, m)
			data.Engines = data.Engines || len(m.Engines) > 0
		}
	}
	for _, c := range l.sum.Figures.Matrix {
		if c.Row == data.A {
			data.Cells = append(data.Cells, c)
		}
	}
	if data.Plot, err = plot.Draw(l.sum, data.A); err != nil && !errors.Is(err, plot.ErrNothing) {
		return nil, err
	}
	return &page{template: "god", title: data.A, data: data}, nil
}

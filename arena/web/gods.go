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
	l, err := s.ofRun(ctx, r)
	if err != nil {
		return nil, err
	}
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

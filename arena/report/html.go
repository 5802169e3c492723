package report

// Views returns the tables that have something to show, as Write chooses them.
func (r *Report) Views() []*Table {
	var views []*Table
	for _, t := range r.chosen() {
		views = append(views, t.View())
	}
	return views
}

// Notes returns what stands below the tables: decisions, remarks and warnings.
func (r *Report) Notes() []string {
	lines := r.lines()
	for i := range lines {
		lines[i] = Printable(lines[i])
	}
	return lines
}

// Head describes the run in a line: game, format, games, limit and state.
func (r *Report) Head() string { return Printable(r.headText()) }

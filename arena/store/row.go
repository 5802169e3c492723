package store

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// row is a row of the table games, with its pairing in the order in which it was put.
type row struct {
	id, run int64
	engines [2]int64 // of the pairing
	game    arena.Game
}

// cell is a column of the table games and the field that it holds.
type cell struct {
	column string
	field  any
}

// cells are the columns of what is known of a game, from its identity on.
func (r *row) cells() []cell {
	g := &r.game
	cells := []cell{
		{"identity", &g.ID},
		{"status", &g.Status},
		{"attempt", &g.Attempt},
		{"a", &r.engines[0]},
		{"b", &r.engines[1]},
		{"round", &g.Round},
		{"place", &g.Index},
		{"pair", &g.Pair},
		{"leg", &g.Leg},
		{"winner", &g.Outcome.Winner},
		{"source", &g.Source},
		{"reason", &g.Outcome.Reason},
		{"blamed", &g.Blamed},
		{"plies", &g.Turns},
		{"role1", &g.Roles[0]},
		{"role2", &g.Roles[1]},
		{"opening", &g.StartHash},
		{"sameness", &g.Sameness},
		{"seconds", &g.Seconds},
		{"warnings", &g.Warnings},
		{"worker", &g.By},
	}
	for i := range g.Sides {
		n := strconv.Itoa(i + 1)
		cells = append(cells, cell{"points" + n, &g.Outcome.Points[i]}, cell{"spent" + n, &g.Sides[i]})
	}
	return cells
}

// rowColumns are the columns of a row, with its checksum as the last one.
func rowColumns() []string {
	columns := []string{"id", "run"}
	for _, c := range new(row).cells() {
		columns = append(columns, c.column)
	}
	return append(columns, "sum")
}

// selectRows is a query of rows with other columns, which follow them.
func selectRows(rest string, others ...string) string {
	return "SELECT " + strings.Join(append(rowColumns(), others...), ", ") + " FROM games g " + rest
}

// values are the values of rowColumns without the number of the row.
func (r *row) values() []any {
	values := []any{r.run}
	for _, c := range r.cells() {
		values = append(values, valueOf(c.field))
	}
	return append(values, sumOf(values...))
}

// valueOf returns a field as SQLite keeps it: NULL for what most games do not have, which is
// read quickest.
func valueOf(field any) any {
	switch f := field.(type) {
	case *string:
		return *f
	case *int64:
		return *f
	case *arena.Status:
		return string(*f)
	case *arena.Source:
		return string(*f)
	case *int:
		return int64(*f)
	case *game.Seat:
		return int64(*f)
	case *uint64:
		return int64(*f)
	case *float64:
		if *f == 0 {
			return nil
		}
		return *f
	case *arena.Effort:
		return effortText(f)
	case *[]string:
		if len(*f) == 0 {
			return nil
		}
	case **arena.By:
		if *f == nil {
			return nil
		}
	}
	text, err := json.Marshal(field)
	if err != nil {
		panic(fmt.Sprintf("store: a %T cannot be written: %v", field, err)) // plain data only
	}
	return string(text)
}

// effortText returns the numbers of e with spaces between: SQLite needs much longer for columns of
// their own.
func effortText(e *arena.Effort) string {
	var text []byte
	for _, n := range [...]int64{e.Moves, int64(e.Wall), int64(e.CPU), e.Depth, e.Depths, e.Nodes, int64(e.Idle), int64(e.Failed)} {
		text = strconv.AppendInt(append(text, ' '), n, 10)
	}
	return string(text[1:])
}

// readEffort reads what effortText returned.
func readEffort(text string) (e arena.Effort, err error) {
	var n [8]int64
	for i := range n {
		word, rest, _ := strings.Cut(text, " ")
		if n[i], err = strconv.ParseInt(word, 10, 64); err != nil {
			return e, err
		}
		text = rest
	}
	return arena.Effort{
		Moves: n[0], Wall: time.Duration(n[1]), CPU: time.Duration(n[2]), Depth: n[3], Depths: n[4], Nodes: n[5],
		Idle: time.Duration(n[6]), Failed: int(n[7]),
	}, nil
}

// rowReader reads rows of the table games of one run.
type rowReader struct {
	row
	cells   []cell
	values  []any
	into    []any             // pointers to values, then what else is read
	texts   map[string]string // one copy of each text, since many games share few texts
	engines map[int64]*rawEngine
}

// newRowReader is for queries of selectRows. Columns that follow are read into others.
func newRowReader(run *rawRun, others ...any) *rowReader {
	r := &rowReader{texts: map[string]string{}, engines: map[int64]*rawEngine{}}
	r.cells = r.row.cells()
	r.values = make([]any, len(r.cells)+3)
	for i := range r.values {
		r.into = append(r.into, &r.values[i])
	}
	r.into = append(r.into, others...)
	for i := range run.engines {
		r.engines[run.engines[i].id] = &run.engines[i]
	}
	return r
}

// scan reads the next row. bad is what is wrong with it, when the row is damaged.
func (r *rowReader) scan(rows interface{ Scan(...any) error }) (bad, err error) {
	if err := rows.Scan(r.into...); err != nil {
		return nil, err
	}
	r.row = row{}
	last := len(r.values) - 1
	r.game.ID, _ = r.values[2].(string)
	if sum, ok := r.values[last].(int64); !ok || sumOf(r.values[1:last]...) != sum {
		return errChecksum, nil
	}
	r.id, r.run = r.values[0].(int64), r.values[1].(int64)
	for i, c := range r.cells {
		if err := r.set(c.field, r.values[i+2]); err != nil {
			return fmt.Errorf("%s: %w", c.column, err), nil
		}
	}
	for i, id := range r.row.engines {
		e, ok := r.engines[id]
		if !ok {
			return fmt.Errorf("its engine #%d does not belong to its run", id), nil
		}
		r.game.Pairing[i] = e.name
	}
	return nil, nil
}

// turned reports whether the plan names the pairing in the other order. A game's identity does
// not depend on it, so a run can be resumed with a file that lists the engines in another order.
func (r *rowReader) turned() bool {
	return r.engines[r.row.engines[0]].place > r.engines[r.row.engines[1]].place
}

// finished returns the game with its pairing in the plan's order.
func (r *rowReader) finished() arena.Game {
	if r.turned() {
		return *r.game.Turned()
	}
	return r.game
}

// set puts a value into a field of its kind.
func (r *rowReader) set(field, value any) (err error) {
	switch v := value.(type) {
	case int64:
		switch f := field.(type) {
		case *int:
			*f = int(v)
		case *game.Seat:
			*f = game.Seat(v)
		case *int64:
			*f = v
		case *uint64:
			*f = uint64(v)
		default:
			return fmt.Errorf("a whole number, want a %T", field)
		}
	case float64:
		f, ok := field.(*float64)
		if !ok {
			return fmt.Errorf("a number, want a %T", field)
		}
		*f = v
	case string:
		switch f := field.(type) {
		case *string:
			if *f = v; f != &r.game.ID { // which is not shared
				*f = r.shared(v)
			}
		case *arena.Status:
			*f = arena.Status(r.shared(v))
		case *arena.Source:
			*f = arena.Source(r.shared(v))
		case *arena.Effort:
			*f, err = readEffort(v)
		case *[]string, **arena.By:
			err = json.Unmarshal([]byte(v), f)
		default:
			return fmt.Errorf("a text, want a %T", field)
		}
	}
	return err
}

func (r *rowReader) shared(text string) string {
	if t, ok := r.texts[text]; ok {
		return t
	}
	r.texts[text] = text
	return text
}

package store

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// row is a row of the table games, with its pairing in the order in which it was put.
type row struct {
	id, run int64
	engines [2]int // of the pairing, by place among all engines of the run
	game    arena.Game
}

// columns are those of a row without its number.
var columns = strings.Fields(`run identity status attempt a b round place pair leg winner source reason blamed plies role1 role2
	opening sameness seconds warnings worker points1 points2 spent1 spent2 sum`)

// fields are where the values of columns are, but the sum.
func (r *row) fields() []any {
	g := &r.game
	return []any{
		&r.run, &g.ID, &g.Status, &g.Attempt, &r.engines[0], &r.engines[1], &g.Round, &g.Index, &g.Pair, &g.Leg,
		&g.Outcome.Winner, &g.Source, &g.Outcome.Reason, &g.Blamed, &g.Turns, &g.Roles[0], &g.Roles[1],
		&g.StartHash, &g.Sameness, &g.Seconds, &g.Warnings, &g.By,
		&g.Outcome.Points[0], &g.Outcome.Points[1], &g.Sides[0], &g.Sides[1],
	}
}

// selectRows is a query of rows with other columns, which follow them.
func selectRows(rest string, others ...string) string {
	return "SELECT " + strings.Join(append(append([]string{"id"}, columns...), others...), ", ") + " FROM games g " + rest
}

// insertRow stores a row.
func insertRow() string {
	return "INSERT INTO games (" + strings.Join(columns, ", ") + ") VALUES (?" + strings.Repeat(", ?", len(columns)-1) +
		") ON CONFLICT (run, identity, status, attempt) DO NOTHING"
}

// values are the values of columns.
func (r *row) values() []any {
	var values []any
	for _, f := range r.fields() {
		values = append(values, valueOf(f))
	}
	return append(values, sumOf(values...))
}

// valueOf returns a field as SQLite keeps it: NULL for what most games do not have, which is
// read quickest.
func valueOf(field any) any {
	switch v := reflect.ValueOf(field).Elem(); v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Int, reflect.Int64:
		return v.Int()
	case reflect.Uint8, reflect.Uint64:
		return int64(v.Uint())
	case reflect.Struct:
		return effortText(field.(*arena.Effort))
	case reflect.Float64:
		if v.IsZero() {
			return nil
		}
		return v.Float()
	default:
		if v.IsNil() || v.Kind() == reflect.Slice && v.Len() == 0 {
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
func readEffort(e *arena.Effort, text string) (err error) {
	var n [8]int64
	for i := range n {
		word, rest, _ := strings.Cut(text, " ")
		if n[i], err = strconv.ParseInt(word, 10, 64); err != nil {
			return err
		}
		text = rest
	}
	*e = arena.Effort{
		Moves: n[0], Wall: time.Duration(n[1]), CPU: time.Duration(n[2]), Depth: n[3], Depths: n[4], Nodes: n[5],
		Idle: time.Duration(n[6]), Failed: int(n[7]),
	}
	return nil
}

// rowReader reads rows of the table games of one run.
type rowReader struct {
	row
	of     *run
	places []int // of its engines
	into   []any // what fields returns
	values []any
	scan   []any             // pointers to the number, to values, and to what else is read
	texts  map[string]string // one copy of each text, since many games share few texts
}

// newRowReader is for queries of selectRows. Columns that follow are read into others.
func newRowReader(of *run, others ...any) *rowReader {
	r := &rowReader{of: of, places: of.places(), texts: map[string]string{}}
	r.into, r.values, r.scan = r.fields(), make([]any, len(columns)), []any{&r.id}
	for i := range r.values {
		r.scan = append(r.scan, &r.values[i])
	}
	r.scan = append(r.scan, others...)
	return r
}

// read reads the next row. bad is what is wrong with it, when the row is damaged.
func (r *rowReader) read(rows interface{ Scan(...any) error }) (bad, err error) {
	r.row = row{}
	if err := rows.Scan(r.scan...); err != nil {
		return nil, err
	}
	last := len(columns) - 1
	r.game.ID, _ = r.values[1].(string)
	if sum, ok := r.values[last].(int64); !ok || sumOf(r.values[:last]...) != sum {
		return errChecksum, nil
	}
	for i, field := range r.into {
		if err := r.set(field, r.values[i]); err != nil {
			return fmt.Errorf("%s: %w", columns[i], err), nil
		}
	}
	for i, at := range r.engines {
		if at < 0 || at >= len(r.of.Engines) {
			return fmt.Errorf("its engine %d does not belong to its run", at), nil
		}
		r.game.Pairing[i] = r.of.Engines[at].Name
	}
	return nil, nil
}

// set puts a value into a field of its kind. The row's sum was right, so it is of that kind.
func (r *rowReader) set(field, value any) error {
	if value == nil {
		return nil
	}
	switch f := field.(type) {
	case *string:
		if *f = value.(string); f != &r.game.ID { // which is not shared
			*f = r.shared(*f)
		}
	case *int:
		*f = int(value.(int64))
	case *int64:
		*f = value.(int64)
	case *uint64:
		*f = uint64(value.(int64))
	case *game.Seat:
		*f = game.Seat(value.(int64))
	case *float64:
		*f = value.(float64)
	case *arena.Status:
		*f = arena.Status(r.shared(value.(string)))
	case *arena.Source:
		*f = arena.Source(r.shared(value.(string)))
	case *arena.Effort:
		return readEffort(f, value.(string))
	case *[]string, **arena.By:
		return json.Unmarshal([]byte(value.(string)), f)
	}
	return nil
}

func (r *rowReader) shared(text string) string {
	if t, ok := r.texts[text]; ok {
		return t
	}
	r.texts[text] = text
	return text
}

// bare returns the game with its pairing in the plan's order. A game's identity does not
// depend on it, so a run can be resumed with a file that lists the engines in another order.
func (r *rowReader) bare() *arena.Game {
	if r.turned() {
		return r.game.Turned()
	}
	return &r.game
}

// turned reports whether the plan names the pairing in the other order.
func (r *rowReader) turned() bool {
	return r.places[r.engines[0]] > r.places[r.engines[1]]
}

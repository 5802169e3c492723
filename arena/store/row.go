package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"thera/arena"
)

// row is a row of the table games. The pairing of its game is in the order in which it was put.
type row struct {
	id, run     int64
	game        arena.Game
	seats       [2]string // engines
	spent, more string
}

// columns are those of fields, and the sum.
const columns = `identity, spent, run, status, attempt, round, place, pair, leg, first, second, role1, role2, winner, source, reason,
	blamed, plies, opening, sameness, more, sum`

// fields are where the values of columns are, but the sum: texts and whole numbers.
func (r *row) fields() []reflect.Value {
	g := &r.game
	var fields []reflect.Value
	for _, f := range []any{
		&g.ID, &r.spent, &r.run, &g.Status, &g.Attempt, &g.Round, &g.Index, &g.Pair, &g.Leg, &r.seats[0], &r.seats[1], &g.Roles[0], &g.Roles[1],
		&g.Outcome.Winner, &g.Source, &g.Outcome.Reason, &g.Blamed, &g.Turns, &g.StartHash, &g.Sameness, &r.more,
	} {
		fields = append(fields, reflect.ValueOf(f).Elem())
	}
	return fields
}

// firstShared is the first of the fields whose texts many games share.
const firstShared = 2

// extra is what few games have.
type extra struct {
	Warnings []string   `json:"warnings,omitempty"`
	By       *arena.By  `json:"by,omitempty"`
	Points   [2]float64 `json:"points,omitzero"`
}

// values are those of columns.
func (r *row) values() []any {
	g := &r.game
	r.seats = [2]string{g.Pairing[g.Leg], g.Pairing[1-g.Leg]}
	r.spent, r.more = spentText(g), ""
	if len(g.Warnings) > 0 || g.By != nil || g.Outcome.Points != [2]float64{} {
		text, err := json.Marshal(extra{g.Warnings, g.By, g.Outcome.Points})
		if err != nil {
			panic(fmt.Sprintf("store: a game cannot be written: %v", err)) // plain data only
		}
		r.more = string(text)
	}
	var values []any
	for _, f := range r.fields() {
		switch {
		case f.Kind() == reflect.String:
			values = append(values, f.String())
		case f.CanInt():
			values = append(values, f.Int())
		default:
			values = append(values, int64(f.Uint()))
		}
	}
	return append(values, sumOf(values...))
}

// spentText returns what a game took, with spaces between: SQLite needs much longer for columns
// of their own.
func spentText(g *arena.Game) string {
	text := strconv.AppendFloat(nil, g.Seconds, 'g', -1, 64)
	for _, e := range g.Sides {
		for _, n := range [...]int64{e.Moves, int64(e.Wall), int64(e.CPU), e.Depth, e.Depths, e.Nodes, int64(e.Idle), int64(e.Failed)} {
			text = strconv.AppendInt(append(text, ' '), n, 10)
		}
	}
	return string(text)
}

// readSpent reads what spentText returned.
func readSpent(g *arena.Game, text string) (err error) {
	word, rest, _ := strings.Cut(text, " ")
	if g.Seconds, err = strconv.ParseFloat(word, 64); err != nil {
		return err
	}
	for i := range g.Sides {
		var n [8]int64
		for j := range n {
			word, rest, _ = strings.Cut(rest, " ")
			if n[j], err = strconv.ParseInt(word, 10, 64); err != nil {
				return err
			}
		}
		g.Sides[i] = arena.Effort{
			Moves: n[0], Wall: time.Duration(n[1]), CPU: time.Duration(n[2]), Depth: n[3], Depths: n[4], Nodes: n[5],
			Idle: time.Duration(n[6]), Failed: int(n[7]),
		}
	}
	return nil
}

// rowReader reads rows of the table games of one run.
type rowReader struct {
	row
	order  []string // engines of the run
	into   []reflect.Value
	values []any
	scan   []any             // pointers to the number, to values, and to what else is read
	texts  map[string]string // one copy of each text
}

// newRowReader is for queries of the number, of columns, and of what is read into others.
func newRowReader(of *run, others ...any) *rowReader {
	r := &rowReader{texts: map[string]string{}}
	for _, e := range of.Engines {
		r.order = append(r.order, e.Name)
	}
	r.into, r.scan = r.fields(), []any{&r.id}
	r.values = make([]any, len(r.into)+1)
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
	last := len(r.into)
	r.game.ID, _ = r.values[0].(string)
	if sum, ok := r.values[last].(int64); !ok || sumOf(r.values[:last]...) != sum {
		return errChecksum, nil
	}
	for i, f := range r.into { // of the same kinds, as the sum is right
		switch v := r.values[i].(type) {
		case string:
			if i >= firstShared {
				v = r.shared(v)
			}
			f.SetString(v)
		case int64:
			if f.CanInt() {
				f.SetInt(v)
			} else {
				f.SetUint(uint64(v))
			}
		}
	}
	g := &r.game
	g.Pairing = [2]string{r.seats[g.Leg], r.seats[1-g.Leg]}
	if r.more != "" {
		var e extra
		if err := json.Unmarshal([]byte(r.more), &e); err != nil {
			return err, nil
		}
		g.Warnings, g.By, g.Outcome.Points = e.Warnings, e.By, e.Points
	}
	return readSpent(g, r.spent), nil
}

func (r *rowReader) shared(text string) string {
	if t, ok := r.texts[text]; ok {
		return t
	}
	r.texts[text] = text
	return text
}

// turn returns a game with its pairing in the plan's order. A game's identity does not depend on
// it, so a run can be resumed with a file that lists the engines in another order.
func (r *rowReader) turn(g *arena.Game) *arena.Game {
	if slices.Index(r.order, g.Pairing[0]) > slices.Index(r.order, g.Pairing[1]) {
		return g.Turned()
	}
	return g
}

// eachGame calls do with the rows of a run, and notes the damaged ones.
func eachGame(ctx context.Context, q querier, of *run, damage *Damage, do func(*rowReader), rest string, args ...any) error {
	r := newRowReader(of)
	return eachRow(ctx, q, func(rows *sql.Rows) error {
		bad, err := r.read(rows)
		switch {
		case err != nil:
			return err
		case bad != nil:
			damage.add(r.game.ID, bad)
		default:
			do(r)
		}
		return nil
	}, "SELECT id, "+columns+" FROM games "+rest, args...)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errChecksum = errors.New("its checksum does not match")

// sumOf returns the CRC-32C of values as SQLite returns them. It detects every burst of up to
// 32 bits. What is no whole number or text has no checksum, -1.
func sumOf(values ...any) int64 {
	room := make([]byte, 0, 512)
	for _, v := range values {
		switch v := v.(type) {
		case int64:
			room = binary.LittleEndian.AppendUint64(append(room, 1), uint64(v))
		case string:
			room = binary.AppendUvarint(append(room, 2), uint64(len(v)))
			room = append(room, v...)
		default:
			return -1
		}
	}
	return int64(crc32.Checksum(room, castagnoli))
}

package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"thera/arena"
)

// row is a row of the table games. The pairing of its game is in the order in which it was put.
type row struct {
	id, run int64
	game    arena.Game
}

// columns are those of a row, but its number: what is queried, the figures and the sum.
const columns = "run, identity, status, attempt, round, place, pair, leg, figures, sum"

// values are those of columns.
func (r *row) values() []any {
	g := &r.game
	c := coder{more: more(g)}
	c.figures(g)
	values := []any{r.run, g.ID, string(g.Status), int64(g.Attempt), int64(g.Round), int64(g.Index), int64(g.Pair), int64(g.Leg), c.data}
	return append(values, sumOf(values...))
}

// coder writes the figures of a game, or reads them: what decisions and tables need of it, but
// for what is queried, in one column, because SQLite needs much longer for columns of their own.
type coder struct {
	data    []byte
	reading bool
	short   bool              // the data ended too early
	more    string            // JSON of what few games have, or ""
	texts   map[string]string // when reading: one copy of each text
}

// figures are the list of them.
func (c *coder) figures(g *arena.Game) {
	seats := [2]string{g.Pairing[g.Leg], g.Pairing[1-g.Leg]}
	for i := range seats {
		text(c, &seats[i])
		text(c, &g.Roles[i])
	}
	g.Pairing = [2]string{seats[g.Leg], seats[1-g.Leg]}
	text(c, &g.Source)
	text(c, &g.Outcome.Reason)
	number(c, &g.Outcome.Winner)
	number(c, &g.Blamed)
	number(c, &g.Turns)
	number(c, &g.StartHash)
	number(c, &g.Sameness)
	seconds := math.Float64bits(g.Seconds)
	number(c, &seconds)
	g.Seconds = math.Float64frombits(seconds)
	for i := range g.Sides {
		e := &g.Sides[i]
		number(c, &e.Moves)
		number(c, &e.Wall)
		number(c, &e.CPU)
		number(c, &e.Depth)
		number(c, &e.Depths)
		number(c, &e.Nodes)
		number(c, &e.Idle)
		number(c, &e.Failed)
	}
	text(c, &c.more)
}

func number[N ~int | ~int64 | ~uint64 | ~uint8](c *coder, n *N) {
	if !c.reading {
		c.data = binary.AppendVarint(c.data, int64(*n))
		return
	}
	v, size := binary.Varint(c.data)
	c.short = c.short || size <= 0
	*n, c.data = N(v), c.data[max(size, 0):]
}

func text[S ~string](c *coder, s *S) {
	n := len(*s)
	if number(c, &n); !c.reading {
		c.data = append(c.data, *s...)
		return
	}
	if c.short = c.short || n < 0 || n > len(c.data); c.short {
		return
	}
	t, known := c.texts[string(c.data[:n])]
	if !known {
		t = string(c.data[:n])
		c.texts[t] = t
	}
	*s, c.data = S(t), c.data[n:]
}

// extra is what few games have.
type extra struct {
	Warnings []string   `json:"warnings,omitempty"`
	By       *arena.By  `json:"by,omitempty"`
	Points   [2]float64 `json:"points,omitzero"`
}

func more(g *arena.Game) string {
	if len(g.Warnings) == 0 && g.By == nil && g.Outcome.Points == [2]float64{} {
		return ""
	}
	text, err := json.Marshal(extra{g.Warnings, g.By, g.Outcome.Points})
	if err != nil {
		panic(fmt.Sprintf("store: a game cannot be written: %v", err)) // plain data only
	}
	return string(text)
}

// rowReader reads rows of the table games of one run.
type rowReader struct {
	places map[string]int    // of the run's engines, from 1
	texts  map[string]string // one copy of each text
}

func newRowReader(of *run) *rowReader {
	r := &rowReader{map[string]int{}, map[string]string{}}
	for i, e := range of.Engines {
		r.places[e.Name] = i + 1
	}
	return r
}

// raw is a row as SQLite returns it: its number, and the values of columns.
type raw [11]any

// scan are where a row and what else is asked for are read into.
func (v *raw) scan(others ...any) []any {
	var list []any
	for i := range v {
		list = append(list, &v[i])
	}
	return append(list, others...)
}

// row checks what was read. The game has an identity also if it is damaged.
func (r *rowReader) row(v *raw) (out *row, damage error) {
	out = &row{}
	g := &out.game
	g.ID, _ = v[2].(string)
	if sum, ok := v[10].(int64); !ok || sumOf(v[1:10]...) != sum {
		return out, errChecksum
	}
	// The kinds are those that were written, as the sum is right.
	out.id, _ = v[0].(int64)
	out.run, _ = v[1].(int64)
	status, _ := v[3].(string)
	g.Status = arena.Status(status)
	for i, n := range [...]*int{&g.Attempt, &g.Round, &g.Index, &g.Pair, &g.Leg} {
		x, _ := v[4+i].(int64)
		*n = int(x)
	}
	c := coder{reading: true, texts: r.texts}
	c.data, _ = v[9].([]byte)
	if c.figures(g); c.short || len(c.data) > 0 {
		return out, errors.New("its figures cannot be read")
	}
	if c.more != "" {
		var e extra
		if err := json.Unmarshal([]byte(c.more), &e); err != nil {
			return out, err
		}
		g.Warnings, g.By, g.Outcome.Points = e.Warnings, e.By, e.Points
	}
	return out, nil
}

// turn returns a game with its pairing in the plan's order. A game's identity does not depend on
// it, so a run can be resumed with a file that lists the engines in another order.
func (r *rowReader) turn(g *arena.Game) *arena.Game {
	if r.places[g.Pairing[0]] > r.places[g.Pairing[1]] {
		return g.Turned()
	}
	return g
}

// rawRows is how many rows are passed on at once.
const rawRows = 512

// eachGame calls do with the rows of a run until it returns false, and notes the damaged ones.
// It reads rows while do works.
func eachGame(ctx context.Context, q querier, of *run, damage *Damage, do func(*row) bool, rest string, args ...any) error {
	ctx, stop := context.WithCancel(ctx)
	batches, done := make(chan []raw, 4), make(chan error, 1)
	go func() {
		defer close(batches)
		batch := make([]raw, 0, rawRows)
		send := func() error {
			select {
			case batches <- batch:
				batch = make([]raw, 0, rawRows)
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		err := eachRow(ctx, q, func(rows *sql.Rows) error {
			batch = append(batch, raw{})
			if err := rows.Scan(batch[len(batch)-1].scan()...); err != nil {
				return err
			}
			if len(batch) == rawRows {
				return send()
			}
			return nil
		}, "SELECT id, "+columns+" FROM games "+rest, args...)
		if err == nil {
			err = send()
		}
		done <- err
	}()
	r, going := newRowReader(of), true
	for batch := range batches {
		for i := 0; going && i < len(batch); i++ {
			switch found, bad := r.row(&batch[i]); {
			case bad != nil:
				damage.add(found.game.ID, bad)
			default:
				if going = do(found); !going {
					stop()
				}
			}
		}
	}
	stop()
	if err := <-done; going {
		return err
	}
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errChecksum = errors.New("its checksum does not match")

// sumOf returns the CRC-32C of values as SQLite returns them. It detects every burst of up to
// 32 bits. What is no whole number, text or bytes has no checksum, -1.
func sumOf(values ...any) int64 {
	room := make([]byte, 0, 512)
	for _, v := range values {
		switch v := v.(type) {
		case int64:
			room = binary.LittleEndian.AppendUint64(append(room, 1), uint64(v))
		case string:
			room = binary.AppendUvarint(append(room, 2), uint64(len(v)))
			room = append(room, v...)
		case []byte:
			room = binary.AppendUvarint(append(room, 3), uint64(len(v)))
			room = append(room, v...)
		default:
			return -1
		}
	}
	return int64(crc32.Checksum(room, castagnoli))
}

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
	"sync"

	"github.com/klauspost/compress/zstd"

	"thera/arena"
)

// row is a row of the table games.
type row struct {
	id, run                          int64
	identity, status                 string
	attempt, round, place, pair, leg int64
	figures                          []byte
	sum                              int64
}

// columns are the columns of a row other than its number, in the order of values.
const columns = "run, identity, status, attempt, round, place, pair, leg, figures, sum"

// newRow returns the row of a game. The row keeps the order of the game's pairing.
func newRow(run int64, g *arena.Game) *row {
	r := &row{
		run: run, identity: g.ID, status: string(g.Status), attempt: int64(g.Attempt),
		round: int64(g.Round), place: int64(g.Index), pair: int64(g.Pair), leg: int64(g.Leg),
	}
	c := coder{more: more(g)}
	c.figures(g)
	r.figures = c.data
	return r
}

// values returns the values of the columns, with their checksum.
func (r *row) values() []any {
	r.sum = r.checksum()
	return []any{r.run, r.identity, r.status, r.attempt, r.round, r.place, r.pair, r.leg, r.figures, r.sum}
}

// into returns the destinations for reading a row.
func (r *row) into(others ...any) []any {
	return append([]any{
		&r.id, &r.run, &r.identity, &r.status, &r.attempt, &r.round, &r.place, &r.pair, &r.leg, &r.figures, &r.sum,
	}, others...)
}

func (r *row) checksum() int64 {
	return sumOf(r.run, r.identity, r.status, r.attempt, r.round, r.place, r.pair, r.leg, r.figures)
}

// coder writes or reads the figures of a game in one column, because SQLite reads many columns much
// more slowly. The figures are what decisions and tables need. Values that are queried have
// separate columns.
type coder struct {
	data    []byte
	reading bool
	short   bool              // the data ends too early
	more    string            // JSON of values that few games have, or ""
	texts   map[string]string // when reading: one copy of each text
}

// figures reads or writes all figures.
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

// extra has the values that few games have.
type extra struct {
	Warnings []string   `json:"warnings,omitempty"`
	By       *arena.By  `json:"by,omitempty"`
	Points   [2]float64 `json:"points,omitzero"`
}

func more(g *arena.Game) string {
	if len(g.Warnings) == 0 && g.By == nil && g.Outcome.Points == [2]float64{} {
		return ""
	}
	return string(arena.JSON(extra{g.Warnings, g.By, g.Outcome.Points}))
}

// rowReader reads rows of the table games of one run.
type rowReader struct {
	places map[string]int    // of the run's engines
	texts  map[string]string // one copy of each text
}

func newRowReader(of *run) *rowReader {
	r := &rowReader{map[string]int{}, map[string]string{}}
	for i, e := range of.Engines() {
		r.places[e.Name] = i
	}
	return r
}

// game checks a row and makes g its game.
func (r *rowReader) game(from *row, g *arena.Game) (damage error) {
	if from.checksum() != from.sum {
		return errChecksum
	}
	*g = arena.Game{Status: arena.Status(from.status), Attempt: int(from.attempt), Job: arena.Job{
		ID: from.identity, Round: int(from.round), Index: int(from.place), Pair: int(from.pair), Leg: int(from.leg),
	}}
	c := coder{reading: true, texts: r.texts, data: from.figures}
	if c.figures(g); c.short || len(c.data) > 0 {
		return errors.New("its figures cannot be read")
	}
	if c.more != "" {
		var e extra
		damage = json.Unmarshal([]byte(c.more), &e)
		g.Warnings, g.By, g.Outcome.Points = e.Warnings, e.By, e.Points
	}
	return damage
}

// turn returns a game with its pairing in the plan's order. A game's identity does not depend on
// it, so a run can be resumed with a file that lists the engines in another order.
func (r *rowReader) turn(g *arena.Game) *arena.Game {
	if r.places[g.Pairing[0]] > r.places[g.Pairing[1]] {
		return g.Turned()
	}
	return g
}

// batchRows is the number of rows that are passed on at once.
const batchRows = 512

// eachGame calls do with the games of a run until do returns false, and notes the damaged games. It
// reads ahead while do works.
func eachGame(ctx context.Context, q querier, of *run, damage *Damage, do func(*row, *arena.Game) bool, rest string, args ...any) error {
	ctx, stop := context.WithCancel(ctx)
	batches, done := make(chan []row, 4), make(chan error, 1)
	go func() {
		defer close(batches)
		batch := make([]row, 0, batchRows)
		var next row
		into := next.into()
		send := func() error {
			select {
			case batches <- batch:
				batch = make([]row, 0, batchRows)
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		err := eachRow(ctx, q, func(rows *sql.Rows) error {
			if rows.Scan(into...) != nil {
				next.sum = noSum // the value has another type
			}
			if batch = append(batch, next); len(batch) == batchRows {
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
			g := new(arena.Game)
			if bad := r.game(&batch[i], g); bad != nil {
				damage.add(batch[i].identity, bad)
			} else if going = do(&batch[i], g); !going {
				stop()
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

// noSum is not the checksum of any values.
const noSum = -1

// sumOf returns the CRC-32C of values, which are int64, string or []byte. It detects every burst of
// errors of up to 32 bits.
func sumOf(values ...any) int64 {
	data := make([]byte, 0, 512)
	for _, v := range values {
		switch v := v.(type) {
		case int64:
			data = binary.LittleEndian.AppendUint64(append(data, 1), uint64(v))
		case string:
			data = binary.AppendUvarint(append(data, 2), uint64(len(v)))
			data = append(data, v...)
		case []byte:
			data = binary.AppendUvarint(append(data, 3), uint64(len(v)))
			data = append(data, v...)
		}
	}
	return int64(crc32.Checksum(data, castagnoli))
}

// mostText bounds the JSON of a game. No game that is played or imported has as much.
const mostText = 256 << 20

// One encoder compresses the games of all stores, because it keeps its buffers. With these options
// neither the encoder nor the decoder can fail to be made.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		z, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
		return z
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		z, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(mostText))
		return z
	})
)

// pack returns the game as the table records stores it.
func pack(g *arena.Game) ([]byte, error) {
	text, err := json.Marshal(g.Line(""))
	return encoder().EncodeAll(text, nil), err
}

// unpack reads what pack returned.
func unpack(data []byte) (*arena.Game, error) {
	text, err := decoder().DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("its moves cannot be read: %w", err)
	}
	var line arena.GameLine
	if err := json.Unmarshal(text, &line); err != nil {
		return nil, err
	}
	return line.Checked()
}

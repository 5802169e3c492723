package store

import (
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// body is a game's row in the table records, which replay, export and judge read.
type body struct {
	number, seed   int64
	opening, start string
	moves          string // one a line
	plies          []byte // see plies.go
	started        int64
	seconds        float64
	idle           [2]int64 // by seat
	rest           string   // JSON of rest, "" for none
}

// rest holds the values that few games have.
type rest struct {
	Points   *[2]float64  `json:"points,omitempty"`
	Fault    *fault       `json:"fault,omitempty"`
	Detail   string       `json:"detail,omitempty"`
	Warnings []string     `json:"warnings,omitempty"`
	Passed   int          `json:"passed,omitempty"`
	Tail     *[2][]string `json:"tail,omitempty"`
	Stderr   *[2]string   `json:"stderr,omitempty"`

	Dispute *arena.Dispute `json:"dispute,omitempty"`
	By      *arena.By      `json:"by,omitempty"`
}

type fault struct {
	Kind   game.FaultKind `json:"kind"`
	Detail string         `json:"detail,omitempty"`
}

// bodyOf packs the part of a game that is in records.
func bodyOf(rec *arena.Record) (*body, error) {
	for i, m := range rec.Moves {
		if strings.ContainsRune(m, '\n') {
			return nil, fmt.Errorf("move %d %q contains a line end", i+1, m)
		}
	}
	b := &body{
		number: int64(rec.Job.Start), seed: int64(rec.Seed), opening: rec.Opening, start: rec.Start,
		moves: strings.Join(rec.Moves, "\n"), plies: packPlies(rec.Plies),
		started: rec.Started.UnixMilli(), seconds: rec.Seconds, idle: [2]int64{int64(rec.Idle[0]), int64(rec.Idle[1])},
	}
	r := rest{Detail: rec.Detail, Warnings: rec.Warnings, Passed: rec.Passed, Dispute: rec.Dispute, By: rec.By}
	if rec.Outcome.Points != ([2]float64{}) {
		r.Points = &rec.Outcome.Points
	}
	if rec.Fault != nil {
		r.Fault = &fault{rec.Fault.Kind, rec.Fault.Detail}
	}
	if len(rec.Tail[0]) > 0 || len(rec.Tail[1]) > 0 {
		r.Tail = &rec.Tail
	}
	if rec.Stderr != ([2]string{}) {
		r.Stderr = &rec.Stderr
	}
	if r.Points == nil && r.Fault == nil && r.Detail == "" && len(r.Warnings) == 0 && r.Passed == 0 && r.Tail == nil && r.Stderr == nil && r.Dispute == nil && r.By == nil {
		return b, nil
	}
	text, err := json.Marshal(r)
	b.rest = string(text)
	return b, err
}

// into fills in a record whose job is known.
func (b *body) into(rec *arena.Record) error {
	rec.Job.Start, rec.Seed, rec.Opening, rec.Start = int(b.number), uint64(b.seed), b.opening, b.start
	rec.Started, rec.Seconds = time.UnixMilli(b.started), b.seconds
	rec.Idle = [2]time.Duration{time.Duration(b.idle[0]), time.Duration(b.idle[1])}
	if b.moves != "" {
		rec.Moves = strings.Split(b.moves, "\n")
	}
	var err error
	if rec.Plies, err = unpackPlies(b.plies); err != nil || b.rest == "" {
		return err
	}
	var r rest
	if err := json.Unmarshal([]byte(b.rest), &r); err != nil {
		return err
	}
	if r.Points != nil {
		rec.Outcome.Points = *r.Points
	}
	if r.Fault != nil {
		rec.Fault = &game.Fault{Kind: r.Fault.Kind, Detail: r.Fault.Detail}
	}
	if r.Tail != nil {
		rec.Tail = *r.Tail
	}
	if r.Stderr != nil {
		rec.Stderr = *r.Stderr
	}
	rec.Detail, rec.Warnings, rec.Passed, rec.Dispute, rec.By = r.Detail, r.Warnings, r.Passed, r.Dispute, r.By
	return nil
}

// sum returns the row's checksum, CRC-32C, which is stored in the game's figures.
func (b *body) sum() uint32 {
	room := make([]byte, 0, 128+len(b.moves)+len(b.start)+len(b.opening)+len(b.plies)+len(b.rest))
	for _, v := range [...]int64{b.number, b.seed, b.started, int64(math.Float64bits(b.seconds)), b.idle[0], b.idle[1]} {
		room = binary.LittleEndian.AppendUint64(room, uint64(v))
	}
	for _, text := range [...]string{b.opening, b.start, b.moves, b.rest} {
		room = appendText(room, text)
	}
	return crc32.Checksum(append(room, b.plies...), castagnoli)
}

const bodyColumns = "r.number, r.seed, r.opening, r.start, r.moves, r.plies, r.started, r.seconds, r.idle1, r.idle2, r.rest"

// values returns the row's values in the order of bodyColumns.
func (b *body) values() []any {
	var rest any
	if b.rest != "" {
		rest = b.rest
	}
	return []any{b.number, b.seed, b.opening, b.start, b.moves, b.plies, b.started, b.seconds, b.idle[0], b.idle[1], rest}
}

// nullBody scans a row that may be missing.
type nullBody struct {
	number, seed, started, idle1, idle2 sql.Null[int64]
	opening, start, moves, rest         sql.Null[string]
	plies                               []byte
	seconds                             sql.Null[float64]
}

func (n *nullBody) columns() []any {
	return []any{&n.number, &n.seed, &n.opening, &n.start, &n.moves, &n.plies, &n.started, &n.seconds, &n.idle1, &n.idle2, &n.rest}
}

func (n *nullBody) get() (*body, error) {
	if !n.number.Valid {
		return nil, errors.New("its moves are gone")
	}
	return &body{
		number: n.number.V, seed: n.seed.V, opening: n.opening.V, start: n.start.V, moves: n.moves.V, plies: n.plies,
		started: n.started.V, seconds: n.seconds.V, idle: [2]int64{n.idle1.V, n.idle2.V}, rest: n.rest.V,
	}, nil
}

package remote

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// A record on its way to the host is a row of texts, each after its length, and of numbers
// as varints. Reading it as JSON, with a name for each field, takes several times as long.
// Only what few games have is one text of JSON, rare, which is empty for most of them.
//
// The host knows the job: only what names it travels.

// rare is what few games have.
type rare struct {
	*arena.Record
	Said map[int]*game.Details `json:",omitempty"` // by move
}

// appendGame appends a record to b.
func appendGame(b []byte, rec *arena.Record) ([]byte, error) {
	for _, text := range []string{rec.ID, rec.Pairing[0], rec.Pairing[1], rec.Start, rec.Roles[0], rec.Roles[1], rec.Outcome.Reason, string(rec.Source)} {
		b = appendText(b, text)
	}
	for _, n := range []int64{
		int64(rec.Pair), int64(rec.Leg), int64(rec.Outcome.Winner), int64(rec.Blamed), int64(rec.Passed), int64(rec.Idle[0]), int64(rec.Idle[1]),
		int64(len(rec.Plies)),
	} {
		b = binary.AppendVarint(b, n)
	}
	for _, x := range []float64{rec.Outcome.Points[0], rec.Outcome.Points[1], rec.Seconds} {
		b = binary.AppendUvarint(b, math.Float64bits(x))
	}
	b = appendText(b, strings.Join(rec.Moves, "\n"))
	rest := rare{Record: &arena.Record{}}
	for i := range rec.Plies {
		p := &rec.Plies[i]
		scored := int64(0)
		if p.Scored {
			scored = 1
		}
		for _, n := range [...]int64{int64(p.Seat), int64(p.Wall), int64(p.CPU), int64(p.Depth), p.Nodes, int64(p.Score), scored} {
			b = binary.AppendVarint(b, n)
		}
		if p.Said != nil {
			if rest.Said == nil {
				rest.Said = map[int]*game.Details{}
			}
			rest.Said[i] = p.Said
		}
	}
	*rest.Record = *rec
	rest.Job, rest.Started, rest.Start, rest.Roles = arena.Job{}, time.Time{}, "", [2]string{}
	rest.Outcome, rest.Source, rest.Blamed, rest.Passed = game.Outcome{}, "", 0, 0
	rest.Idle, rest.Seconds, rest.Moves, rest.Plies = [2]time.Duration{}, 0, nil, nil
	if rest.Said == nil && reflect.ValueOf(rest.Record).Elem().IsZero() {
		return appendText(b, ""), nil
	}
	text, err := json.Marshal(rest)
	return appendText(b, string(text)), err
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

var errTorn = errors.New("they are torn")

// reader reads what appendGame wrote, or anything else, from at on. torn is set if there
// was not enough.
type reader struct {
	from []byte
	at   int
	torn bool
}

// left is how many bytes are left.
func (r *reader) left() int { return len(r.from) - r.at }

func (r *reader) uvarint() uint64 {
	n, size := binary.Uvarint(r.from[r.at:])
	r.skip(size)
	return n
}

func (r *reader) varint() int64 {
	n, size := binary.Varint(r.from[r.at:])
	r.skip(size)
	return n
}

// skip skips a number of so many bytes; 0 or fewer: it is torn.
func (r *reader) skip(size int) {
	if size <= 0 {
		r.torn, r.at = true, len(r.from)
		return
	}
	r.at += size
}

func (r *reader) bytes() []byte {
	n := r.uvarint()
	if n > uint64(r.left()) {
		r.torn, r.at = true, len(r.from)
		return nil
	}
	b := r.from[r.at : r.at+int(n)]
	r.at += int(n)
	return b
}

func (r *reader) text() string { return string(r.bytes()) }

// game reads a record.
func (r *reader) game() (*arena.Record, error) {
	rec := &arena.Record{}
	rec.ID = r.text()
	rec.Pairing = [2]string{r.text(), r.text()}
	rec.Start = r.text()
	rec.Roles = [2]string{r.text(), r.text()}
	rec.Outcome.Reason, rec.Source = r.text(), arena.Source(r.text())
	rec.Pair, rec.Leg = int(r.varint()), int(r.varint())
	rec.Outcome.Winner, rec.Blamed = seat(r.varint()), seat(r.varint())
	rec.Passed = int(r.varint())
	rec.Idle = [2]time.Duration{time.Duration(r.varint()), time.Duration(r.varint())}
	plies := r.varint()
	rec.Outcome.Points = [2]float64{math.Float64frombits(r.uvarint()), math.Float64frombits(r.uvarint())}
	rec.Seconds = math.Float64frombits(r.uvarint())
	if moves := r.text(); moves != "" {
		rec.Moves = strings.Split(moves, "\n")
	}
	if r.torn || plies < 0 || plies > int64(r.left()) {
		return nil, errTorn
	}
	if plies > 0 {
		rec.Plies = make([]arena.Ply, plies)
	}
	for i := range rec.Plies {
		rec.Plies[i] = arena.Ply{
			Seat: seat(r.varint()), Wall: time.Duration(r.varint()), CPU: time.Duration(r.varint()),
			Depth: int(r.varint()), Nodes: r.varint(), Score: int(r.varint()), Scored: r.varint() != 0,
		}
	}
	rest := r.bytes()
	if r.torn {
		return nil, errTorn
	}
	if len(rest) == 0 {
		return rec, nil
	}
	return rec, readRare(rest, rec)
}

// readRare fills in what few games have.
func readRare(text []byte, rec *arena.Record) error {
	also := rare{Record: &arena.Record{}}
	if err := json.Unmarshal(text, &also); err != nil {
		return err
	}
	rec.Void, rec.Fault, rec.Detail, rec.Warnings = also.Void, also.Fault, also.Detail, also.Warnings
	rec.Tail, rec.Stderr, rec.Dispute, rec.By = also.Tail, also.Stderr, also.Dispute, also.By
	for i, said := range also.Said {
		if i >= 0 && i < len(rec.Plies) {
			rec.Plies[i].Said = said
		}
	}
	return nil
}

// seat is a seat that somebody names, or one that there is not.
func seat(n int64) game.Seat {
	if n < 0 || n > math.MaxUint8 {
		return math.MaxUint8
	}
	return game.Seat(n)
}

package remote

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest"
)

// filled is a record in which every field is set, so that none is forgotten on the way.
func filled(t *testing.T) *arena.Record {
	t.Helper()
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			v.SetString("word")
		case reflect.Int, reflect.Int64:
			v.SetInt(3)
		case reflect.Uint8, reflect.Uint64:
			v.SetUint(1)
		case reflect.Float64:
			v.SetFloat(1.5)
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem())
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0))
		case reflect.Array:
			for i := range v.Len() {
				fill(v.Index(i))
			}
		case reflect.Struct:
			if v.Type() == reflect.TypeFor[time.Time]() {
				v.Set(reflect.ValueOf(time.Unix(7, 0).UTC()))
				return
			}
			for i := range v.NumField() {
				fill(v.Field(i))
			}
		default:
			t.Fatalf("a %s", v.Type())
		}
	}
	rec := &arena.Record{}
	fill(reflect.ValueOf(rec).Elem())
	return rec
}

func TestPack(t *testing.T) {
	want := []*arena.Record{filled(t), {Outcome: game.Outcome{Winner: game.Second}}}
	job := want[0].Job // of which the host knows the rest
	want[0].Job = arena.Job{ID: job.ID, Pairing: job.Pairing, Pair: job.Pair, Leg: job.Leg}
	want[0].Started = time.Time{} // the host knows when it came
	data, err := Pack(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := unpack(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestUnpackRefuses(t *testing.T) {
	gametest.Sequential(t)
	squeeze := func(text []byte) []byte {
		var out bytes.Buffer
		w, _ := flate.NewWriter(&out, flate.BestSpeed)
		_, _ = w.Write(text)
		_ = w.Close()
		return out.Bytes()
	}
	whole, err := appendGame([]byte{1}, &arena.Record{Plies: []arena.Ply{{Nodes: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole[1:] { // each part of it is torn
		if games, err := unpack(squeeze(whole[:n+1])); err == nil {
			t.Errorf("%d bytes of %d: %+v", n, len(whole), games)
		}
	}
	for want, data := range map[string][]byte{
		"cannot be read":       []byte("hello"),
		"0 games, expected":    squeeze([]byte{0}),
		"3 games, expected":    squeeze([]byte{3}),
		"they are torn":        squeeze(whole[:len(whole)-1]),
		"read: 1 bytes follow": squeeze(append(slices.Clone(whole), 0)),
		"cannot be read: inv":  squeeze(append(slices.Clone(whole[:len(whole)-1]), "\x02[}"...)),
		"games of over 64 MiB": squeeze(bytes.Repeat([]byte(" "), mostUnpacked+10)),
	} {
		if h, err := unpack(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v, err = %v, want %q", h, err, want)
		}
	}
}

// Games of many megabytes travel in parts, in any order and more than once.
func TestParts(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	j := joiner{halves: map[string]*half{}}
	for _, size := range []int{0, 1, 99, 100, 101, 5000} {
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(dice.Uint32())
		}
		parts := cut("s", "id", data, 100)
		if len(parts) > 1 {
			parts = append(parts, parts[0]) // comes twice
			parts = append(parts[:1], slices.Clone(parts[1:])...)
			dice.Shuffle(len(parts)-1, func(a, b int) { parts[a], parts[b] = parts[b], parts[a] })
		}
		var whole []byte
		done := 0
		for _, msg := range parts {
			if len(msg.Data) > 100 {
				t.Fatalf("a part of %d bytes", len(msg.Data))
			}
			got, err := j.join("w", msg)
			if err == nil {
				whole, done = got, done+1
			} else if !errors.Is(err, errMoreParts) {
				t.Fatal(err)
			}
			if done == 1 {
				break
			}
		}
		if done != 1 || !bytes.Equal(whole, data) {
			t.Errorf("%d bytes: %d times, %d bytes", size, done, len(whole))
		}
		clear(j.halves)
		j.kept = 0
	}
	for _, bad := range [][2]string{{"0", "2"}, {"3", "2"}, {"1", "1"}, {"x", "2"}, {"1", "1000"}, {"", ""}} {
		msg := nats.NewMsg("s")
		msg.Header.Set(headerID, "id")
		msg.Header.Set(headerPart, bad[0])
		msg.Header.Set(headerOf, bad[1])
		if _, err := j.join("w", msg); err == nil || errors.Is(err, errMoreParts) {
			t.Errorf("part %s of %s: %v", bad[0], bad[1], err)
		}
	}
}

// Parts that never become whole are bounded in number and in bytes, and forgotten.
func TestPartsAreBounded(t *testing.T) {
	j := joiner{halves: map[string]*half{}}
	part := func(id, at string, size int) *nats.Msg {
		msg := nats.NewMsg("s")
		msg.Data = make([]byte, size)
		msg.Header.Set(headerID, id)
		msg.Header.Set(headerPart, at)
		msg.Header.Set(headerOf, "3")
		return msg
	}
	const each = mostKept / 8
	for i, id := range []string{"a", "b", "c", "d"} {
		for _, at := range []string{"1", "2"} {
			if _, err := j.join("w", part(id, at, each)); !errors.Is(err, errMoreParts) {
				t.Fatalf("part %s of lease %d: %v", at, i, err)
			}
		}
	}
	if _, err := j.join("w", part("e", "1", 1)); err == nil || errors.Is(err, errMoreParts) {
		t.Errorf("one byte more: %v", err)
	}
	for _, h := range j.halves {
		h.since = h.since.Add(-partsExpire - time.Second)
	}
	if _, err := j.join("w", part("e", "1", 1)); !errors.Is(err, errMoreParts) || j.kept != 1 || len(j.halves) != 1 {
		t.Errorf("%v, %d bytes of %d leases", err, j.kept, len(j.halves))
	}
}

// A pair of games as workers hand them in, of 30 plies each.
func BenchmarkUnpack(b *testing.B) {
	var games []*arena.Record
	for leg := range 2 {
		rec := &arena.Record{
			Job:   arena.Job{ID: "75b4794d86247ccef56d3690ed42e2c0", Pairing: [2]string{"a", "b"}, Round: 12, Pair: 11, Leg: leg},
			Start: "0000000000000000000010000/1/mortal:11,13/mortal:7,17", Source: arena.Natural, Seconds: 2.2,
		}
		for i := range 30 {
			rec.Moves = append(rec.Moves, fmt.Sprintf("N%d>%d+%d", i%25, i%24, i%7))
			rec.Plies = append(rec.Plies, arena.Ply{
				Seat: game.Seat(1 + i%2), Wall: time.Duration(40_000_000 + 1_237_651*i), CPU: time.Duration(39_000_000 + 1_137_651*i),
				Depth: 5 + i%5, Nodes: int64(19_999 - 7*i), Score: 17*i - 200, Scored: true,
			})
		}
		games = append(games, rec)
	}
	data, err := Pack(games)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := unpack(data); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(data)), "bytes/lease")
}

package remote

import (
	"bytes"
	"compress/flate"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"thera/arena"
	"thera/arena/session"
	"thera/engine/gametest"
)

// filled is a record in which every field is set, so that none is forgotten on the way.
func filled(t *testing.T) *arena.Game {
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
				if v.Type() != reflect.TypeFor[arena.Game]() || v.Type().Field(i).Name != "Turns" {
					fill(v.Field(i))
					continue
				}
				return // from here on what follows from the rest
			}
		default:
			t.Fatalf("a %s", v.Type())
		}
	}
	rec := &arena.Game{}
	fill(reflect.ValueOf(rec).Elem())
	rec.Source, rec.Leg, rec.Status = arena.Faulted, 1, arena.StatusExcluded
	return rec
}

// Games come as they were sent, and what an honest worker sends is kept as it is.
func TestPack(t *testing.T) {
	long := filled(t)
	long.Detail, long.Stderr[1] = "used 3 ms\nallowed 2 ms", "line 1\nline 2\n"
	want := []*arena.Game{long, {
		Job: arena.Job{ID: "b", Pairing: [2]string{"a", "b"}}, Moves: []string{}, Source: arena.Natural,
		Status: arena.StatusCounted, Started: time.Unix(7, 0).UTC(),
	}}
	data, err := Pack(want, mostMessage)
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
	trim(got[0])
	long.Job, long.Status, long.Attempt, long.Dispute, long.By = arena.Job{}, arena.StatusCounted, 0, nil, nil // the host has them
	if diff := cmp.Diff(long, got[0]); diff != "" {
		t.Error(diff)
	}
}

// squeeze compresses a text as Pack does.
func squeeze(text []byte) []byte {
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.BestSpeed)
	_, _ = w.Write(text)
	_ = w.Close()
	return out.Bytes()
}

func TestUnpackRefuses(t *testing.T) {
	gametest.Sequential(t)
	whole, err := Pack([]*arena.Game{filled(t)}, mostMessage)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole { // each part of it is torn
		if games, err := unpack(whole[:n]); err == nil {
			t.Errorf("%d bytes of %d: %+v", n, len(whole), games)
		}
	}
	for _, text := range []string{"[{", "[]", "[{},{},{}]", "[{}]", strings.Repeat(" ", mostUnpacked+10)} {
		if games, err := unpack(squeeze([]byte(text))); err == nil {
			t.Errorf("%.20q: %+v", text, games)
		}
	}
}

// A few kilobytes that unpack to much are refused before it is made.
func TestHoleUnpackedBombs(t *testing.T) {
	gametest.Sequential(t)
	for _, of := range []string{`"asked":[%s{}]`, `"moves":[%s""]`, `"warnings":[%s""]`, `"tail":[[%s""]]`} {
		begin, end, _ := strings.Cut(`[{"id":"x",`+of+`}]`, "%s")
		value := end[:2] + ","
		packed := squeeze([]byte(begin + strings.Repeat(value, 15<<20/len(value)) + end))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := unpack(packed)
		runtime.ReadMemStats(&after)
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || !strings.Contains(err.Error(), "than any game has") || made > 200 {
			t.Errorf("%s: %v after %d MiB", of, err, made)
		}
	}
}

// Only the games that were asked are taken, in their order.
func TestAsked(t *testing.T) {
	both := []arena.Job{{ID: "x"}, {ID: "y"}}
	game := func(id string) *arena.Game { return &arena.Game{Job: arena.Job{ID: id}} }
	stalled := func(id string) *arena.Game { return &arena.Game{Job: arena.Job{ID: id}, Source: arena.Stalled} }
	for name, tt := range map[string]struct {
		jobs  []arena.Job
		games []*arena.Game
		want  string // identities, or the error
	}{
		"both":                   {both, []*arena.Game{game("x"), game("y")}, "xy"},
		"one":                    {both[1:], []*arena.Game{game("y")}, "y"},
		"one of both":            {both[1:], []*arena.Game{game("x"), game("y")}, "y"},
		"the first of both":      {both[:1], []*arena.Game{game("x"), game("y")}, "x"},
		"up to one that stalled": {both, []*arena.Game{stalled("x")}, "x"},
		"another one":            {both, []*arena.Game{game("x"), game("z")}, `game "z" is refused: game y was asked`},
		"twice":                  {both, []*arena.Game{game("x"), game("x")}, `game "x" is refused: game y was asked`},
		"too few":                {both, []*arena.Game{game("x")}, `game "x" is refused: game y was asked`},
	} {
		recs, err := asked(&session.Pair{Jobs: tt.jobs}, tt.games)
		got := ""
		for _, rec := range recs {
			got += rec.ID
		}
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

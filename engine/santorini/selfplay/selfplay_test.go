package selfplay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"thera/engine/santorini/rules"
)

func header(gods ...string) Header {
	return Header{Engine: 1, Nodes: 200, Plies: 4, Seed: 7, Gods: gods}
}

// write plays games and returns the stream.
func write(t *testing.T, h Header, games int64, threads int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, h, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := Generate(t.Context(), h, 0, games, threads, w.Write); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// read returns all games of a stream and the error that ended it.
func read(stream []byte) (games []Game, r *Reader, err error) {
	if r, err = NewReader(bytes.NewReader(stream)); err != nil {
		return nil, nil, err
	}
	for {
		var g Game
		if err = r.Next(&g); err != nil {
			return games, r, err
		}
		games = append(games, g)
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	h := header("mortal", "pan", "clio", "hermes")
	one := write(t, h, 6, 1)
	if three := write(t, h, 6, 3); !bytes.Equal(one, three) {
		t.Error("three threads write other games than one")
	}
	h.Seed++
	if other := write(t, h, 6, 1); bytes.Equal(one[200:], other[200:]) {
		t.Error("another seed gives the same games")
	}
}

// TestGamesAreSound replays what a stream says: each sample is a position in which
// neither side can win at once, and follows the one before by legal turns.
func TestGamesAreSound(t *testing.T) {
	h := header("mortal", "artemis", "athena", "morpheus")
	var played []Game
	var out bytes.Buffer
	w, err := NewWriter(&out, h, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	err = Generate(t.Context(), h, 0, 12, 2, func(g *Game) error {
		played = append(played, *g)
		return w.Write(g)
	})
	if err != nil {
		t.Fatal(err)
	}
	games, _, err := read(out.Bytes())
	if !errors.Is(err, io.EOF) || len(games) != 12 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	samples, direct, aside := 0, 0, 0
	for i, g := range games {
		if g.Gods != played[i].Gods || g.Winner != played[i].Winner || g.Plies != played[i].Plies || !slices.Equal(g.Samples, played[i].Samples) {
			t.Errorf("game %d is read as %+v, was %+v", i, g, played[i])
		}
		if g.Winner != 1 && g.Winner != 2 {
			t.Errorf("game %d: winner %d", i, g.Winner)
		}
		for k := range g.Samples {
			at := &g.Samples[k].State
			if samples++; at.Winner != 0 || at.Workers[0] == 0 || at.Workers[1] == 0 {
				t.Errorf("game %d sample %d: %+v", i, k, at)
			}
			for side := range uint8(2) {
				q := *at
				q.Mover = side
				for _, next := range rules.NextStates(&q) {
					if next.Winner == side+1 {
						t.Errorf("game %d sample %d: side %d could win", i, k, side)
						break
					}
				}
			}
			if g.Samples[k].Aside {
				aside++
			}
			if k > 0 && slices.Contains(rules.NextStates(&g.Samples[k-1].State), *at) {
				direct++
			}
		}
	}
	if samples < 60 || direct < samples/3 || aside < samples/20 || aside > samples/2 {
		t.Errorf("%d samples, %d of them one turn after the sample before, %d aside", samples, direct, aside)
	}
}

func TestATornTailIsIncomplete(t *testing.T) {
	stream := write(t, header("mortal"), 3, 1)
	_, whole, _ := read(stream)
	if whole.Offset != int64(len(stream)) || whole.Games != 3 {
		t.Fatalf("read %d of %d bytes, %d games", whole.Offset, len(stream), whole.Games)
	}
	two, _ := NewReader(bytes.NewReader(stream))
	start := two.Offset
	for range 2 {
		if err := two.Next(new(Game)); err != nil {
			t.Fatal(err)
		}
	}
	for cut := 1; int64(cut) < int64(len(stream)); cut++ {
		games, r, err := read(stream[:cut])
		switch {
		case int64(cut) < start:
			if !errors.Is(err, ErrIncomplete) {
				t.Fatalf("cut at %d in the header: %v", cut, err)
			}
		case int64(cut) == r.Offset:
			if !errors.Is(err, io.EOF) {
				t.Fatalf("cut at %d, after a game: %v", cut, err)
			}
		default:
			if !errors.Is(err, ErrIncomplete) || int64(len(games)) != r.Games || r.Offset > int64(cut) {
				t.Fatalf("cut at %d: %d games, offset %d, %v", cut, len(games), r.Offset, err)
			}
		}
	}
	// What is sound goes on as if it had not been interrupted.
	out := bytes.NewBuffer(slices.Clone(stream[:two.Offset]))
	w, err := NewWriter(out, two.Header, true, two.Games)
	if err != nil {
		t.Fatal(err)
	}
	if err := Generate(t.Context(), two.Header, two.Games, 3, 1, w.Write); err != nil || !bytes.Equal(out.Bytes(), stream) {
		t.Errorf("a resumed stream differs, %v", err)
	}
}

// TestDamageIsFound changes every byte after the header, and the order of games.
func TestDamageIsFound(t *testing.T) {
	stream := write(t, header("mortal", "clio"), 2, 1)
	r, err := NewReader(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	start := r.Offset
	for i := start; i < int64(len(stream)); i++ {
		bad := slices.Clone(stream)
		bad[i] ^= 0x11
		if _, _, err := read(bad); errors.Is(err, io.EOF) {
			t.Errorf("byte %d changed, and nothing is said", i)
		}
	}
	if err := r.Next(new(Game)); err != nil {
		t.Fatal(err)
	}
	swapped := slices.Concat(stream[:start], stream[r.Offset:], stream[start:r.Offset])
	if _, _, err := read(swapped); errors.Is(err, io.EOF) || errors.Is(err, ErrIncomplete) {
		t.Errorf("games in another order: %v", err)
	}
	for _, text := range []string{"\n", "{}\n", "binary\x00", `{"format":"thera-santorini-selfplay","version":2,"engine":1,"nodes":1,"plies":1,"seed":1,"gods":["mortal"]}` + "\n"} {
		if _, err := NewReader(bytes.NewReader([]byte(text))); err == nil || errors.Is(err, ErrIncomplete) {
			t.Errorf("header %q: %v", text, err)
		}
	}
}

func TestSettingsAreChecked(t *testing.T) {
	h := header("mortal")
	if err := SameGames(h, h); err != nil {
		t.Error(err)
	}
	other := h
	other.Nodes++
	if err := SameGames(h, other); err == nil {
		t.Error("other settings pass")
	}
	put := func(*Game) error { return nil }
	for _, bad := range []Header{header("zorro"), header(), {Nodes: 1, Gods: []string{"mortal"}, Options: map[string]string{"magic": "1"}}} {
		if err := Generate(t.Context(), bad, 0, 1, 1, put); err == nil {
			t.Errorf("%+v is played", bad)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	games := 0
	err := Generate(ctx, h, 0, 1<<40, 2, func(*Game) error {
		games++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || games < 1 || games > 3 {
		t.Errorf("cancelled after %d games: %v", games, err)
	}
	full := errors.New("disk full")
	if err := Generate(t.Context(), h, 0, 5, 2, func(*Game) error { return full }); !errors.Is(err, full) {
		t.Errorf("a failed write: %v", err)
	}
}

func FuzzReader(f *testing.F) {
	var out bytes.Buffer
	h := header("mortal", "pan")
	w, err := NewWriter(&out, h, false, 0)
	if err != nil {
		f.Fatal(err)
	}
	if err := w.Write(&Game{Winner: 1, Plies: 9, Samples: []Sample{{State: rules.Start(rules.Matchup{}, false), Score: -12}}}); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Fuzz(func(_ *testing.T, stream []byte) {
		_, _, _ = read(stream)
	})
}

// FuzzUnpack passes any bytes off as a payload with a right checksum.
func FuzzUnpack(f *testing.F) {
	index := map[rules.God]int{rules.Mortal: 0}
	f.Add(appendGame(nil, index, &Game{Winner: 2, Samples: []Sample{{State: rules.Start(rules.Matchup{}, false), Score: 5}}}))
	f.Fuzz(func(t *testing.T, payload []byte) {
		var g Game
		if unpackGame(payload, []rules.God{rules.Mortal}, &g) != nil {
			return
		}
		var again Game
		if err := unpackGame(appendGame(nil, index, &g), []rules.God{rules.Mortal}, &again); err != nil || !slices.Equal(g.Samples, again.Samples) {
			t.Errorf("%x: %v", payload, err)
		}
	})
}

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"

	"thera/arena"
	"thera/arena/store"
	"thera/arena/web"
)

// BenchmarkPages measures pages over a database with 100,000 games, each asked for
// as a browser does. Every game page is of another game.
func BenchmarkPages(b *testing.B) {
	const games = 100_000
	db, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "t.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	g, err := findGame("santorini")
	if err != nil {
		b.Fatal(err)
	}
	plan := &arena.Plan{
		Name: "large", File: "large", Game: g, Limit: arena.Limit{Depth: 2}, Seed: 1, Concurrency: 1,
		Engines: []arena.EngineSpec{{Name: "new", Command: []string{"./new"}}, {Name: "old", Command: []string{"./old"}}},
		Format:  arena.Format{Name: "round-robin", Rounds: games / 2, Pairs: true}, Openings: arena.Openings{RandomPlies: 2},
	}
	run, _, err := db.Begin(b.Context(), plan)
	if err != nil {
		b.Fatal(err)
	}
	one := storedGame(b, g, "0000000000000000000000000/1/mortal:11,13/mortal:7,17", 0)
	id := func(i int) string { return fmt.Sprintf("%08xabcdef0123456789", i*7919%games) }
	var puts sync.WaitGroup
	for k := range 64 {
		puts.Go(func() {
			for i := k; i < games; i += 64 {
				rec := *one
				rec.ID, rec.Round, rec.Pair, rec.Leg, rec.Index = id(i), i/2+1, i/2, i%2, i
				if err := db.Put(b.Context(), run, &rec); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	puts.Wait()
	if err := db.Note(b.Context(), run, "finished", ""); err != nil {
		b.Fatal(err)
	}
	pages, err := web.New(web.Options{Store: db, Game: gameOfRun})
	if err != nil {
		b.Fatal(err)
	}
	defer pages.Close()
	for _, page := range []struct {
		name string
		path func(i int) string
	}{
		{"first", func(int) string { return "/" }},
		{"game", func(i int) string { return "/game/" + id(i%games) }},
		{"run", func(int) string { return "/run/1" }},
		{"games", func(i int) string { return fmt.Sprintf("/run/1/games?offset=%d", i*100%games) }},
	} {
		b.Run(page.name, func(b *testing.B) {
			for i := range b.N {
				w := httptest.NewRecorder()
				pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost"+page.path(i), nil))
				if w.Code != http.StatusOK {
					b.Fatalf("%s: %d %s", page.path(i), w.Code, w.Body)
				}
			}
		})
	}
}

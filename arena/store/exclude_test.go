package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/engine/gametest"
)

// byTurns are the games of n pairs, of which this machine, lab1 and lab2 played one pair
// after another.
func byTurns(n int) []*arena.Game {
	games := newDraw(3).pairs(n, "a", "b")
	for i, rec := range games {
		if w := i / 2 % 3; w > 0 {
			rec.By = &arena.By{Worker: []string{"", "lab1", "lab2"}[w]}
		}
	}
	return games
}

// The games of a worker are excluded completely, with the reason, and can be put again;
// the others stay.
func TestExclude(t *testing.T) {
	gametest.Sequential(t)
	s, run := begun(t)
	games := byTurns(9)
	gametest.OK(t, putAll(t.Context(), s, run, games))
	gametest.OK(t, s.Note(t.Context(), run, "finished", ""))
	if n, err := s.Exclude(t.Context(), run, "lab3", nil, "x"); n != 0 || err != nil {
		t.Errorf("%d games, %v", n, err)
	}
	for turn := 1; turn <= 2; turn++ {
		n, err := s.Exclude(t.Context(), run, "lab1", nil, "wrong build")
		if err != nil || n != 6 {
			t.Fatalf("%d games, %v", n, err)
		}
		info, done, err := load(t, s, run)
		if err != nil || info.Games != 12 || info.State != "interrupted" {
			t.Fatalf("%+v, %v", info, err)
		}
		if last := info.Remarks[len(info.Remarks)-1].Text; last != "exclusion "+string(rune('0'+turn))+": 6 games of worker lab1: wrong build" {
			t.Errorf("remark %q", last)
		}
		excluded := slices.DeleteFunc(slices.Clone(done), func(f arena.Game) bool { return f.Status != arena.StatusExcluded || f.Attempt != turn })
		if len(done) != 12+6*turn || len(excluded) != 6 {
			t.Errorf("%d games, %d excluded", len(done), len(excluded))
		}
		if counts := gamesOf(t, s, run, false); len(counts) != 12 || slices.ContainsFunc(counts, func(r *arena.Game) bool { return r.By != nil && r.By.Worker == "lab1" }) {
			t.Errorf("%d games count", len(counts))
		}
		if slices.ContainsFunc(excluded, func(f arena.Game) bool { return f.By == nil || f.By.Worker != "lab1" }) {
			t.Errorf("games of others are excluded: %+v", excluded)
		}
		// One that is excluded can still be shown, as long as none counts.
		if rec, _, err := s.Game(t.Context(), games[2].ID); err != nil || rec.Status != arena.StatusExcluded || rec.Attempt != 1 {
			t.Errorf("%+v, %v", rec, err)
		}
		if rec, err := s.Stored(t.Context(), run, games[2].ID); err != nil || rec != nil {
			t.Errorf("it counts: %+v, %v", rec, err)
		}
		if err := putAll(t.Context(), s, run, games); err != nil { // the others are there
			t.Fatal(err)
		}
		if rec, err := s.Stored(t.Context(), run, games[2].ID); err != nil || rec == nil || rec.Status != arena.StatusCounted || rec.Attempt != 0 {
			t.Errorf("%+v, %v", rec, err)
		}
	}
	// A pair that stalls then is void as the first attempt.
	void := *games[2]
	void.Source = arena.Stalled
	gametest.OK(t, s.Void(t.Context(), run, &void, []string{games[2].ID, games[3].ID}))
	var attempts []string
	for _, rec := range gamesOf(t, s, run, true) {
		if rec.Pair == games[2].Pair {
			attempts = append(attempts, fmt.Sprint(rec.Status, rec.Attempt))
		}
	}
	if slices.Sort(attempts); !slices.Equal(attempts, []string{"excluded1", "excluded1", "excluded2", "excluded2", "void1", "void1"}) {
		t.Errorf("attempts %v", attempts)
	}
}

func TestIncidents(t *testing.T) {
	gametest.Sequential(t)
	s, run := begun(t)
	at := time.UnixMilli(1_700_000_000_000)
	refused := arena.Incident{Time: at, Worker: "lab1", Kind: arena.GameRefused, Game: "g1", Text: "ply 3: no"}
	equal := arena.Incident{Time: at, Worker: "lab2", Kind: arena.AuditEqual, Game: "g2", Text: "by lab1"}
	due := equal
	due.Kind = arena.AuditDue
	for _, i := range []arena.Incident{refused, refused, equal, equal, due, equal} {
		gametest.OK(t, s.Incident(t.Context(), run, i))
	}
	want := []arena.Incident{refused, refused, equal, due, equal} // the pair was played again
	got, err := s.Incidents(t.Context(), run)
	if diff := gocmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	gametest.OK(t, s.Remove(t.Context(), run))
	if got, err := s.Incidents(t.Context(), run); err != nil || len(got) > 0 {
		t.Errorf("%v, %v", got, err)
	}
}

package endtoend

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/store"
	"thera/arena/tournament"
	"thera/engine/gametest"
)

// TestLongKilledAnywhere is the promise that nothing is lost: an arena killed
// by signal 9 at random moments and started again each time ends with the
// games of an undisturbed one, and no game that it showed is missing, though
// pairs are void because the machine stalls.
func TestLongKilledAnywhere(t *testing.T) {
	kills, rounds := 8, 15
	switch {
	case gametest.Long(t):
		kills, rounds = 30, 50
	case gametest.Race:
		kills, rounds = 4, 8
	}
	for _, format := range []string{"round-robin", "sprt"} {
		t.Run(format, func(t *testing.T) {
			spec := planSpec{Format: format, Rounds: rounds, Concurrency: 2, Pause: time.Millisecond, Engines: 3}
			if format == "sprt" {
				spec.Engines, spec.Rounds = 2, 400 // far more than it takes
			}
			dir := t.TempDir()
			whole := filepath.Join(dir, "whole.db")
			all, killed := start(t, spec, whole, nil)
			if killed {
				t.Fatal("the undisturbed run was killed")
			}
			dice := rand.New(rand.NewPCG(1, uint64(len(format))))
			db := filepath.Join(dir, "killed.db")
			spec.Stalls = true
			shown := map[string]bool{}
			done := 0
			for killed = true; killed && done < kills; {
				var ids []string
				// Its games are counted, so that the kills fall everywhere in the run
				// on a busy machine too.
				ids, killed = start(t, spec, db, &kill{dice.IntN(3 * len(all) / (2 * kills)), time.Duration(dice.IntN(20)) * time.Millisecond})
				for _, id := range ids {
					shown[id] = true
				}
				if killed {
					done++
				}
			}
			ids, _ := start(t, spec, db, nil)
			for _, id := range ids {
				shown[id] = true
			}
			want, got := gamesIn(t, spec, whole), gamesIn(t, spec, db)
			if got.voided.Pairs == 0 || want.voided.Pairs > 0 {
				t.Errorf("void: %+v, undisturbed %+v", got.voided, want.voided)
			}
			t.Logf("%d kills; %d games, %d games undisturbed", done, len(got.games), len(want.games))
			if done < kills/4 { // the games of its last 20 ms may have ended it
				t.Errorf("only %d kills", done)
			}
			for id := range shown {
				if got.games[id] == "" {
					t.Errorf("game %s was shown as finished and is lost", id)
				}
			}
			if format == "round-robin" {
				if diff := cmp.Diff(want.games, got.games); diff != "" {
					t.Errorf("games differ: %s", diff)
				}
			}
			if want.decided.Stop == nil {
				t.Fatal("the undisturbed run did not end")
			}
			if diff := cmp.Diff(want.decided, got.decided); diff != "" {
				t.Errorf("the run ended otherwise: %s", diff)
			}
			for id, g := range want.games { // surplus games beyond the end may be there or not
				if other := got.games[id]; other != "" && other != g {
					t.Errorf("game %s differs:\n%s\n%s", id, g, other)
				}
			}
		})
	}
}

// kill ends an arena some time after it has shown a number of games.
type kill struct {
	games int
	later time.Duration
}

// start runs an arena on db, and kills it. It returns the games that it showed as finished.
func start(t *testing.T, spec planSpec, db string, k *kill) (shown []string, killed bool) {
	t.Helper()
	self, err := os.Executable()
	gametest.OK(t, err)
	text, err := json.Marshal(spec)
	gametest.OK(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "ENDTOEND_PLAN="+string(text), "ENDTOEND_DB="+db)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	gametest.OK(t, err)
	hung := time.AfterFunc(10*time.Minute, func() { _ = cmd.Process.Signal(syscall.SIGQUIT) })
	defer hung.Stop()
	if k != nil && k.games == 0 {
		defer time.AfterFunc(k.later, func() { _ = cmd.Process.Kill() }).Stop()
	}
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // a line that was cut was not shown
		}
		shown = append(shown, strings.TrimSuffix(line, "\n"))
		if k != nil && len(shown) == k.games {
			defer time.AfterFunc(k.later, func() { _ = cmd.Process.Kill() }).Stop()
		}
	}
	err = cmd.Wait()
	killed = !cmd.ProcessState.Exited()
	if err != nil && !killed {
		t.Fatalf("the arena failed: %v\n%s", err, errOut.String())
	}
	return shown, killed
}

type contents struct {
	games   map[string]string // by identity
	decided *arena.Summary    // without surplus games, void ones and times
	voided  arena.Voided
}

// gamesIn is all that must be the same in two databases of a run.
func gamesIn(t *testing.T, spec planSpec, db string) contents {
	t.Helper()
	ctx := context.Background()
	s, err := store.Existing(ctx, db)
	gametest.OK(t, err)
	defer s.Close()
	runs, err := s.Runs(ctx)
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	c := contents{games: map[string]string{}}
	for rec, err := range s.Games(ctx, runs[0].ID, false) {
		gametest.OK(t, err)
		if c.games[rec.ID] != "" {
			t.Errorf("game %s stands twice", rec.ID)
		}
		var nodes []string
		for _, p := range rec.Plies {
			nodes = append(nodes, fmt.Sprint(p.Seat, p.Depth, p.Nodes))
		}
		c.games[rec.ID] = fmt.Sprintf("%v %d %d %d %s %v %v %s", rec.Pairing, rec.Round, rec.Pair, rec.Leg, rec.Start, rec.Moves, rec.Outcome, strings.Join(nodes, ","))
	}
	info, err := s.Find(ctx, runs[0].Name)
	gametest.OK(t, err)
	if info.State != "finished" {
		t.Errorf("the run is %s", info.State)
	}
	plan, err := spec.plan()
	gametest.OK(t, err)
	done, err := s.Finished(ctx, info.ID)
	gametest.OK(t, err)
	if c.decided, err = tournament.Summarize(plan, arena.RunInfo{}, tournament.Stored(done), nil); err != nil {
		t.Fatal(err)
	}
	c.voided = c.decided.Voided
	c.decided.Surplus, c.decided.Voided, c.decided.Warnings = 0, arena.Voided{}, nil
	for i := range c.decided.Rows {
		row := &c.decided.Rows[i]
		row.Sides = [2]arena.Effort{}
	}
	for i := range c.decided.Figures.Engines {
		c.decided.Figures.Engines[i].Averages = arena.Averages{}
	}
	return c
}

package store

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"thera/arena"
	"thera/engine/gametest"
)

const roleVariable = "THERA_STORE_TEST_ROLE"

// TestMain lets the test binary also run as the program that is killed, or as
// one of many.
func TestMain(m *testing.M) {
	role, path, child := strings.Cut(os.Getenv(roleVariable), ":")
	if !child {
		os.Exit(m.Run())
	}
	if err := map[string]func(string) error{"put": putForever, "open": openFirst}[role](path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// childOf returns a child with a role.
func childOf(role, path string) *exec.Cmd {
	child := exec.Command(os.Args[0])
	child.Env, child.Stderr = append(os.Environ(), roleVariable+"="+role+":"+path), new(bytes.Buffer)
	return child
}

// allGames returns more games than 40 children can put before they are killed.
func allGames() []*arena.Game { return newDraw(42).pairs(3000, "a", "b", "c") }

// putForever continues the run and prints each game's identity after Put
// returned.
func putForever(path string) error {
	ctx := context.Background()
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	run, was, err := s.Begin(ctx, planOf("a", "b", "c"))
	if err != nil {
		return err
	}
	have := map[string]bool{}
	for _, f := range was.Games {
		have[f.ID] = true
	}
	jobs := make(chan *arena.Game)
	var print sync.Mutex
	for range 8 {
		go func() {
			for rec := range jobs {
				if err := s.Put(ctx, run, rec); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				print.Lock()
				fmt.Println(rec.ID)
				print.Unlock()
			}
		}()
	}
	for _, rec := range allGames() {
		if !have[rec.ID] {
			jobs <- rec
		}
	}
	return nil
}

// A program that is killed at any moment loses no game that it showed as
// finished and stores none twice, and the counts of its run are right.
func TestKilledProgramsLoseNothingShown(t *testing.T) {
	kills := 3
	if gametest.Long(t) {
		kills = 40
	}
	path := filepath.Join(t.TempDir(), "thera.db")
	shown := map[string]bool{}
	chance := rand.New(rand.NewPCG(9, 9))
	for range kills {
		child := childOf("put", path)
		out, err := child.StdoutPipe()
		gametest.OK(t, err)
		gametest.OK(t, child.Start())
		lines := bufio.NewScanner(out)
		for left := 1 + chance.IntN(400); left > 0 && lines.Scan(); left-- {
			shown[lines.Text()] = true
		}
		gametest.OK(t, child.Process.Kill())
		for lines.Scan() { // what was printed before the signal came
			shown[lines.Text()] = true
		}
		child.Wait()
		if complaints := fmt.Sprint(child.Stderr); complaints != "" {
			t.Fatal(complaints)
		}
	}
	s := openAt(t, path)
	run, was, err := s.Begin(t.Context(), planOf("a", "b", "c"))
	gametest.OK(t, err)
	stored := map[string]bool{}
	for _, f := range was.Games {
		if stored[f.ID] {
			t.Errorf("%s is stored twice", f.ID)
		}
		stored[f.ID] = true
	}
	for id := range shown {
		if !stored[id] {
			t.Errorf("%s was shown as finished and is lost", id)
		}
	}
	info, err := s.Find(t.Context(), "trial")
	if err != nil || info.Games != len(was.Games) {
		t.Errorf("the run counts %d games of %d, %v", info.Games, len(was.Games), err)
	}
	if games := gamesOf(t, s, run, true); len(games) != len(was.Games) {
		t.Errorf("%d games can be read of %d", len(games), len(was.Games))
	}
	if len(shown) < 10*kills {
		t.Fatalf("only %d games were shown: the test proves little", len(shown))
	}
	t.Logf("%d kills, %d games shown, %d stored", kills, len(shown), len(stored))
}

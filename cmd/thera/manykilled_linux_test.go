package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/gametest"
)

// site is a runner, a server and workers, each of them a process, in one folder.
type site struct {
	t      testing.TB
	dir    string
	server string // its address
	db     string
	starts int // of the runner
	procs  map[string]*exec.Cmd
}

func newSite(t testing.TB, matchFile string) *site {
	s := &site{t: t, dir: t.TempDir(), server: ownAddress(t), db: "many.db", procs: map[string]*exec.Cmd{}}
	gametest.OK(t, os.WriteFile(filepath.Join(s.dir, "m.yaml"), []byte(matchFile), 0o666))
	t.Cleanup(s.end)
	return s
}

// start starts a program under a name. What it prints is in NAME.log.
func (s *site) start(name, program string, args ...string) {
	s.t.Helper()
	log, err := os.OpenFile(filepath.Join(s.dir, name+".log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, log, log
	cmd.Env = append(os.Environ(), "TMPDIR="+s.dir)
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.procs[name] = cmd
}

// kill ends a program by signal 9.
func (s *site) kill(name string) {
	if cmd := s.procs[name]; cmd.ProcessState == nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

// end ends all programs.
func (s *site) end() {
	for name := range s.procs {
		s.kill(name)
	}
}

// await waits until a file has so many of some words.
func (s *site) await(file, words string, n int) {
	s.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(time.Minute); s.count(file, words) < n; <-tick.C {
		if time.Now().After(end) {
			s.t.Fatalf("%s never had %q %d times:\n%s\n%s", file, words, n, s.read(file), s.read("runner.log"))
		}
	}
}

func (s *site) count(file, words string) int { return strings.Count(s.read(file), words) }

func (s *site) read(file string) string {
	text, _ := os.ReadFile(filepath.Join(s.dir, file)) // it may not be there yet
	return string(text)
}

// serve starts the server.
func (s *site) serve() {
	s.t.Helper()
	before := s.count("server.log", "\n")
	s.start("server", "natsd", s.server)
	s.await("server.log", "\n", before+1)
}

// run starts the runner, and returns what its events are written to.
func (s *site) run(slots int, args ...string) (events string) {
	s.starts++
	events = fmt.Sprintf("events%d.jsonl", s.starts)
	s.start("runner", "thera", append([]string{"run", "m.yaml", "--db", s.db, "--slots", fmt.Sprint(slots), "--events", events}, args...)...)
	return events
}

func (s *site) worker(name, program string) {
	s.start(name, program, "worker", "nats://"+s.server, "--name", name, "--slots", "1")
}

// same compares the games with those of a run on this machine alone. Where a run may stop
// at different times, each has a few pairs that the other one has not.
func (s *site) same(stops bool) {
	s.t.Helper()
	local := exec.Command("thera", "run", "m.yaml", "--db", "whole.db")
	local.Dir = s.dir
	if out, err := local.CombinedOutput(); err != nil {
		s.t.Fatalf("%v: %s", err, out)
	}
	var games [2][]string
	for i, name := range []string{"whole.db", s.db} {
		var err error
		if games[i], err = gamesIn(context.Background(), filepath.Join(s.dir, name)); err != nil {
			s.t.Fatal(err)
		}
	}
	if stops {
		id := func(line string) string { return line[:32] }
		both := func(list, other []string) []string {
			return slices.DeleteFunc(slices.Clone(list), func(line string) bool {
				return !slices.ContainsFunc(other, func(x string) bool { return id(x) == id(line) })
			})
		}
		whole, many := len(games[0]), len(games[1])
		games[0], games[1] = both(games[0], games[1]), both(games[1], games[0])
		if whole-len(games[0]) > 8 || len(games[0]) == 0 {
			s.t.Errorf("%d and %d games, %d in both", whole, many, len(games[0]))
		}
	}
	if diff := cmp.Diff(games[0], games[1]); diff != "" {
		s.t.Errorf("games differ from those of a local run: %s", diff)
	}
}

const fourEngines = `
engines:
  - {name: a, builtin: true, limit: {nodes: 900}}
  - {name: b, builtin: true, limit: {nodes: 300}}
  - {name: c, builtin: true, limit: {nodes: 150}}
  - {name: d, builtin: true, limit: {nodes: 60}}
`

const twoEngines = `
engines:
  - {name: a, builtin: true, limit: {nodes: 900}}
  - {name: b, builtin: true, limit: {nodes: 300}}
`

// killedFormats are runs of each format.
var killedFormats = []struct {
	name, text string
	stops      bool // at a time that depends on who plays how fast
}{
	{"round-robin", "tournament: {rounds: 5}" + fourEngines, false},
	{"gauntlet", "tournament: {format: gauntlet, rounds: 10}" + strings.Replace(fourEngines, "name: a,", "name: a, seed: true,", 1), false},
	{"swiss", "tournament: {format: swiss, rounds: 2, pairs_per_match: 8}" + fourEngines, false},
	{"knockout", "tournament: {format: knockout, pairs_per_match: 8}" + fourEngines, false},
	{"sprt", "tournament: {format: sprt}\nsprt: {elo0: 0, elo1: 60}" + twoEngines, true},
	{"cells", "tournament: {format: cells, rounds: 6}" + twoEngines, false},
}

const killedRest = `game: santorini
openings: {gods: {list: [mortal, pan]}, random_plies: 3}
limit: {nodes: 500}
concurrency: 1
`

// Workers, the runner and the server are killed at random, and started again: the games
// are those of a local run.
func TestLongKilled(t *testing.T) {
	gametest.Sequential(t)
	t.Parallel()
	kills, formats := 3, killedFormats[:1]
	if gametest.Long(t) {
		kills, formats = 30, killedFormats
	}
	dice := rand.New(rand.NewPCG(19, 7))
	done := map[string]int{}
	for round := 0; kills > 0; round++ {
		f := formats[round%len(formats)]
		most := min(kills, 5)
		t.Run(fmt.Sprint(f.name, round), func(t *testing.T) {
			s := newSite(t, fmt.Sprintf("%sseed: %d\n%s", killedRest, round, f.text))
			s.serve()
			events := s.run(0, "--nats", "nats://"+s.server)
			s.worker("w1", "thera")
			s.worker("w2", "thera")
			for n := range most {
				ended := s.play(&events, 1+dice.IntN(4))
				if ended {
					break
				}
				victim := []string{"w1", "server", "runner", "w2"}[n%4]
				if len(formats) > 1 {
					victim = []string{"w1", "server", "runner", "w2"}[dice.IntN(4)]
				}
				s.kill(victim)
				done[victim]++
				kills--
				switch victim {
				case "server":
					s.serve()
				case "runner":
					events = s.run(dice.IntN(2), "--nats", "nats://"+s.server)
				default:
					s.worker(victim, "thera")
				}
			}
			if err := s.procs["runner"].Wait(); err != nil {
				t.Fatalf("runner: %v\n%s", err, s.read("runner.log"))
			}
			s.same(f.stops)
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("killed: %v", done)
}

// play waits until so many games more are finished, or reports that the run has ended.
func (s *site) play(events *string, games int) (ended bool) {
	s.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	before := s.count(*events, `"game_finished"`)
	for end := time.Now().Add(5 * time.Minute); ; <-tick.C {
		switch {
		case s.count(*events, `"run_finished"`) > 0:
			return true
		case s.count(*events, `"game_finished"`) >= before+games:
			return false
		case time.Now().After(end):
			s.t.Fatalf("nothing is played:\n%s\nworkers:\n%s%s", s.read("runner.log"), s.read("w1.log"), s.read("w2.log"))
		}
	}
}

// A worker that is another build of thera does not play built-in engines, and says so with
// both hashes.
func TestAnotherBuild(t *testing.T) {
	gametest.Sequential(t)
	t.Parallel()
	s := newSite(t, killedRest+"tournament: {rounds: 1}"+twoEngines)
	thera, err := exec.LookPath("thera")
	gametest.OK(t, err)
	other := filepath.Join(s.dir, "thera")
	// Another process writes it: one that this test starts meanwhile would have an open file of it, and nobody could
	// start it.
	gametest.OK(t, exec.Command("sh", "-c", `cp "$0" "$1" && printf '\0' >>"$1"`, thera, other).Run())
	s.serve()
	events := s.run(0, "--nats", "nats://"+s.server)
	s.worker("other", other)
	s.await(events, "worker other has left: it cannot play the run", 1)
	s.worker("same", "thera")
	if err := s.procs["runner"].Wait(); err != nil {
		t.Fatalf("%v\n%s", err, s.read("runner.log"))
	}
	s.same(false)
	if said := s.read("other.log"); strings.Count(said, "it is built into thera ") == 0 {
		t.Errorf("said:\n%s", said)
	}
}

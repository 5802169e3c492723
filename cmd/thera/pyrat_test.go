package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/proc"
)

// botVar makes the test binary an AI of PyRat with some fault.
const botVar = "THERA_TEST_PYRAT_BOT"

// TestPyRatBot is not a test but the AI. It cycles through UP, RIGHT, DOWN and
// LEFT, so that a move shows its turn.
func TestPyRatBot(t *testing.T) {
	kind := os.Getenv(botVar)
	if kind == "" {
		t.Log("not asked to be an AI")
		return
	}
	turn, goes, recovered, held := -1, 0, false, ""
	scan := bufio.NewScanner(os.Stdin)
	for scan.Scan() {
		word, _, _ := strings.Cut(scan.Text(), " ")
		deaf := kind == "deaf" && goes > 2
		switch {
		case deaf:
		case word == "pyrat":
			fmt.Println("id name", kind)
			fmt.Println("pyratready")
		case word == "startpreprocessing":
			fmt.Println("preprocessingdone")
		case word == "isready":
			fmt.Println("readyok")
		case word == "ready?":
			fmt.Println("ready")
		case word == "newgame":
			turn, goes = -1, 0
		case word == "recover":
			recovered = true
		case word == "moves":
			turn++
		case word == "go":
			goes++
			if kind == "deaf" && goes > 2 {
				continue
			}
			if goes == 3 && (kind == "crasher" || kind == "fragile" && !recovered) {
				os.Exit(7)
			}
			if kind == "garbled" && turn == 1 {
				fmt.Println("move SIDEWAYS")
				continue
			}
			if kind == "talker" {
				talk(goes)
			}
			move := "move " + []string{"UP", "RIGHT", "DOWN", "LEFT"}[max(turn, 0)%4]
			if kind == "late" && turn%3 == 2 {
				held = move
				continue
			}
			fmt.Println(move)
		case word == "stop" && held != "": // after its time, whatever that was
			fmt.Println(held)
			held = ""
		}
	}
	os.Exit(0)
}

// botLimits are the limits for AIs that test limits. All others have ample
// time. The arena wakes late on a busy machine, but hardly by half of them.
var botLimits = map[string]string{
	"late": "move: 200ms, grace: 300ms, sync: 1m",
	"deaf": "move: 200ms, grace: 300ms, sync: 1s",
}

// playBots plays two games of 8 turns between two AIs and returns them as
// printed by `games --json`.
func playBots(t *testing.T, a, b, more string) []arena.GameLine {
	t.Helper()
	file, db := botsFile(t, a, b, more)
	return runGames(t, file, db)
}

// botsFile writes a match file for two AIs and returns it with the path of a
// database.
func botsFile(t *testing.T, a, b, more string) (file, db string) {
	t.Helper()
	dir := t.TempDir()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bot := func(name, kind string) string {
		limit := botLimits[kind]
		if limit == "" {
			limit = "move: 1m, grace: 1m, sync: 1m"
		}
		return fmt.Sprintf("  - {name: %s, command: [%q, \"-test.run=^TestPyRatBot$\"], env: {%s: %s}, limit: {%s}}\n", name, binary, botVar, kind, limit)
	}
	file, db = filepath.Join(dir, "match.yaml"), filepath.Join(dir, "thera.db")
	text := "game: pyrat\nrules: {max_turns: 8, preprocessing: 1m, postprocessing: 0s" + more + "}\n" +
		"openings: {maze: {preset: tiny, mud: 0}}\nengines:\n" + bot("a", a) + bot("b", b) +
		"tournament: {format: round-robin, rounds: 1, pairs: true}\n" +
		"limit: {move: 1m}\nconcurrency: 1\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file, db
}

// unknown is a machine that says nothing about itself, so that nothing is void.
type unknown struct{}

func (unknown) Usage([]int) (u proc.Usage, ok bool) { return u, false }

// runGames plays a match file and returns its two games.
func runGames(t *testing.T, file, db string) []arena.GameLine {
	t.Helper()
	var ran, said bytes.Buffer
	if status := execute(newRoot(unknown{}), []string{"run", file, "--db", db}, strings.NewReader(""), &ran, &said); status != exitDone {
		t.Fatalf("exit %d: %s", status, &said)
	}
	status, out, errOut := thera("", "games", "--json", "--db", db)
	if status != exitDone {
		t.Fatalf("exit %d: %s", status, errOut)
	}
	var games []arena.GameLine
	for line := range strings.Lines(out) {
		var g arena.GameLine
		if err := json.Unmarshal([]byte(line), &g); err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	if len(games) != 2 {
		t.Fatalf("%d games: %s", len(games), out)
	}
	return games
}

// TestPyRatLateMoves checks that the late answer of an AI in every third turn
// is not used for another turn. The record has STAY in its place and a
// warning.
func TestPyRatLateMoves(t *testing.T) {
	t.Parallel()
	booked, missed := 0, 0
	games := playBots(t, "late", "punctual", "")
	if a, b := games[0], games[1]; a.Start != b.Start || a.First != b.Second || a.Second != b.First {
		t.Errorf("a pair is not the same maze with the roles swapped:\n%s: %s, %s\n%s: %s, %s", a.Start, a.First, a.Second, b.Start, b.First, b.Second)
	}
	for _, g := range games {
		if g.Source != "natural" || g.Plies != 8 {
			t.Errorf("%s after %d turns: %s", g.Source, g.Plies, g.Reason)
		}
		for n, turn := range g.Moves {
			for seat, name := range []string{g.First, g.Second} {
				move := turn[2*seat : 2*seat+1]
				want := "URDL"[n%4 : n%4+1]
				switch {
				case move == "S":
					missed++ // a busy machine may make others late too
				case move != want:
					t.Errorf("turn %d: %s is booked with %s, its answer to another turn", n+1, name, move)
				default:
					booked++
				}
			}
		}
		stays := strings.Count(strings.Join(g.Moves, ""), "S") > 0
		if said := strings.Contains(strings.Join(g.Warnings, "\n"), "moves late or unreadable, replaced"); said != stays {
			t.Errorf("%q, but the record says %q", g.Moves, g.Warnings)
		}
	}
	// Four answers are late; on a busy machine not always the same ones.
	if booked < 6 || missed < 1 {
		t.Errorf("%d moves booked, %d missed", booked, missed)
	}
}

// TestPyRatRecovers checks that the AI is restarted once after a crash and
// continues, and that the same process plays the next game.
func TestPyRatRecovers(t *testing.T) {
	t.Parallel()
	games := playBots(t, "fragile", "punctual", "")
	for n, g := range games {
		restarted := strings.Contains(strings.Join(g.Warnings, "\n"), "restarted at ply 3 after exited: 7")
		if g.Source != "natural" || g.Plies != 8 || restarted != (n == 0) {
			t.Errorf("game %d: %s after %d turns, %q", n+1, g.Reason, g.Plies, g.Warnings)
		}
	}
}

// TestPyRatLoses checks that an AI loses by a second crash, by answers that a
// new process does not give either, and by more late moves than the rules
// forgive.
func TestPyRatLoses(t *testing.T) {
	for _, tt := range []struct{ kind, more, reason string }{
		{"crasher", "", "exited: 7"},
		{"deaf", "", "timeout"},
		{"garbled", ", max_timeouts: 1", ""},
		{"late", ", max_timeouts: 1", "timeout"},
	} {
		t.Run(tt.kind, func(t *testing.T) {
			t.Parallel()
			for _, g := range playBots(t, tt.kind, "punctual", tt.more) {
				if tt.reason == "" {
					if g.Source != "natural" || !strings.Contains(strings.Join(g.Warnings, "\n"), "1 moves late or unreadable") {
						t.Errorf("%s: %s, %q", tt.kind, g.Reason, g.Warnings)
					}
					continue
				}
				if g.Fault == nil || g.Fault.Engine != "a" || !strings.HasPrefix(g.Reason, tt.reason) {
					t.Errorf("%s: %s after %d turns, %q", tt.kind, g.Reason, g.Plies, g.Warnings)
				}
			}
		})
	}
}

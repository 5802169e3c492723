package protocol_test

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/gametest"
	"thera/engine/mill"
)

// serve sends the engine all commands at once and returns its lines.
func serve(t *testing.T, commands ...string) []string {
	t.Helper()
	var out bytes.Buffer
	in := strings.NewReader(strings.Join(commands, "\n") + "\n")
	if err := mill.Player().Serve(context.Background(), nil, in, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// client talks to an engine that reads commands during a search.
type client struct{ gametest.Dialogue }

func connect(t *testing.T) *client {
	return &client{gametest.Dialogue{T: t, Conn: gametest.Join(t, mill.Player())}}
}

func last(lines []string) string { return lines[len(lines)-1] }

// silent checks that the engine answers nothing to commands.
func (c *client) silent(commands ...string) {
	c.T.Helper()
	c.Tell(append(commands, "isready")...)
	if got := c.Until("readyok"); len(got) != 1 {
		c.T.Errorf("%q: engine said %q, want nothing", commands, got)
	}
}

func TestUCI(t *testing.T) {
	want := strings.Split(strings.TrimSpace(`
id name Thera Mill
id author the Thera authors
option name Algorithm type spin default 2 min 0 max 2
option name SkillLevel type spin default 1 min 0 max 30
option name MoveTime type spin default 1 min 0 max 60
option name UsePerfectDatabase type check default false
option name PerfectDatabasePath type string default <empty>
option name DrawOnHumanExperience type check default true
option name ConsiderMobility type check default true
option name DeveloperMode type check default true
option name Hash type spin default 16 min 1 max 4096
option name Seed type spin default 1 min 0 max 1000000000
option name Net type check default true
option name Random type check default false
option name Endings type check default true
option name Threads type spin default 1 min 1 max 64
option name MayFly type check default true
option name NMoveRule type spin default 100 min 10 max 200
info string limits time clock depth nodes
uciok`), "\n")
	if diff := cmp.Diff(want, serve(t, "uci", "quit")); diff != "" {
		t.Error(diff)
	}
}

func TestIsReadyWhileSearching(t *testing.T) {
	c := connect(t)
	c.Tell("setoption name SkillLevel value 30", "go infinite", "isready")
	if lines := c.Until("readyok"); strings.Contains(strings.Join(lines, "\n"), "bestmove") {
		t.Errorf("answered before stop: %q", lines)
	}
	c.Tell("stop")
	c.Until("bestmove ")
}

// Invalid input gets no answer. With debug on it gets an explanation.
func TestInvalidInputIsSilent(t *testing.T) {
	bad := []string{
		"invalid_command", "", "   ", "position", "position nowhere", "position fen invalid_fen_string",
		"position startpos moves invalid_move", "setoption", "setoption name Quux value 1",
		"setoption name Algorithm value 999", "setoption name algorithm value 1", "setoption name Net value yes",
		"setoption name Algorithm",
	}
	connect(t).silent(bad...)
	c := connect(t)
	for _, line := range bad {
		if strings.TrimSpace(line) == "" {
			continue
		}
		c.Tell("debug on", line, "isready")
		got := c.Until("readyok")
		if len(got) != 2 || !strings.HasPrefix(got[0], "info string ") {
			t.Errorf("%q: explained by %q", line, got)
		}
	}
	c.silent("debug off", "invalid_command")
}

// answer sends a question and returns the move that the engine plays.
func (c *client) answer(question string) string {
	c.T.Helper()
	c.Tell(question)
	return strings.TrimPrefix(last(c.Until("bestmove ")), "bestmove ")
}

func TestPosition(t *testing.T) {
	c := connect(t)
	c.silent("setoption name SkillLevel value 30", "setoption name DeveloperMode value false")
	for _, tt := range []struct{ position, want string }{
		{"position startpos moves d7 d6 g7 d5 a7", "xd6|xd5"}, // a removal is a separate move
		{"position startpos moves d7 d6 g7 d5 zz a7", "a7"},   // the illegal move and all after it are dropped
		{"position startpos moves d7 d6 g7 d5 xd6 a7", "a7"},  // so is one against the rules
		{"position fen invalid_fen_string", "a7"},             // the position stays as it was
		{"position fen ********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 0 moves d7 d6 g7 d5", "a7"},
		{"position fen *OO*O***/******@*/***@@@** w m s 3 0 4 0 0 0 0 0 0 0 0 9 30", "..-.."},
		{"position fen *OOOO***/*********/***@@@** b m s 3 0 4 0 0 0 0 0 0 0 0 9 30", "..-.."}, // refused: unchanged
	} {
		c.silent(tt.position)
		if got := c.answer("go depth 1"); !regexp.MustCompile("^(" + tt.want + ")$").MatchString(got) {
			t.Errorf("%s: plays %s, want %s", tt.position, got, tt.want)
		}
	}
}

func TestGameOverAnswers(t *testing.T) {
	for fen, score := range map[string]string{
		"**O*****/@@***@@@/**O***** b o r 2 0 5 0 0 1 0 0 0 0 0 0 23":   "mate 0",
		"@O@*@O@*/@*******/@O@O@O@O w m s 6 0 9 0 0 0 0 0 0 0 0 0 30":   "mate -0",
		"O@OO*@OO/O**@O*@@/@*@O@@*O b m s 9 0 9 0 0 0 0 0 0 0 0 120 14": "cp 0",
	} {
		got := serve(t, "position fen "+fen, "go depth 3")
		want := []string{"info depth 0 score " + score + " nodes 0 time 0", "bestmove -"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", fen, diff)
		}
	}
}

var infoForm = regexp.MustCompile(`^info (depth \d+ score (cp -?\d+|mate -?\d+) nodes \d+ time \d+( pv( [a-g][1-7](-[a-g][1-7])?| x[a-g][1-7])+)?|` +
	`currmove [x\-a-g1-7]+ currmovenumber \d+ time \d+|string debug: .*)$`)

func TestInfo(t *testing.T) {
	c := connect(t)
	c.Tell("setoption name SkillLevel value 30", "setoption name Algorithm value 1", "setoption name DeveloperMode value false", "go nodes 60000")
	lines := c.Until("bestmove ")
	lines = lines[:len(lines)-1]
	byDepth := map[string]int{}
	for _, line := range lines {
		if !infoForm.MatchString(line) {
			t.Errorf("bad line %q", line)
		}
		if words := strings.Fields(line); words[1] == "depth" {
			byDepth[words[2]]++
		}
	}
	if len(byDepth) < 8 || len(lines) > len(byDepth)+1 {
		t.Errorf("%d lines on %d depths: %q", len(lines), len(byDepth), lines)
	}
}

func TestMateScores(t *testing.T) {
	// White closes a mill and removes the third man: a win with this turn.
	const win = "position fen *OO*O***/*****@@*/***@**** w m s 3 0 3 0 0 0 0 0 0 0 0 9 30"
	got := strings.Join(serve(t, "setoption name SkillLevel value 30", win, "go depth 4"), "\n")
	if !strings.Contains(got, " score mate 1 ") || !strings.Contains(got, "bestmove ") {
		t.Errorf("got %s", got)
	}
	// Black, to move, cannot prevent it.
	const loss = "position fen *OO*O@**/***@**@*/O*O****O b m s 6 0 3 0 0 0 0 0 0 0 0 9 30"
	got = strings.Join(serve(t, "setoption name SkillLevel value 30", loss, "go depth 4"), "\n")
	if !strings.Contains(got, " score mate -1 ") {
		t.Errorf("got %s", got)
	}
}

func TestSearchMoves(t *testing.T) {
	c := connect(t)
	for question, want := range map[string]string{
		"go searchmoves a1 depth 3":       "a1",
		"go depth 3 searchmoves b2":       "b2",
		"go searchmoves zz depth 1":       "",
		"go searchmoves a1-b2 c3 depth 2": "c3",
	} {
		if got := c.answer(question); want != "" && got != want || len(got) != 2 {
			t.Errorf("%s: plays %s, want %s", question, got, want)
		}
	}
}

func TestGoLimits(t *testing.T) {
	c := connect(t)
	c.Tell("setoption name SkillLevel value 30", "setoption name DeveloperMode value false", "setoption name Algorithm value 1")
	c.Tell("go depth 5")
	if lines := c.Until("bestmove"); !strings.HasPrefix(lines[len(lines)-2], "info depth 5 ") {
		t.Errorf("depth 5 ends with %q", lines[len(lines)-2])
	}
	c.Tell("go nodes 20000")
	lines := c.Until("bestmove")
	if !strings.Contains(lines[len(lines)-2], " nodes 20000 ") {
		t.Errorf("nodes 20000 ends with %q", lines[len(lines)-2])
	}
	for _, question := range []string{"go movetime 60", "go wtime 3000 btime 1 winc 0 binc 0", "go wtime 1 btime 1"} {
		if got := c.answer(question); len(got) != 2 {
			t.Errorf("%s: %q", question, got)
		}
	}
}

func TestStop(t *testing.T) {
	c := connect(t)
	c.silent("stop") // there was no answer yet
	c.Tell("setoption name SkillLevel value 30", "go infinite")
	c.Tell("stop")
	first := last(c.Until("bestmove "))
	c.Tell("stop")
	if again := last(c.Until("bestmove ")); again != first {
		t.Errorf("idle stop says %q, want %q again", again, first)
	}
	c.silent("ucinewgame", "stop") // a new game has no last answer
}

// An infinite search ends by stop alone, even if nothing is left to search.
func TestInfinite(t *testing.T) {
	c := connect(t)
	c.Tell("go infinite depth 1", "isready")
	c.Until("readyok")
	if line, ok := c.Pending(); ok && strings.HasPrefix(string(line), "bestmove") {
		t.Errorf("answered %q before stop", line)
	}
	c.Tell("stop")
	c.Until("bestmove ")
}

// A second go stops the first, and both answer.
func TestGoWhileSearching(t *testing.T) {
	c := connect(t)
	c.Tell("go infinite", "go depth 2")
	c.Until("bestmove ")
	c.Until("bestmove ")
}

func TestQuitWhileSearching(t *testing.T) {
	c := connect(t)
	c.Tell("setoption name SkillLevel value 30", "go infinite", "quit")
	c.Until("bestmove ") // Join fails the test if the engine does not end
}

// ucinewgame clears table and history: the same search takes the same nodes.
func TestNewGameForgets(t *testing.T) {
	c := connect(t)
	c.Tell("setoption name SkillLevel value 30", "setoption name DeveloperMode value false")
	var seen [2]string
	for i := range seen {
		c.Tell("ucinewgame", "position startpos moves d6", "go nodes 30000")
		lines := c.Until("bestmove ")
		seen[i] = regexp.MustCompile(` time \d+`).ReplaceAllString(lines[len(lines)-2]+last(lines), "")
	}
	if seen[0] != seen[1] {
		t.Errorf("two new games differ: %q, %q", seen[0], seen[1])
	}
	c.Tell("position startpos moves d6", "go nodes 30000")
	lines := c.Until("bestmove ")
	if now := regexp.MustCompile(` time \d+`).ReplaceAllString(lines[len(lines)-2]+last(lines), ""); now == seen[0] {
		t.Error("without ucinewgame nothing is remembered")
	}
	// The position is the start again.
	c.silent("ucinewgame")
	if got := c.answer("go searchmoves d6 depth 1"); got != "d6" {
		t.Errorf("after ucinewgame d6 is not free: %s", got)
	}
}

// The protocol's table names tests that exist.
func TestProtocolTable(t *testing.T) { gametest.Protocol(t, ".", 43) }

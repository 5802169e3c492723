package protocol

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"thera/engine/protocol"
	"thera/engine/pyrat/rules"
)

// ai is the built-in engine on pipes.
type ai struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan string
	ended chan error
}

func startAI(t *testing.T) *ai {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	a := &ai{t: t, in: inW, lines: make(chan string, 1<<12), ended: make(chan error, 1)}
	go func() {
		a.ended <- (Player{}).Serve(context.Background(), nil, inR, outW, io.Discard)
		outW.Close()
	}()
	go func() {
		defer close(a.lines)
		text := ""
		buf := make([]byte, 1<<16)
		for {
			n, err := outR.Read(buf)
			text += string(buf[:n])
			for {
				line, rest, ok := strings.Cut(text, "\n")
				if !ok {
					break
				}
				a.lines <- line
				text = rest
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		inW.Close()
		if err := <-a.ended; err != nil {
			t.Errorf("the engine ended with %v", err)
		}
	})
	return a
}

func (a *ai) send(lines ...string) {
	a.t.Helper()
	if _, err := io.WriteString(a.in, strings.Join(lines, "\n")+"\n"); err != nil {
		a.t.Fatal(err)
	}
}

// hear returns the lines up to and including the first that begins with prefix.
func (a *ai) hear(prefix string) []string {
	a.t.Helper()
	var seen []string
	timer := time.NewTimer(time.Minute)
	defer timer.Stop()
	for {
		select {
		case line, ok := <-a.lines:
			if !ok {
				a.t.Fatalf("the engine ended, waiting for %q after %q", prefix, seen)
			}
			seen = append(seen, line)
			if strings.HasPrefix(line, prefix) {
				return seen
			}
		case <-timer.C:
			a.t.Fatalf("no %q after %q", prefix, seen)
		}
	}
}

// fenced returns all lines before the answer to isready.
func (a *ai) fenced() []string {
	a.t.Helper()
	a.send("isready")
	lines := a.hear("readyok")
	return lines[:len(lines)-1]
}

func (a *ai) silent(why string) {
	a.t.Helper()
	if lines := a.fenced(); len(lines) > 0 {
		a.t.Errorf("%s: it printed %q", why, lines)
	}
}

// smallGame are the lines that describe a board of 4 x 3.
func smallGame(seat string) []string {
	return []string{
		"newgame", "maze height:3 width:4", "walls (0,0)-(0,1) (2,2)-(3,2)", "mud (1,0)-(2,0):3",
		"cheese (2,0) (1,2) (3,2)", "player1 rat (3,2)", "player2 python (0,0)", "youare " + seat,
	}
}

// seated begins a game of the greedy player.
func seated(t *testing.T, seat string) *ai {
	a := startAI(t)
	a.send("pyrat", "setoption name Strategy value Greedy")
	a.hear("pyratready")
	a.send(smallGame(seat)...)
	a.send("startpreprocessing")
	a.hear("preprocessingdone")
	return a
}

func TestServerIntroducesItself(t *testing.T) {
	a := startAI(t)
	a.send("pyrat")
	got := a.hear("pyratready")
	for _, want := range []string{
		"id name Thera", "id author the Thera authors", "protocol version 1.0", "option name Debug type check default false",
		"option name Strategy type combo default Search var Random var Greedy var Search",
		"option name SearchDepth type spin default 40 min 1 max 100",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	for _, line := range got {
		if strings.HasPrefix(line, "option ") {
			if _, err := protocol.ParseOption(line); err != nil {
				t.Errorf("own option cannot be read: %s: %v", line, err)
			}
		}
	}
}

func TestServerPlaysAGame(t *testing.T) {
	a := seated(t, "python")
	a.send("moves rat:STAY python:STAY", "go")
	got := a.hear("move ")
	if got[len(got)-1] != "move UP" && got[len(got)-1] != "move RIGHT" {
		t.Errorf("first move: %q", got)
	}
	if !strings.HasPrefix(got[0], "info nodes 0 depth 1 time ") || !strings.Contains(got[0], " pv ") || !strings.Contains(got[0], " target (") {
		t.Errorf("info: %q", got[0])
	}
	// The rat stays on the cheese at (3,2) and gets it.
	a.send("moves rat:STAY python:RIGHT", "go")
	a.hear("move ")
	a.send("gameover winner:rat score:1-0", "startpostprocessing")
	if got := a.hear("postprocessingdone"); len(got) != 1 {
		t.Errorf("after the game: %q", got)
	}
	a.send(smallGame("rat")...)
	a.send("startpreprocessing")
	a.hear("preprocessingdone")
	a.send("go")
	if got := a.hear("move "); got[len(got)-1] != "move STAY" {
		t.Errorf("the rat stands on cheese: %q", got)
	}
}

// If its move was not played, the engine continues from the one that was.
func TestServerFollowsMoves(t *testing.T) {
	a := seated(t, "rat")
	a.send("moves rat:STAY python:STAY", "go")
	a.hear("move STAY")
	for _, turn := range []struct{ moves, want string }{
		{"moves rat:DOWN python:STAY", "move UP"},    // it was on the cheese
		{"moves rat:STAY python:STAY", "move UP"},    // a STAY turn is a turn
		{"moves rat:LEFT python:UP", "move "},        // (2,1)
		{"moves\trat:UP   python:STAY", "move LEFT"}, // (2,2), by the cheese at (1,2)
	} {
		a.send(turn.moves, "go")
		if got := a.hear("move "); !strings.HasPrefix(got[len(got)-1], turn.want) {
			t.Errorf("after %q: %q, want %q", turn.moves, got, turn.want)
		}
	}
}

// The python has a choice; the rat stands on its only one, and answers at once.
func TestServerIsReadyWhileItThinks(t *testing.T) {
	a := startAI(t)
	a.send(smallGame("python")...)
	a.send("timecontrol move:600000 preprocessing:3000 postprocessing:1000", "startpreprocessing")
	a.hear("preprocessingdone")
	a.send("moves rat:STAY python:STAY", "go", "isready", "ready?")
	a.hear("readyok")
	a.hear("ready")
	a.send("go", "isready") // ill-timed: it still thinks
	a.hear("readyok")
	a.send("stop")
	a.hear("move ")
	a.silent("one go, one move")
}

func TestServerStop(t *testing.T) {
	a := seated(t, "python")
	a.send("stop")
	a.silent("nothing to stop")
	a.send("setoption name Strategy value Search", "timecontrol move:600000", "go", "stop")
	a.hear("move ")
	a.send("stop")
	a.silent("stopped already")
}

// A turn that was timed out is not answered by itself; stop asks for its answer.
func TestServerTimeouts(t *testing.T) {
	a := startAI(t)
	a.send(smallGame("python")...)
	a.send("timecontrol move:600000", "startpreprocessing")
	a.hear("preprocessingdone")
	a.send("timeout preprocessing", "moves rat:STAY python:STAY", "go", "isready")
	a.hear("readyok")
	a.send("timeout move:STAY", "moves rat:STAY python:STAY", "ready?")
	lines := a.hear("ready")
	if slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "move") }) {
		t.Errorf("a move after its timeout: %q", lines)
	}
	for len(a.fenced()) > 0 {
	}
	a.send("stop")
	a.hear("move ")
	a.send("stop")
	a.silent("called in already")
	a.send("timeout postprocessing", "timeout", "timeout nothing")
	a.silent("timeouts of what does not run")
}

func TestServerRecovers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"with players", []string{
			"recover", "maze height:3 width:4", "walls (0,0)-(0,1)", "mud (1,0)-(2,0):3", "cheese (1,2) (3,2)",
			"player1 rat (3,2)", "player2 python (0,0)", "youare python", "moves_history STAY STAY LEFT RIGHT",
			"current_position rat:(2,2) python:(1,0)", "score rat:0 python:0", "go",
		}, "move UP"},
		{"without", []string{
			"youare rat", "recover", "maze height:3 width:4", "walls", "mud", "cheese (1,2) (3,2)",
			"youare python", "current_position rat:(2,2) python:(1,2)", "score rat:0 python:0.5", "go",
		}, "move STAY"},
		{"without a seat", []string{
			"recover", "maze height:3 width:4", "walls", "mud", "cheese (1,2)",
			"current_position rat:(2,2) python:(0,2)", "score rat:0 python:0", "go",
		}, "move STAY"},
	} {
		a := startAI(t)
		a.send("pyrat", "setoption name Strategy value Greedy")
		a.hear("pyratready")
		a.send(tt.lines...)
		if got := a.hear("move "); got[len(got)-1] != tt.want {
			t.Errorf("%s: %q, want %s", tt.name, got, tt.want)
		}
	}
}

// Only the history shows that a player is in mud.
func TestServerRecoversFromMud(t *testing.T) {
	d := rules.NewReader(rules.Settings{})
	r := &recovery{}
	for _, line := range []string{
		"maze height:3 width:4", "walls", "mud (1,0)-(2,0):3", "cheese (1,2)", "player1 rat (3,2)", "player2 python (0,0)",
	} {
		if _, err := d.Read(line); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"moves_history STAY STAY LEFT RIGHT LEFT RIGHT", "current_position rat:(1,2) python:(1,0)", "score rat:1 python:0",
	} {
		w := strings.Fields(line)
		if err := r.read(d, w[0], w[1:], line); err != nil {
			t.Fatal(err)
		}
	}
	p, err := d.Recover(r.history, r.at)
	if err != nil {
		t.Fatal(err)
	}
	s := p.State()
	if s.Timer != [2]int16{0, 3} || p.Board().CellName(s.Dest[1]) != "(2,0)" || s.Score != [2]rules.Points{2, 0} || p.Board().Total != 4 {
		t.Errorf("%s", p)
	}
}

func TestServerIgnores(t *testing.T) {
	a := startAI(t)
	for _, line := range []string{
		"", "  \t ", "bogus", "move UP", "MOVES rat:UP python:UP", "moves", "moves rat:UP", "moves rat:UP python:UP",
		"walls (0,0)-(0,1)", "cheese (1,1)", "youare rat", "timecontrol move:1", "startpreprocessing", "startpostprocessing",
		"stop", "debug", "debug maybe", "setoption", "setoption name Nothing value 3", "setoption name SearchDepth value 1000",
		"score rat:1 python:1", "current_position rat:(0,0) python:(0,0)", "moves_history UP", "timeout move:STAY", "\x00\xff",
		"maze height:3 width:4", "player1 rat (0,0)", strings.Repeat("x", 2<<20),
	} {
		a.send(line)
		a.silent("after " + line[:min(len(line), 40)])
	}
	// After all that it can play a game.
	a.send("setoption name Strategy value Greedy")
	a.send(smallGame("rat")...)
	a.send("startpreprocessing")
	a.hear("preprocessingdone")
	a.send("newgame nonsense", "maze height:0 width:4", "walls nowhere", "startpreprocessing", "go")
	a.hear("preprocessingdone")
	a.hear("move STAY")
}

func TestServerDebug(t *testing.T) {
	a := startAI(t)
	a.send("debug on", "bogus")
	if got := a.fenced(); len(got) != 1 || !strings.HasPrefix(got[0], "info string ") {
		t.Errorf("debug on: %q", got)
	}
	a.send("debug off", "bogus")
	a.silent("debug off")
	a.send("setoption name Debug value true", "bogus")
	if got := a.fenced(); len(got) != 1 {
		t.Errorf("option Debug: %q", got)
	}
}

// Under a limit of depth no time ends the search: it is that deep, or at the end of the game.
func TestServerTakesADepth(t *testing.T) {
	for depth, want := range map[string]string{"2": " depth 2 ", "100": " depth "} {
		a := startAI(t)
		a.send(smallGame("python")...)
		a.send("timecontrol move:600000", "setoption name Depth value "+depth, "startpreprocessing")
		a.hear("preprocessingdone")
		a.send("moves rat:STAY python:STAY", "go")
		if got := a.hear("move "); !strings.Contains(got[len(got)-2], want) {
			t.Errorf("depth %s: %q", depth, got)
		}
	}
}

package protocol

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/gametest"
)

// talk sends lines and the end of input to a fresh engine and returns what it
// printed after the banner.
func talk(t *testing.T, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	in := strings.NewReader(strings.Join(lines, "\n") + "\n")
	if err := (Player{}).Serve(context.Background(), nil, in, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	said := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if said[0] != banner {
		t.Errorf("first line %q, want the banner", said[0])
	}
	return said[1:]
}

// engine is a running engine, for tests in which the order of lines matters.
type engine struct{ gametest.Dialogue }

func start(t *testing.T) engine {
	e := engine{gametest.Dialogue{T: t, Conn: gametest.Join(t, Player{})}}
	e.until(banner)
	return e
}

// until returns the lines before the first that begins with prefix, and that line.
func (e engine) until(prefix string) (before []string, line string) {
	e.T.Helper()
	lines := e.Until(prefix)
	return lines[:len(lines)-1], lines[len(lines)-1]
}

func TestServerHandshake(t *testing.T) {
	said := talk(t, "ugi")
	if diff := cmp.Diff([]string{"id name Thera", "id author the Thera authors", "option maxPly", "option maxTime", "option maxNodes"}, said[:5]); diff != "" {
		t.Error(diff)
	}
	for _, line := range said[5 : len(said)-1] {
		if !regexp.MustCompile(`^option [a-zA-Z]+$`).MatchString(line) {
			t.Errorf("line %q is no option", line)
		}
	}
	if said[len(said)-1] != "ugiok" {
		t.Errorf("last line %q", said[len(said)-1])
	}
}

func TestServerIsReadyWhileThinking(t *testing.T) {
	if diff := cmp.Diff([]string{"readyok"}, talk(t, "isready")); diff != "" {
		t.Error(diff)
	}
	e := start(t)
	e.Tell("go", "isready")
	before, _ := e.until("readyok")
	for _, line := range before {
		if strings.HasPrefix(line, wordBest) {
			t.Errorf("the search ended: %q", before)
		}
	}
	e.Tell("stop")
	e.until("bestmove ")
}

func TestServerInfoForm(t *testing.T) {
	e := start(t)
	e.Tell("setpos start", "setoption maxPly 2", "go")
	said, _ := e.until("bestmove ")
	form := regexp.MustCompile(`^info ply [12] bestmove \d+\|\d+(\|\d+)? score -?\d+ nodes \d+ nps \d+ time \d+\.\d{6} pv( \d+\|\d+(\|\d+)?)+$`)
	infos := 0
	for _, line := range said {
		if strings.HasPrefix(line, wordInfo) {
			infos++
			if !form.MatchString(line) {
				t.Errorf("line %q", line)
			}
		}
	}
	if infos == 0 {
		t.Errorf("no info in %q", said)
	}
}

func TestServerObeysPlyLimitInBothCases(t *testing.T) {
	for _, name := range []string{"maxPly", "MaxPly"} {
		e := start(t)
		e.Tell("setoption "+name+" 2", "setpos bench", "go")
		before, last := e.until("bestmove ")
		if len(before) == 0 || !strings.HasPrefix(before[len(before)-1], "info ply 2 ") {
			t.Errorf("%s: %q", name, before)
		}
		if !strings.Contains(before[len(before)-1], " bestmove "+strings.Fields(last)[1]+" ") {
			t.Errorf("%s: %q answers another move than %q", name, last, before[len(before)-1])
		}
	}
}

func TestServerObeysTimeLimitInBothCases(t *testing.T) {
	for _, name := range []string{"maxTime", "MaxTime"} {
		e := start(t)
		begin := time.Now()
		e.Tell("setoption "+name+" 0.05", "setpos start", "go")
		e.until("bestmove ")
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("%s: %v for a limit of 50 ms", name, took)
		}
	}
}

func TestServerStop(t *testing.T) {
	e := start(t)
	e.Tell("setpos bench", "go", "stop")
	_, searched := e.until("bestmove ")
	e.Tell("stop") // idle again: the answer is repeated, as the text shows
	if _, again := e.until("bestmove "); again != searched {
		t.Errorf("idle stop says %q after %q", again, searched)
	}
}

func TestServerAnswersEveryGo(t *testing.T) {
	e := start(t)
	e.Tell("go", "go", "stop")
	e.until("bestmove ")
	e.until("bestmove ")
	e.Tell("isready")
	if before, _ := e.until("readyok"); len(before) > 0 {
		t.Errorf("more than two answers: %q", before)
	}
}

func TestServerWinsAndLoses(t *testing.T) {
	e := start(t)
	e.Tell("setpos data 000000/000000/000000/000000/222333/111123", "go")
	if _, line := e.until("bestmove "); line != "bestmove 27|37" && !strings.HasSuffix(line, "|37") {
		t.Errorf("win in one: %q", line)
	}
	e.Tell("setpos data 303030/222211/000001/130000/000000/000000", "go")
	before, line := e.until("bestmove ")
	if line != "bestmove null" || len(before) != 1 || before[0] != "info string no legal move" {
		t.Errorf("no move: %q %q", before, line)
	}
	e.Tell("setpos data 023000/000003/301011/000000/220321/000000", "go") // every move loses
	if _, line := e.until("bestmove "); line == "bestmove null" {
		t.Errorf("there are legal moves, but %q", line)
	}
}

func TestServerBadInputChangesNothing(t *testing.T) {
	bad := []string{
		"setpos", "setpos draw", "setpos data", "setpos data 321123/000000/0000", "setpos start now",
		"setpos data 32112x/000000/000000/000000/000000/321123", "setpos data 100000/000000/000000/000000/000000/000001",
		"setoption", "setoption maxPly", "setoption maxPly abc", "setoption maxPly 0", "setoption maxPly -1", "setoption maxPly 3 4",
		"setoption maxTime -1", "setoption maxTime NaN", "setoption maxTime Inf", "setoption maxTime 0", "setoption maxNodes 1e9",
		"setoption threads 0", "setoption hash 1000000", "setoption table maybe", "setoption clearHash false", "setoption nonsense 1",
		"hello world", "uci", "\x00\xff", strings.Repeat("x", 2<<20),
	}
	e := start(t)
	e.Tell("setpos bench", "setoption maxPly 1")
	for _, line := range bad {
		e.Tell(line)
		if before, said := e.until("info string "); len(before) > 0 || len(said) < 20 {
			t.Errorf("%.40q: %q, %q", line, before, said)
		}
	}
	e.Tell("go")
	if before, _ := e.until("bestmove "); len(before) == 0 || !strings.HasPrefix(before[len(before)-1], "info ply 1 ") {
		t.Errorf("options changed: %q", before)
	}
}

func TestServerQuitEndsAtOnce(t *testing.T) {
	begin := time.Now()
	for _, line := range talk(t, "go", "quit", "isready") {
		if !strings.HasPrefix(line, "info ply") {
			t.Errorf("line %q", line)
		}
	}
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("quit took %v", took)
	}
}

func TestServerEndOfInputEndsTheSearch(t *testing.T) {
	said := talk(t, "setpos bench", "go")
	if last := said[len(said)-1]; !strings.HasPrefix(last, "bestmove ") {
		t.Errorf("last line %q", last)
	}
}

func TestServerHeuristicsCanBeSwitched(t *testing.T) {
	gametest.Sequential(t)
	nodes := func(lines ...string) string {
		e := start(t)
		e.Tell(append(lines, "setpos bench", "setoption maxPly 3", "go")...)
		before, _ := e.until("bestmove ")
		return regexp.MustCompile(` nodes (\d+) `).FindStringSubmatch(before[len(before)-1])[1]
	}
	if with, without := nodes(), nodes("setoption latepruning false", "setoption standing false"); with == without {
		t.Errorf("%s nodes with and without pruning", with)
	}
	if net, hand := nodes(), nodes("setoption eval hand"); net == hand {
		t.Errorf("%s nodes with the net and by hand", net)
	}
	if first, again := nodes("setoption clearHash true"), nodes("setoption clearHash true"); first != again {
		t.Errorf("the same search visits %s and %s nodes", first, again)
	}
}

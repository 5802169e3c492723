package protocol_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/mill"
)

const hello = `0 > uci
0 < Some engine 1.0, built today
0 <
0 < id name Some engine
0 < id author Someone
0 < option name SkillLevel type spin default 1 min 0 max 30
0 < option name Debug Log File type string default
0 < option name Style type combo default Solid var Solid var Wild One var Risky
0 < option name DeveloperMode type check default true
0 < option name Clear Hash type button
0 < option name MayFly type check default true
0 < option name NMoveRule type spin default 100 min 10 max 200
0 < uciok
0 > isready
0 < readyok
`

// script is a scripted engine: lines of a transcript.
func script(t *testing.T, text string) *gametest.Script {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.txt")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	recorded, err := gametest.ReadTranscript(path)
	if err != nil {
		t.Fatal(err)
	}
	return recorded.Play(nil)
}

func start(t *testing.T) game.Position {
	t.Helper()
	pos, err := mill.New().Start(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return pos
}

func dial(conn game.Conn, opts game.Options) (game.Session, game.Info, error) {
	return mill.New().Dialects()[0].Dial(context.Background(), conn, opts)
}

func TestHandshake(t *testing.T) {
	conn := script(t, hello)
	_, info, err := dial(conn, game.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := game.Info{
		Name: "Some engine", Author: "Someone", Protocol: "mill uci", Resets: true,
		Options: []string{"SkillLevel", "Debug Log File", "Style", "DeveloperMode", "Clear Hash", "MayFly", "NMoveRule"},
		Limits:  game.Limits{Time: true, Depth: true},
	}
	if diff := cmp.Diff(want, info); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Some engine 1.0, built today"}, conn.PassedLines()); diff != "" {
		t.Error(diff)
	}
}

func TestHandshakeNeverEnds(t *testing.T) {
	var fault *game.Fault
	if _, _, err := dial(script(t, "0 > uci\n0 < id name Mute\n"), game.Options{}); !errors.As(err, &fault) {
		t.Errorf("err = %v, want a fault", err)
	}
}

func TestLimitsThatEnginesKnow(t *testing.T) {
	old := strings.Replace(hello, "id name Some engine", "id name Sanmill 211126", 1)
	ours := strings.Replace(hello, "uciok", "info string limits time clock depth nodes\n0 < uciok", 1)
	for _, tt := range []struct {
		hello    string
		settings map[string]string
		want     game.Limits
		err      string
	}{
		{hello, nil, game.Limits{Time: true, Depth: true}, ""},
		{old, nil, game.Limits{}, ""},
		{ours, nil, game.Limits{Time: true, Clock: true, Depth: true, Nodes: true}, ""},
		{hello, map[string]string{"limits": "depth, nodes"}, game.Limits{Depth: true, Nodes: true}, ""},
		{old, map[string]string{"limits": ""}, game.Limits{}, ""},
		{hello, map[string]string{"limits": "moves"}, game.Limits{}, "want time, clock, depth or nodes"},
		{hello, map[string]string{"min_move": "1"}, game.Limits{}, "mill's has only limits"},
	} {
		_, info, err := dial(script(t, tt.hello), game.Options{Protocol: tt.settings})
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%v: err = %v, want %q", tt.settings, err, tt.err)
			}
			continue
		}
		if err != nil || info.Limits != tt.want {
			t.Errorf("%v: %+v, %v, want %+v", tt.settings, info.Limits, err, tt.want)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"SkillLevel", "30", "setoption name SkillLevel value 30"},
		{"Style", "Risky", "setoption name Style value Risky"},
		{"Clear Hash", "", "setoption name Clear Hash"},
		{"skilllevel", "1", "setoption name SkillLevel value 1"},
		{"SkillLevel", "31", "error: option SkillLevel: \"31\": want a whole number from 0 to 30"},
		{"SkillLevels", "1", "error: unknown option \"SkillLevels\" (did you mean SkillLevel?)"},
		{"Quux", "true", "error: unknown option \"Quux\""},
		{"Debug Log File", "a\nquit", "error: control character"},
	} {
		conn := script(t, hello)
		_, _, err := dial(conn, game.Options{Set: []game.Option{{Name: tt.name, Value: tt.value}}})
		if want, bad := strings.CutPrefix(tt.want, "error: "); bad {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s=%q: err = %v, want %q", tt.name, tt.value, err, want)
			}
			continue
		}
		if err != nil || !strings.Contains(strings.Join(conn.Sent, "\n"), tt.want) {
			t.Errorf("%s=%q: sent %q, %v, want %q", tt.name, tt.value, conn.Sent, err, tt.want)
		}
	}
	_, _, err := dial(script(t, hello), game.Options{Set: []game.Option{{Name: "X"}, {Name: "SkillLevel", Value: "99"}}})
	if err == nil || !strings.Contains(err.Error(), `"X"`) || !strings.Contains(err.Error(), "99") {
		t.Errorf("err = %v, want both problems at once", err)
	}
}

// Options set rules that are not the default ones.
func TestRulesReachTheEngine(t *testing.T) {
	g, _ := mill.New().With(&mill.Rules{Flying: false, NMoveRule: 50}, nil)
	pos, err := g.Start(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	conn := script(t, hello)
	session, _, err := dial(conn, game.Options{Rules: pos})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"uci", "setoption name MayFly value false", "setoption name NMoveRule value 50", "isready"}
	if diff := cmp.Diff(want, conn.Sent); diff != "" {
		t.Error(diff)
	}
	if err := session.Fits(pos); err != nil {
		t.Error(err)
	}
	if err := session.Fits(start(t)); err == nil {
		t.Error("a position under other rules fits")
	}
	deaf := strings.ReplaceAll(hello, "option name MayFly", "option name Other")
	if _, _, err := dial(script(t, deaf), game.Options{Rules: pos}); err == nil || !strings.Contains(err.Error(), "MayFly") {
		t.Errorf("err = %v, want the missing option named", err)
	}
}

// ask dials, plays before, asks once and returns what came.
func ask(t *testing.T, before, answers string, limits game.Ask) (game.Reply, *gametest.Script, error) {
	t.Helper()
	conn := script(t, hello+answers)
	session, _, err := dial(conn, game.Options{})
	if err != nil {
		t.Fatal(err)
	}
	limits.History = game.Begin(start(t))
	for _, m := range strings.Fields(before) {
		if limits.History, err = limits.History.Play(game.By(limits.History.Position.ToMove().Only(), m)); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	if err := session.Sync(ctx, limits.History); err != nil {
		t.Fatal(err)
	}
	conn.Arm()
	reply, err := gametest.Go(ctx, session, limits)
	return reply, conn, err
}

func TestAnswers(t *testing.T) {
	for _, tt := range []struct {
		name, before, answer, move, fault string
		report                            game.SearchInfo
	}{
		{name: "plain", answer: "bestmove d6", move: "d6"},
		{name: "ponder", answer: "bestmove d6 ponder d5", move: "d6"},
		{
			name: "in an info line", answer: "info score 4 bestmove b4", move: "b4",
			report: game.SearchInfo{Score: 4, Known: true},
		},
		{
			name: "white's view, black to move", before: "d6", answer: "info score 4 bestmove b4", move: "b4",
			report: game.SearchInfo{Score: -4, Known: true},
		},
		{
			name: "mover's view", before: "d6", answer: "info depth 7 score cp 12 nodes 345 time 9 pv a1 d1\n0 < bestmove a1", move: "a1",
			report: game.SearchInfo{Depth: 7, Nodes: 345, Score: 12, Known: true, PV: "a1 d1"},
		},
		{name: "mate", answer: "info score mate 3\n0 < bestmove a1", move: "a1", report: game.SearchInfo{Score: 99_997, Known: true}},
		{name: "mated", answer: "info score mate -3\n0 < bestmove a1", move: "a1", report: game.SearchInfo{Score: -99_997, Known: true}},
		{name: "mated at once", answer: "info score mate -0\n0 < bestmove a1", move: "a1", report: game.SearchInfo{Score: -100_000, Known: true}},
		{name: "prose", answer: "info string bestmove will come\n0 < IDS: Algorithm bestMove = b4\n0 < bestmove b4", move: "b4"},
		{name: "bad numbers", answer: "info depth x score cp y nodes\n0 < bestmove b4", move: "b4"},
		{name: "bare score word", answer: "info score\n0 < bestmove b4", move: "b4"},
		{name: "removal", before: "d7 d6 g7 d5 a7", answer: "bestmove xd6", move: "xd6"},
		{name: "none", answer: "bestmove none", fault: "no move in"},
		{name: "dash", answer: "bestmove -", fault: "no move in"},
		{name: "zeros", answer: "bestmove 0000", fault: "no move in"},
		{name: "only ponder", answer: "bestmove ponder d5", fault: "no move in"},
		{name: "nothing", answer: "bestmove", fault: "no move in"},
		{name: "false draw", answer: "bestmove draw", fault: "draw claimed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reply, _, err := ask(t, tt.before, "0 > go depth 3\n0 < "+tt.answer+"\n", game.Ask{Depth: 3})
			if tt.fault != "" {
				var fault *game.Fault
				if !errors.As(err, &fault) || fault.Kind != game.FaultProtocol || !strings.Contains(fault.Detail, tt.fault) {
					t.Errorf("err = %v, want a fault with %q", err, tt.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(game.Reply{Move: tt.move, SearchInfo: tt.report}, reply); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestQuestions(t *testing.T) {
	clock := game.Clock{Left: [2]time.Duration{time.Minute, 30 * time.Second}, Increment: [2]time.Duration{time.Second, 0}}
	for want, limits := range map[string]game.Ask{
		"go infinite":            {},
		"go depth 4":             {Depth: 4},
		"go nodes 1000":          {Nodes: 1000},
		"go movetime 250":        {Time: 250 * time.Millisecond},
		"go movetime 1":          {Time: time.Microsecond},
		"go depth 9 movetime 50": {Depth: 9, Time: 50 * time.Millisecond},
		"go wtime 60000 btime 30000 winc 1000 binc 0": {Clock: clock},
	} {
		_, conn, err := ask(t, "a1 d7", "0 > "+want+"\n0 < bestmove a7\n", limits)
		if err != nil {
			t.Errorf("%s: %v", want, err)
		}
		got := conn.Sent[len(conn.Sent)-2:]
		if diff := cmp.Diff([]string{"position startpos moves a1 d7", want}, got); diff != "" {
			t.Error(diff)
		}
	}
}

// Under a limit of CPU time an engine is told no time: the clock says nothing about
// what it has used.
func TestHole09NoTimeUnderCPU(t *testing.T) {
	_, conn, err := ask(t, "a1 d7", "0 > go infinite\n0 > stop\n0 < bestmove a7\n", game.Ask{CPU: 20 * time.Millisecond})
	if sent := conn.Sent[len(conn.Sent)-2:]; err != nil || sent[0] != "go infinite" || sent[1] != "stop" {
		t.Errorf("sent %q, %v", conn.Sent, err)
	}
}

// An engine that ignores its limit gets a stop, and its late answers are not
// taken for answers to later questions.
func TestStopAndLateAnswers(t *testing.T) {
	conn := script(t, hello+`0 > go movetime 10
0 > stop
0 < bestmove a1
0 > isready
0 < info score 0 bestmove none
0 < readyok
0 > go movetime 10
0 < bestmove d1
`)
	session, _, err := dial(conn, game.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	history := game.Begin(start(t))
	for _, want := range []string{"a1", "d1"} {
		if err := session.Sync(ctx, history); err != nil {
			t.Fatal(err)
		}
		conn.Arm()
		reply, err := gametest.Go(ctx, session, game.Ask{History: history, Time: 10 * time.Millisecond})
		if err != nil || reply.Move != want {
			t.Fatalf("got %+v, %v, want %s", reply, err, want)
		}
		if history, err = history.Play(game.By(history.Position.ToMove().Only(), want)); err != nil {
			t.Fatal(err)
		}
	}
	if passed := conn.PassedLines(); len(passed) != 2 || passed[1] != "info score 0 bestmove none" {
		t.Errorf("passed %q, want the late answer", passed)
	}
}

func TestStopIsIgnored(t *testing.T) {
	_, conn, err := ask(t, "", "0 > go infinite\n0 < info depth 1\n", game.Ask{})
	var fault *game.Fault
	if !errors.As(err, &fault) || fault.Kind != game.FaultTimeout {
		t.Errorf("err = %v, want a timeout", err)
	}
	if last := conn.Sent[len(conn.Sent)-1]; last != "stop" {
		t.Errorf("last sent %q, want stop", last)
	}
}

// Where the last quiet ply closed a mill, draw is a true claim; a ply earlier it is a
// fault.
func TestDrawClaimAnswered(t *testing.T) {
	for quiet, claims := range map[string]bool{"99": true, "98": false} {
		const answer = "0 > go depth 3\n0 < info score 0 bestmove draw\n"
		session, _, err := dial(script(t, hello+answer), game.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pos := parse(t, mill.New(), "*OO*O***/******@*/***@@@** w m s 3 0 4 0 0 0 0 0 0 0 0 "+quiet+" 30")
		history, err := game.Begin(pos).Play(game.By(game.First, "d3-e3"))
		if err != nil {
			t.Fatal(err)
		}
		if err := session.Sync(context.Background(), history); err != nil {
			t.Fatal(err)
		}
		reply, err := gametest.Go(context.Background(), session, game.Ask{History: history, Depth: 3})
		if !claims {
			if err == nil || !strings.Contains(err.Error(), "draw claimed") {
				t.Errorf("%s quiet plies: %+v, %v, want a fault", quiet, reply, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		end, err := history.Play(game.By(game.First, reply.Move))
		if err != nil {
			t.Fatal(err)
		}
		if outcome, over := end.Position.Outcome(); !over || outcome != (game.Outcome{Reason: "quiet plies"}) {
			t.Errorf("%s: over %v, %+v", end.Position, over, outcome)
		}
	}
}

func parse(t *testing.T, g game.Game, fen string) game.Position {
	t.Helper()
	pos, err := g.Parse(fen)
	if err != nil {
		t.Fatal(err)
	}
	return pos
}

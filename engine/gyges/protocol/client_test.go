package protocol

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gyges/rules"
)

// helios answers like a real engine; best is its answer to go.
func helios(best ...string) *gametest.Scripted {
	return &gametest.Scripted{Answer: func(line string) []string {
		switch line {
		case "ugi":
			return []string{"Gyges UGI Engine v1.1.0", "id name Helios", "id author Beck-Bjella", "option maxPly", "option maxTime", "ugiok"}
		case "isready":
			return []string{"readyok"}
		case "go":
			return best
		}
		return nil
	}}
}

func dial(t *testing.T, conn game.Conn, opts game.Options) *session {
	t.Helper()
	s, _, err := Dialect{}.Dial(context.Background(), conn, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s.(*session)
}

// askAt syncs the engine in seat and asks it.
func askAt(t *testing.T, s *session, seat game.Seat, ask game.Ask) (game.Reply, error) {
	t.Helper()
	ctx := context.Background()
	if err := s.Seat(ctx, seat, ask.History); err != nil {
		t.Fatal(err)
	}
	if err := s.Sync(ctx, ask.History); err != nil {
		t.Fatal(err)
	}
	return gametest.Go(ctx, s, ask)
}

func TestClientHandshake(t *testing.T) {
	conn := helios()
	opts := game.Options{Set: []game.Option{{Name: "MaxPly", Value: "5"}, {Name: "Hash", Value: "1"}}}
	s, info, err := Dialect{}.Dial(context.Background(), conn, opts)
	if err != nil {
		t.Fatal(err)
	}
	want := game.Info{
		Name: "Helios", Author: "Beck-Bjella", Protocol: "ugi", Options: []string{"maxPly", "maxTime"},
		Limits: game.Limits{Time: true, Depth: true},
	}
	if diff := cmp.Diff(want, info); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"ugi", "setoption maxPly 5", "isready"}, conn.Sent); diff != "" {
		t.Error(diff)
	}
	if len(conn.Warnings) != 1 || !strings.Contains(conn.Warnings[0], "Hash is not listed") {
		t.Errorf("warnings %q", conn.Warnings)
	}
	if err := s.Fits(parse(t, "start")); err != nil {
		t.Error(err)
	}
	if (Dialect{}).Bye() != "quit" || (Dialect{}).Args(game.Second) != nil {
		t.Error("the engine is not asked to quit, or gets arguments")
	}
}

func TestClientRotatesForTheSecondSeat(t *testing.T) {
	p := parse(t, "bench 2")
	move := p.Moves(game.Second)[7]
	m, err := rules.ParseMove(move)
	if err != nil {
		t.Fatal(err)
	}
	turnedText := m.Rotate().String()
	conn := helios("info ply 3 bestmove "+turnedText+" score -12.6 nodes 5 nps 1 time 0.1 pv "+turnedText+" 0|37 x", "bestmove "+turnedText)
	reply, err := askAt(t, dial(t, conn, game.Options{}), game.Second, game.Ask{History: game.Begin(p), Depth: 3})
	if err != nil {
		t.Fatal(err)
	}
	want := game.Reply{Move: move, SearchInfo: game.SearchInfo{Depth: 3, Nodes: 5, Score: -13, Known: true, PV: move + " 35|36 x"}}
	if diff := cmp.Diff(want, reply); diff != "" {
		t.Error(diff)
	}
	if set := "setpos data " + p.Board().Rotate().String(); conn.Sent[2] != set {
		t.Errorf("sent %q, want %q", conn.Sent[2], set)
	}
	if _, err := p.Play(game.By(game.Second, reply.Move)); err != nil {
		t.Error(err)
	}
}

func TestClientSetsLimitsOnce(t *testing.T) {
	conn := helios("bestmove 0|8")
	s := dial(t, conn, game.Options{})
	history := game.Begin(parse(t, "start"))
	conn.Sent = nil
	for _, ask := range []game.Ask{
		{History: history, Time: 200 * time.Millisecond},
		{History: history, Time: 200 * time.Millisecond},
		{History: history, Depth: 6},
		{History: history, Clock: game.Clock{Left: [2]time.Duration{50 * time.Second, time.Second}, Increment: [2]time.Duration{2 * time.Second, 0}}},
	} {
		if _, err := askAt(t, s, game.First, ask); err != nil {
			t.Fatal(err)
		}
	}
	var options []string
	for _, line := range conn.Sent {
		if strings.HasPrefix(line, "setoption") {
			options = append(options, line)
		}
	}
	want := []string{
		"setoption maxTime 0.2", "setoption maxTime 86400", "setoption maxPly 6",
		"setoption maxTime 3.5", "setoption maxPly 99",
	}
	if diff := cmp.Diff(want, options); diff != "" {
		t.Error(diff)
	}
}

func TestClientKeepsTheTimeThatTheEngineSurvives(t *testing.T) {
	conn := helios("bestmove 0|8")
	s := dial(t, conn, game.Options{Protocol: map[string]string{"min_move": "1.5s"}})
	ask := game.Ask{History: game.Begin(parse(t, "start")), Time: 50 * time.Millisecond}
	for range 2 {
		if _, err := askAt(t, s, game.First, ask); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(strings.Join(conn.Sent, "\n"), "setoption maxTime 1.5\ngo") {
		t.Errorf("sent %q", conn.Sent)
	}
	if len(conn.Warnings) == 0 || !strings.Contains(conn.Warnings[0], "below min_move 1.5s") {
		t.Errorf("warnings %q", conn.Warnings)
	}
	conn = helios("bestmove 0|8")
	dialled, info, err := (Dialect{}).Dial(context.Background(), conn, game.Options{Protocol: map[string]string{"min_move": "1.5s"}})
	if err != nil || info.MinMove != 1500*time.Millisecond {
		t.Fatalf("%+v, %v", info, err)
	}
	if _, err := askAt(t, dialled.(*session), game.First, game.Ask{History: game.Begin(parse(t, "start")), CPU: 50 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	if sent := strings.Join(conn.Sent, "\n"); strings.Contains(sent, "maxTime") || len(conn.Warnings) == 0 {
		t.Errorf("under a CPU limit: sent %q, warnings %q", sent, conn.Warnings)
	}
	for _, bad := range []map[string]string{{"min_move": "soon"}, {"min_move": "-1s"}, {"max_move": "1s"}} {
		if _, _, err := (Dialect{}).Dial(context.Background(), helios(), game.Options{Protocol: bad}); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

func TestClientReplies(t *testing.T) {
	history := game.Begin(parse(t, "start"))
	for _, tt := range []struct {
		said []string
		want game.Reply
	}{
		{[]string{"bestmove 0|8"}, game.Reply{Move: "0|8"}},
		{[]string{"  bestmove  0|8  score 3 time 0.2\r"}, game.Reply{Move: "0|8", SearchInfo: game.SearchInfo{Score: 3, Known: true}}},
		{[]string{"bestmove 100|100|100"}, game.Reply{Resigned: true}},
		{[]string{"bestmove null score 0.000 time 0.000"}, game.Reply{Resigned: true, SearchInfo: game.SearchInfo{Known: true}}},
		{[]string{"info ply 1 bestmove 27|37 score inf nodes 0 nps 0 time 0 pv", "bestmove 0|8"}, game.Reply{Move: "0|8", SearchInfo: game.SearchInfo{Depth: 1, Score: provenScore, Known: true}}},
		{[]string{"info ply 1 score -inf", "bestmove 0|8"}, game.Reply{Move: "0|8", SearchInfo: game.SearchInfo{Depth: 1, Score: -provenScore, Known: true}}},
		{[]string{"info ply x score NaN nodes -3 pv 0|8 35|27", "bestmove 0|8"}, game.Reply{Move: "0|8", SearchInfo: game.SearchInfo{PV: "0|8 35|27"}}},
		{[]string{"info string bestmove 9|9", "noise", "", "bestmove 0|8"}, game.Reply{Move: "0|8"}},
		{[]string{"bestmove nonsense"}, game.Reply{Move: "nonsense"}},
	} {
		reply, err := askAt(t, dial(t, helios(tt.said...), game.Options{}), game.First, game.Ask{History: history})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, reply); diff != "" {
			t.Errorf("%q: %s", tt.said, diff)
		}
	}
	_, err := askAt(t, dial(t, helios("bestmove"), game.Options{}), game.First, game.Ask{History: history})
	var fault *game.Fault
	if !errors.As(err, &fault) || fault.Kind != game.FaultProtocol {
		t.Errorf("bestmove alone: %v", err)
	}
}

// An answer from before the question is dropped, never used.
func TestClientFencesLateAnswers(t *testing.T) {
	conn := helios("bestmove 0|8", "bestmove 0|13")
	s := dial(t, conn, game.Options{})
	history := game.Begin(parse(t, "start"))
	if _, err := askAt(t, s, game.First, game.Ask{History: history}); err != nil {
		t.Fatal(err)
	}
	if err := s.Sync(context.Background(), history); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Gyges UGI Engine v1.1.0", "bestmove 0|13"}, conn.Unused); diff != "" {
		t.Error(diff)
	}
}

func TestClientStopsAtTheSoftLimit(t *testing.T) {
	conn := helios()
	said := conn.Answer
	conn.Answer = func(line string) []string {
		if line == "stop" {
			return []string{"info ply 3 bestmove 0|8 score 9 pv 0|8", "bestmove 0|8"}
		}
		return said(line)
	}
	conn.Soft = 1
	reply, err := askAt(t, dial(t, conn, game.Options{}), game.First, game.Ask{History: game.Begin(parse(t, "start"))})
	if err != nil || reply.Move != "0|8" || reply.Score != 9 {
		t.Errorf("%v, %v", reply, err)
	}
}

func TestClientSeesADeadSearch(t *testing.T) {
	conn := helios()
	conn.Soft = 1
	_, err := askAt(t, dial(t, conn, game.Options{}), game.First, game.Ask{History: game.Begin(parse(t, "start"))})
	var fault *game.Fault
	if !errors.As(err, &fault) || fault.Kind != game.FaultTimeout || !strings.Contains(fault.Detail, "its search is dead") {
		t.Errorf("err = %v", err)
	}
}

func parse(t testing.TB, text string) *rules.Position {
	t.Helper()
	p, err := rules.Default().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

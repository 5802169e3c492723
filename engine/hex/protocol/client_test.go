package protocol

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"thera/engine/hex/rules"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
)

// scripted is a bot whose answers to make_move, and to other lines, are given.
type scripted struct {
	gametest.Scripted
	replies []string            // to make_move, in turn; "" is silence, a newline parts lines
	answers map[string][]string // to other lines, once each
}

func (c *scripted) Send(line []byte) error {
	text := string(line)
	c.Queue = append(c.Queue, c.answers[text]...)
	delete(c.answers, text)
	if text == "make_move" && len(c.replies) > 0 {
		if c.replies[0] != "" {
			c.Queue = append(c.Queue, strings.Split(c.replies[0], "\n")...)
		}
		c.replies = c.replies[1:]
	}
	return c.Scripted.Send(line)
}

// open dials a bot of a generation in seat.
func open(t *testing.T, g rules.Settings, version int, conn game.Conn, seat game.Seat, history *game.History) *session {
	t.Helper()
	s, _, err := Dialect{Version: version, Size: g.Size}.Dial(context.Background(), conn, game.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Fits(history.Position); err != nil {
		t.Fatal(err)
	}
	if err := s.Seat(context.Background(), seat, history); err != nil {
		t.Fatal(err)
	}
	return s.(*session)
}

func sized(size int, swap bool) rules.Settings { return rules.Settings{Size: size, Swap: swap} }

func lineOf(t *testing.T, g rules.Settings, moves ...string) *game.History {
	t.Helper()
	history := game.Begin(g.Empty())
	return extend(t, history, moves...)
}

func extend(t *testing.T, history *game.History, moves ...string) *game.History {
	t.Helper()
	for _, m := range moves {
		next, err := history.Play(game.By(history.Position.ToMove().Only(), m))
		if err != nil {
			t.Fatal(err)
		}
		history = next
	}
	return history
}

func syncAsk(t *testing.T, s *session, history *game.History) (game.Reply, error) {
	t.Helper()
	if err := s.Sync(context.Background(), history); err != nil {
		return game.Reply{}, err
	}
	return gametest.Go(context.Background(), s, game.Ask{History: history})
}

func TestClientArguments(t *testing.T) {
	g := sized(9, false)
	list := []game.Dialect{Dialect{Version: 2, Size: g.Size}, Dialect{Version: 1, Size: g.Size}}
	if len(list) != 2 || list[0].Name() != "v2" || list[1].Name() != "v1" {
		t.Fatalf("dialects %v", list)
	}
	for _, tt := range []struct {
		dialect game.Dialect
		seat    game.Seat
		want    string
	}{
		{list[0], game.First, "black"},
		{list[0], game.Second, "white"},
		{list[1], game.First, "--size 9"},
		{list[1], game.Second, "--size 9"},
	} {
		if got := strings.Join(tt.dialect.Args(tt.seat), " "); got != tt.want || tt.dialect.Bye() != "quit" {
			t.Errorf("%s seat %d: %q, want %q", tt.dialect.Name(), tt.seat, got, tt.want)
		}
	}
	if _, _, err := list[0].Dial(context.Background(), &scripted{}, game.Options{Protocol: map[string]string{"x": "1"}}); err == nil {
		t.Error("an unknown dialect setting is accepted")
	}
}

func TestClientWire(t *testing.T) {
	g := sized(4, false)
	for version, want := range map[int][]string{
		1: {"init_board", "seto a1", "make_move", "seto c3", "make_move"},
		2: {"init_board 4", "", "seto a1", "", "make_move", "seto c3", "", "make_move"},
	} {
		conn := &scripted{replies: []string{"b2", " d4 \r"}}
		history := lineOf(t, g, "a1")
		s := open(t, g, version, conn, game.Second, game.Begin(g.Empty()))
		reply, err := syncAsk(t, s, history)
		if err != nil || reply.Move != "b2" {
			t.Fatalf("v%d: %v, %v", version, reply, err)
		}
		reply, err = syncAsk(t, s, extend(t, history, "b2", "c3"))
		if err != nil || reply.Move != "d4" {
			t.Fatalf("v%d: %v, %v", version, reply, err)
		}
		if diff := cmp.Diff(want, conn.Sent); diff != "" {
			t.Errorf("v%d: %s", version, diff)
		}
	}
}

func TestClientTakesBackAndRestores(t *testing.T) {
	g := sized(5, false)
	conn := &scripted{replies: []string{"b2"}}
	history := lineOf(t, g, "a1")
	s := open(t, g, 1, conn, game.Second, history)
	if _, err := syncAsk(t, s, history); err != nil {
		t.Fatal(err)
	}
	conn.Sent = nil
	for _, at := range []*game.History{history, extend(t, history, "c3"), extend(t, history, "c3", "d4"), history.Prev} {
		if err := s.Sync(context.Background(), at); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"unset b2", "sety c3", "seto d4", "unset d4", "unset c3", "unset a1"}
	if diff := cmp.Diff(want, conn.Sent); diff != "" {
		t.Error(diff)
	}
	// A fresh bot receives every stone of a saved game, each with its owner.
	conn = &scripted{}
	open(t, g, 1, conn, game.First, lineOf(t, g, "a1", "b2", "c3"))
	if diff := cmp.Diff([]string{"init_board", "sety a1", "seto b2", "sety c3"}, conn.Sent); diff != "" {
		t.Error(diff)
	}
}

func TestClientSwap(t *testing.T) {
	g := sized(4, true)
	// The first program is sent the swap and moves next.
	conn := &scripted{replies: []string{"a1", "c1"}}
	s := open(t, g, 2, conn, game.First, game.Begin(g.Empty()))
	history := lineOf(t, g)
	for _, next := range []string{"a1", "c1"} {
		reply, err := syncAsk(t, s, history)
		if err != nil || reply.Move != next {
			t.Fatalf("%v, %v", reply, err)
		}
		history = extend(t, history, reply.Move)
		if next == "a1" {
			history = extend(t, history, "swap")
		}
	}
	if diff := cmp.Diff([]string{"init_board 4", "", "make_move", "swap", "make_move"}, conn.Sent); diff != "" {
		t.Error(diff)
	}
	// The second one swaps by itself and is not sent it.
	conn = &scripted{replies: []string{"swap", "b2"}}
	s = open(t, g, 2, conn, game.Second, game.Begin(g.Empty()))
	reply, err := syncAsk(t, s, lineOf(t, g, "a1"))
	if err != nil || reply.Move != "swap" {
		t.Fatalf("%v, %v", reply, err)
	}
	if _, err := syncAsk(t, s, lineOf(t, g, "a1", "swap", "c1")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"init_board 4", "", "seto a1", "", "make_move", "seto c1", "", "make_move"}, conn.Sent); diff != "" {
		t.Error(diff)
	}
	// A swap cannot be taken back stone by stone: the whole board is set again.
	conn.Sent = nil
	if err := s.Sync(context.Background(), lineOf(t, g, "a1")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"init_board 4", "", "seto a1", ""}, conn.Sent); diff != "" {
		t.Error(diff)
	}
}

func TestClientFits(t *testing.T) {
	v1, _, err := Dialect{Version: 1, Size: 11}.Dial(context.Background(), &scripted{}, game.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := v1.Fits(sized(11, true).Empty()); err == nil || !strings.Contains(err.Error(), "no swap") {
		t.Errorf("v1 with swap: %v", err)
	}
	if err := v1.Fits(sized(10, false).Empty()); err == nil || !strings.Contains(err.Error(), "size") {
		t.Errorf("v1 with another size: %v", err)
	}
	if err := v1.Fits(rules.Default().Empty()); err != nil {
		t.Error(err)
	}
}

// A bot that answers error is sent the whole board again, once per game.
func TestClientResynchronisesOnce(t *testing.T) {
	g := sized(4, false)
	conn := &scripted{replies: []string{"error", "b2", "error"}}
	s := open(t, g, 1, conn, game.Second, game.Begin(g.Empty()))
	history := lineOf(t, g, "a1")
	reply, err := syncAsk(t, s, history)
	if err != nil || reply.Move != "b2" || len(conn.Warnings) != 1 {
		t.Fatalf("%v, %v, warnings %q", reply, err, conn.Warnings)
	}
	if diff := cmp.Diff([]string{"init_board", "seto a1", "make_move", "init_board", "seto a1", "make_move"}, conn.Sent); diff != "" {
		t.Error(diff)
	}
	_, err = syncAsk(t, s, extend(t, history, "b2", "c3"))
	var fault *game.Fault
	if !errors.As(err, &fault) || fault.Kind != game.FaultProtocol || !strings.Contains(fault.Detail, "again") {
		t.Errorf("second error: %v", err)
	}
}

func TestClientHearsAnErrorBetweenMoves(t *testing.T) {
	g := sized(4, false)
	conn := &scripted{answers: map[string][]string{"seto a1": {"error"}}, replies: []string{"b2"}}
	s := open(t, g, 1, conn, game.Second, lineOf(t, g, "a1"))
	if reply, err := syncAsk(t, s, lineOf(t, g, "a1")); err != nil || reply.Move != "b2" {
		t.Fatalf("%v, %v", reply, err)
	}
	if diff := cmp.Diff([]string{"init_board", "seto a1", "init_board", "seto a1", "make_move"}, conn.Sent); diff != "" {
		t.Error(diff)
	}
}

func TestClientReadsMovesAndPassesOverNoise(t *testing.T) {
	g := sized(4, false)
	for _, tt := range []struct{ said, move string }{
		{"b2", "b2"},
		{"  b2  \r", "b2"},
		{"\n\nhello\nmove b2\nb2", "b2"},
		{"A1", "A1"},
		{"a01", "a01"},
		{"b+2", "b+2"},
		{"z9", "z9"},
		{"a0", "a0"},
		{"swap", "swap"},
	} {
		conn := &scripted{replies: []string{tt.said}}
		s := open(t, g, 1, conn, game.First, game.Begin(g.Empty()))
		reply, err := syncAsk(t, s, game.Begin(g.Empty()))
		if err != nil || reply.Move != tt.move {
			t.Errorf("%q: %v, %v", tt.said, reply, err)
		}
	}
	for _, silent := range []string{"", "hello", "\n\n", "abc1", "1a", "a1b2"} {
		conn := &scripted{replies: []string{silent}}
		s := open(t, g, 1, conn, game.First, game.Begin(g.Empty()))
		var fault *game.Fault
		if _, err := syncAsk(t, s, game.Begin(g.Empty())); !errors.As(err, &fault) || fault.Kind != game.FaultTimeout {
			t.Errorf("%q: %v", silent, err)
		}
	}
}

// Lines that follow a move, or that nobody asked for, never answer a later question.
func TestClientDropsWhatWasNotAsked(t *testing.T) {
	g := sized(4, false)
	conn := &scripted{replies: []string{"b2\ngarbage\nd1", "d4"}}
	s := open(t, g, 1, conn, game.First, game.Begin(g.Empty()))
	history := game.Begin(g.Empty())
	if _, err := syncAsk(t, s, history); err != nil {
		t.Fatal(err)
	}
	reply, err := syncAsk(t, s, extend(t, history, "b2", "a1"))
	if err != nil || reply.Move != "d4" {
		t.Errorf("%v, %v", reply, err)
	}
	if diff := cmp.Diff([]string{"garbage", "d1"}, conn.Unused); diff != "" {
		t.Error(diff)
	}
}

func TestClientTellsTheBuiltInEngineItsTime(t *testing.T) {
	conn := &scripted{replies: []string{"b2"}}
	g := sized(4, false)
	opts := game.Options{Set: []game.Option{{Name: "bot", Value: "mcts"}}, Builtin: true}
	s, info, err := Dialect{Version: 2, Size: 4}.Dial(context.Background(), conn, opts)
	if err != nil || !info.Limits.Time {
		t.Fatalf("%v, %v", info, err)
	}
	history := game.Begin(g.Empty())
	if err := s.Seat(context.Background(), game.First, history); err != nil {
		t.Fatal(err)
	}
	if _, err := gametest.Go(context.Background(), s, game.Ask{History: history, Time: 200e6}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"option bot mcts", "init_board 4", "", "option time 188ms", "make_move"}, conn.Sent); diff != "" {
		t.Error(diff)
	}
	for _, tt := range []struct {
		opts game.Options
		auto bool
	}{
		{game.Options{}, false},
		{game.Options{Set: []game.Option{{Name: "time", Value: "auto"}}}, true},
		{game.Options{Set: []game.Option{{Name: "time", Value: "1s"}}, Builtin: true}, false},
		{game.Options{Set: []game.Option{{Name: "playouts", Value: "9"}}, Builtin: true}, false},
	} {
		if _, info, err := (Dialect{Version: 2, Size: 4}).Dial(context.Background(), conn, tt.opts); err != nil || info.Limits.Time != tt.auto {
			t.Errorf("%v: %v, %v", tt.opts, info.Limits, err)
		}
	}
}

// Under a CPU limit a built-in engine that were not told it would think as long as
// the clock says by default, however little of that it gets on a busy machine.
func TestClientTellsTheBuiltInEngineItsCPUTime(t *testing.T) {
	conn := &scripted{replies: []string{"b2", "b2", "b2"}}
	g := sized(4, false)
	s, _, err := Dialect{Version: 2, Size: 4}.Dial(context.Background(), conn, game.Options{Builtin: true})
	if err != nil {
		t.Fatal(err)
	}
	history := game.Begin(g.Empty())
	if err := s.Seat(context.Background(), game.First, history); err != nil {
		t.Fatal(err)
	}
	for _, ask := range []game.Ask{{History: history, CPU: 200e6}, {History: history, CPU: 1e9}, {History: history, CPU: 1e6, Time: 200e6}} {
		if _, err := gametest.Go(context.Background(), s, ask); err != nil {
			t.Fatal(err)
		}
		s.(*session).begun = false
	}
	want := []string{
		"init_board 4", "", "option cpu 198ms", "make_move",
		"init_board 4", "", "option cpu 998ms", "make_move",
		"init_board 4", "", "option cpu 1ms", "option time 188ms", "make_move",
	}
	if diff := cmp.Diff(want, conn.Sent); diff != "" {
		t.Error(diff)
	}
}

// Any bot is told a limit of playouts or depth. One that says ok takes it; whether one that says
// nothing does is not known, and it is not a fault.
func TestClientTellsLimits(t *testing.T) {
	for _, tt := range []struct {
		reply   string
		builtin bool
		want    error
	}{
		{"ok\nb2", false, nil},
		{"b2", true, nil},
		{"b2", false, game.ErrLimit},
		{"error\nb2", false, game.ErrLimit},
	} {
		conn := &scripted{replies: []string{tt.reply}}
		history := game.Begin(sized(4, false).Empty())
		s, info, err := Dialect{Version: 2, Size: 4}.Dial(context.Background(), conn, game.Options{Builtin: tt.builtin})
		if err != nil || !info.Limits.Nodes || !info.Limits.Depth {
			t.Fatalf("%v, %v", info.Limits, err)
		}
		if err := s.Seat(context.Background(), game.First, history); err != nil {
			t.Fatal(err)
		}
		ask, want := game.Ask{History: history, Nodes: 500}, "option playouts 500"
		if tt.builtin {
			ask, want = game.Ask{History: history, Depth: 3}, "option depth 3"
		}
		reply, err := gametest.Go(context.Background(), s, ask)
		if !errors.Is(err, tt.want) || err == nil && reply.Move != "b2" || !slices.Contains(conn.Sent, want) {
			t.Errorf("%q: %v, %v; sent %q", tt.reply, reply, err, conn.Sent)
		}
	}
}

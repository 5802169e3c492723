package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
)

// program is a program that speaks GTP: it answers the commands of the handshake, those in
// answers, and everything else with "= ".
func program(answers map[string]string) *gametest.Scripted {
	said := map[string]string{
		"protocol_version": "= 2", "name": "= Fake", "version": "= 1.0", "known_command time_settings": "= false",
	}
	for command, answer := range answers {
		said[command] = answer
	}
	return &gametest.Scripted{Answer: func(line string) []string {
		answer, ok := said[line]
		if !ok {
			answer = "= "
		}
		var lines []string // without empty ones, as the arena hands them on
		for text := range strings.SplitSeq(answer, "\n") {
			if text != "" {
				lines = append(lines, text)
			}
		}
		return lines
	}}
}

// dialGTP begins a game with a program in seat.
func dialGTP(t *testing.T, conn game.Conn, opts game.Options, seat game.Seat, line *game.History) game.Session {
	t.Helper()
	opts.Rules = line.Start().Position
	s, _, err := GTP{}.Dial(t.Context(), conn, opts)
	if err == nil {
		err = s.Fits(line.Position)
	}
	if err == nil {
		err = s.Seat(t.Context(), seat, line)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func askGTP(t *testing.T, s game.Session, ask game.Ask) (game.Reply, error) {
	t.Helper()
	if err := s.Sync(t.Context(), ask.History); err != nil {
		return game.Reply{}, err
	}
	return gametest.Go(t.Context(), s, ask)
}

// Answers in all their forms.
func TestGTPAnswers(t *testing.T) {
	line := lineOf(t, sized(5, true), "a2")
	for answer, want := range map[string]game.Reply{
		"= c1":                     {Move: "a3"},
		"=  C1 \t\r":               {Move: "a3"},
		"=12 c1 and more":          {Move: "a3"},
		"\n= c1\nand more\n==\n\n": {Move: "a3"},
		"# thinking\n=c1":          {Move: "a3"},
		"= resign":                 {Resigned: true},
		"= Resign ":                {Resigned: true},
		"= swap-pieces":            {Move: "swap"},
		"= swap-sides":             {Move: "swap"},
		"= swap":                   {Move: "swap"},
		"= b1":                     {Move: "a2"}, // taken
		"= c6":                     {Move: "c6"}, // off the board
		"= pass":                   {Move: "pass"},
	} {
		conn := program(map[string]string{"genmove white": answer})
		s := dialGTP(t, conn, game.Options{}, game.Second, line)
		if reply, err := askGTP(t, s, game.Ask{History: line}); err != nil || reply.Move != want.Move || reply.Resigned != want.Resigned {
			t.Errorf("%q: %+v, %v, want %+v", answer, reply, err, want)
		}
	}
	for answer, want := range map[string]string{
		"? cannot move": `protocol: "genmove white" is answered "? cannot move"`,
		"c1":            "timeout",
		"= ":            "protocol: genmove is answered with no move",
	} {
		conn := program(map[string]string{"genmove white": answer})
		s := dialGTP(t, conn, game.Options{}, game.Second, line)
		if reply, err := askGTP(t, s, game.Ask{History: line}); err == nil || err.Error() != want {
			t.Errorf("%q: %+v, %v, want %s", answer, reply, err, want)
		}
	}
}

// After a swap, both programs have the colours that they began with, on a board that is turned
// over. Whatever the one that swaps did to its board, it is set up again.
func TestGTPSwap(t *testing.T) {
	begin, line := game.Begin(sized(5, true).Empty()), lineOf(t, sized(5, true), "a2")
	for _, word := range []string{"swap-pieces", "swap-sides"} {
		other, swapper := program(map[string]string{"genmove black": "= b1"}), program(map[string]string{"genmove white": "= " + word})
		first, second := dialGTP(t, other, game.Options{}, game.First, begin), dialGTP(t, swapper, game.Options{}, game.Second, begin)
		if reply, err := askGTP(t, first, game.Ask{History: begin}); reply.Move != "a2" || err != nil {
			t.Fatal(reply, err)
		}
		if reply, err := askGTP(t, second, game.Ask{History: line}); reply.Move != "swap" || err != nil {
			t.Fatal(reply, err)
		}
		swapped := extend(t, line, "swap")
		other.Sent, swapper.Sent = nil, nil
		if reply, err := askGTP(t, first, game.Ask{History: swapped}); reply.Move != "b1" || err != nil { // not turned: row b, column 1
			t.Fatal(reply, err)
		}
		for _, at := range []*game.History{extend(t, swapped, "b1"), line} {
			if err := second.Sync(t.Context(), at); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff([]string{"undo", "play white a2", "genmove black"}, other.Sent); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"clear_board", "play white a2", "play black b1", "undo", "undo", "play black b1"}, swapper.Sent); diff != "" {
			t.Error(diff)
		}
	}
}

// Moves are taken back by undo. A program that refuses undo or a move has its board set up
// again; what it then refuses is its fault.
func TestGTPTakesBack(t *testing.T) {
	begin := game.Begin(sized(5, false).Empty())
	line := lineOf(t, sized(5, false), "a2", "c3")
	for answer, want := range map[string][]string{
		"= ":                      {"play black b1", "play white c3", "undo", "undo", "play black d1"},
		"? unknown command: undo": {"play black b1", "play white c3", "undo", "clear_board", "play black d1"},
	} {
		conn := program(map[string]string{"undo": answer})
		s := dialGTP(t, conn, game.Options{}, game.First, begin)
		conn.Sent = nil
		for _, at := range []*game.History{line, lineOf(t, sized(5, false), "a4")} {
			if err := s.Sync(t.Context(), at); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, conn.Sent); diff != "" {
			t.Error(diff)
		}
		if (len(conn.Warnings) > 0) != (answer[0] == '?') {
			t.Errorf("%q: warnings %q", answer, conn.Warnings)
		}
	}
	s := dialGTP(t, program(map[string]string{"play white c3": "? illegal move: white c3 (occupied)"}), game.Options{}, game.First, begin)
	err := s.Sync(t.Context(), line)
	if want := `protocol: "play white c3" is answered "? illegal move: white c3 (occupied)"`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// What was sent before a game by others, and its answers, have no part in the game.
func TestGTPPassesOverGarbage(t *testing.T) {
	begin := game.Begin(sized(5, false).Empty())
	conn := program(map[string]string{"genmove black": "= b1"})
	s := dialGTP(t, conn, game.Options{}, game.First, begin)
	conn.Queue = []string{"? unknown command: xyzzy", "= ", "? no", "xyzzy"}
	if err := s.Seat(t.Context(), game.First, begin); err != nil {
		t.Fatal(err)
	}
	if reply, err := askGTP(t, s, game.Ask{History: begin}); reply.Move != "a2" || err != nil || len(conn.Unused) != 4 {
		t.Errorf("%v, %v, unused %q", reply, err, conn.Unused)
	}
}

// The time of a move goes to a program that knows the command, in whole seconds, when it is news.
func TestGTPTellsTime(t *testing.T) {
	begin := game.Begin(sized(5, false).Empty())
	conn := program(map[string]string{"known_command time_settings": "= true", "genmove black": "= b1", "time_settings 0 2 1": "? no"})
	opts := game.Options{MoveTime: 1500 * time.Millisecond, Rules: begin.Position}
	if _, info, err := (GTP{}).Dial(t.Context(), program(nil), opts); err != nil || info.Limits.Time || info.Name != "Fake 1.0" || info.Silent {
		t.Errorf("%+v, %v", info, err)
	}
	if _, info, err := (GTP{}).Dial(t.Context(), conn, opts); err != nil || !info.Limits.Time {
		t.Errorf("%+v, %v", info, err)
	}
	s := dialGTP(t, conn, opts, game.First, begin)
	conn.Sent = nil
	for _, d := range []time.Duration{999 * time.Millisecond, 1999 * time.Millisecond, 1 * time.Second, 2 * time.Second, 5 * time.Millisecond, 0} {
		if reply, err := askGTP(t, s, game.Ask{History: begin, Time: d}); reply.Move != "a2" || err != nil {
			t.Fatal(reply, err)
		}
		if err := s.Sync(t.Context(), begin); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"genmove black", "undo", "time_settings 0 1 1", "genmove black", "undo", "genmove black", "undo", "time_settings 0 2 1", "genmove black", "undo",
		"time_settings 0 1 1", "genmove black", "undo", "genmove black", "undo",
	}
	if diff := cmp.Diff(want, conn.Sent); diff != "" {
		t.Error(diff)
	}
	for _, ask := range []game.Ask{{History: begin, Depth: 3}, {History: begin, Nodes: 100}} {
		if _, err := askGTP(t, s, ask); !errors.Is(err, game.ErrLimit) {
			t.Errorf("%+v: %v", ask, err)
		}
	}
}

// An option or a size that the program refuses is not a fault: it cannot play here, in its words.
func TestGTPRefusesBeforeTheGame(t *testing.T) {
	opts := game.Options{Rules: sized(14, false).Empty(), Set: []game.Option{{Name: "param_mohex max_time", Value: "0.2"}}}
	for command, words := range map[string]string{
		"boardsize 14": "? argument 1 (14) must be less or equal 13", "param_mohex max_time 0.2": "? unknown parameter",
	} {
		_, _, err := GTP{}.Dial(t.Context(), program(map[string]string{command: words}), opts)
		if errors.As(err, new(*game.Fault)) || err == nil || err.Error() != fmt.Sprintf("%q is answered %q", command, words) {
			t.Errorf("%v", err)
		}
	}
	if _, info, err := (GTP{}).Dial(t.Context(), program(nil), opts); err != nil || !slices.Equal(info.Options, []string{"param_mohex max_time"}) {
		t.Error(info, err)
	}
	for _, opts := range []game.Options{{Protocol: map[string]string{"min_move": "1s"}}, {Builtin: true}} {
		if _, _, err := (GTP{}).Dial(t.Context(), program(nil), opts); err == nil || errors.As(err, new(*game.Fault)) {
			t.Errorf("%+v: %v", opts, err)
		}
	}
}

// auto is v2, which is not disturbed: a program that speaks GTP ends at once, or refuses v2's
// words with a question mark before it has moved. A bot that mutters is asked again.
func TestAutoFindsGTP(t *testing.T) {
	auto := Dialect{Version: 2, Size: 5, Auto: true}
	line := lineOf(t, sized(5, false))
	for _, tt := range []struct {
		moved   bool
		said    string
		instead int
	}{
		{false, "? unknown command: make_move", 2},
		{false, "?? thinking\nb2", 0},
		{true, "? unknown command: make_move\nb3", 0},
	} {
		conn := &scripted{replies: []string{tt.said}}
		if tt.moved {
			conn.replies = []string{"b2", tt.said}
		}
		s, info, err := auto.Dial(t.Context(), conn, game.Options{})
		if err != nil || info.Protocol != "v2" || auto.Name() != "auto" {
			t.Fatal(info, err)
		}
		if err := s.Seat(t.Context(), game.First, line); err != nil {
			t.Fatal(err)
		}
		at := line
		if tt.moved {
			if reply, err := askGTP(t, s, game.Ask{History: at}); reply.Move != "b2" || err != nil {
				t.Fatal(reply, err)
			}
			at = extend(t, at, "b2", "c4")
		}
		reply, err := askGTP(t, s, game.Ask{History: at})
		fault, _ := errors.AsType[*game.Fault](err)
		if found := fault == errGTP; found != (tt.instead > 0) || !found && reply.Move == "" {
			t.Errorf("%q: %v, %v", tt.said, reply, err)
		}
		if fault != nil && len(auto.Instead(fault)) != tt.instead {
			t.Errorf("%q: instead %v", tt.said, auto.Instead(fault))
		}
	}
	for kind, want := range map[game.FaultKind]int{game.FaultExited: 1, game.FaultCrashed: 1, game.FaultTimeout: 0, game.FaultProtocol: 0} {
		if got := auto.Instead(&game.Fault{Kind: kind}); len(got) != want {
			t.Errorf("%s: %v", kind, got)
		}
	}
	if (Dialect{Version: 2}).Instead(errGTP) != nil {
		t.Error("v2 is not auto")
	}
}

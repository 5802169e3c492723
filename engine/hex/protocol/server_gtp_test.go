package protocol

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/hex/rules"
	"thera/engine/protocol"
)

// talkGTP sends commands to a fresh server with a small search and returns its answers.
func talkGTP(t *testing.T, args []string, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	args = append([]string{"--gtp", "--playouts=20"}, args...)
	if err := (Player{}).Serve(context.Background(), args, strings.NewReader(strings.Join(lines, "\n")), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	said, whole := strings.CutSuffix(out.String(), "\n\n")
	if !whole {
		t.Fatalf("said %q", said)
	}
	return strings.Split(said, "\n\n")
}

func TestGTPServer(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"who", []string{"protocol_version", "name", "version", "known_command genmove", "known_command foo", "foo bar"}, []string{"= 2", "= Thera", "= 1", "= true", "= false", "? unknown command: foo"}},
		{"lines", []string{"", "  ", "# a comment", "7 play b c3 # why", "\t12  name\r", "9", "known_command"}, []string{"=7 ", "=12 Thera", "= false"}},
		{"plays", []string{"boardsize 5", "play black c3", "play W c3", "play red a1", "play black z9", "play b a01", "play w D1", "play w e1"}, []string{"= ", "= ", "? illegal move: white c3 (occupied)", `? colour "red": want black or white`, "? coordinate z9 is off the board of 5 x 5", `? coordinate "a01": want a row letter and a column number, as a1`, "= ", "= "}},
		{"sizes", []string{"boardsize 27", "boardsize 5 7", "boardsize x", "boardsize 3 3", "showboard"}, []string{`? "27": want 1 to 26`, `? "5 7": want as many rows as columns`, `? "x": want 1 to 26`, "= ", "= \n    a  b  c\n 1\\  .  .  .  \\1\n  2\\  .  .  .  \\2\n   3\\  .  .  .  \\3\n       a  b  c"}},
		{"column first", []string{"boardsize 3", "play b c1", "play w a2", "showboard"}, []string{"= ", "= ", "= ", "= \n    a  b  c\n 1\\  .  .  B  \\1\n  2\\  W  .  .  \\2\n   3\\  .  .  .  \\3\n       a  b  c"}},
		{"black joins rows", []string{"boardsize 2", "play b a1", "final_score", "play b a2", "final_score", "genmove w", "undo", "final_score", "undo", "undo"}, []string{"= ", "= ", "= cannot score", "= ", "= B+", "? the game is over", "= ", "= cannot score", "= ", "? cannot undo"}},
		{"white joins columns", []string{"boardsize 2", "play w a1", "play w b1", "final_score", "clear_board", "final_score"}, []string{"= ", "= ", "= ", "= W+", "= ", "= cannot score"}},
		{"one cell", []string{"boardsize 1", "genmove b", "genmove w"}, []string{"= ", "= a1", "? the game is over"}},
		{"times", []string{"time_settings 0 1 1", "time_settings 60 0 0", "time_settings 1 x 1", "time_settings -1 0 0", "time_settings NaN 0 1", "time_settings 1 1 -1", "time_left b 10 0", "time_left w 1e300 3", "time_left w 3", "time_left x 1 1"}, []string{"= ", "= ", `? "x 1": want seconds and a number of stones`, `? "-1 0": want seconds and a number of stones`, `? "NaN 0": want seconds and a number of stones`, `? "1 -1": want seconds and a number of stones`, "= ", "= ", `? "3 ": want seconds and a number of stones`, `? colour "x": want black or white`}},
		{"parameters", []string{"param_thera playouts 3", "param_thera bot best", "param_thera swap true"}, []string{"= ", `? bot "best": want mcts, two-distance, random`, "= "}},
		{"no swap without leave", []string{"boardsize 3", "play b b2", "play w swap-pieces"}, []string{"= ", "= ", "? illegal move: white swap-pieces"}},
		{"swap", []string{"param_thera swap true", "boardsize 3", "play w swap-sides", "play b c1", "play b swap-pieces", "play w swap-pieces", "play b swap-pieces", "showboard", "undo", "play w swap-sides", "showboard"}, []string{"= ", "= ", "? illegal move: white swap-sides", "= ", "? illegal move: black swap-pieces", "= ", "? illegal move: black swap-pieces", "= \n    a  b  c\n 1\\  .  .  .  \\1\n  2\\  .  .  .  \\2\n   3\\  W  .  .  \\3\n       a  b  c", "= ", "= ", "= \n    a  b  c\n 1\\  .  .  B  \\1\n  2\\  .  .  .  \\2\n   3\\  .  .  .  \\3\n       a  b  c"}},
		{"too few words", []string{"boardsize", "play", "play b", "genmove", "param_thera"}, []string{`? "": want 1 to 26`, `? colour "": want black or white`, `? coordinate "": want a row letter and a column number, as a1`, `? colour "": want black or white`, `? unknown option "" (known: time, cpu, playouts, depth, swap, bot, plain, seed)`}},
		{"quit", []string{"3 quit", "name"}, []string{"=3 "}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, talkGTP(t, nil, tt.lines...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// It answers what a recorded program was asked as that did: it does or refuses the same.
func TestGTPServerAnswersARecordedSession(t *testing.T) {
	recording, err := gametest.ReadTranscript("../testdata/gtp/mohex_session.txt")
	if err != nil {
		t.Fatal(err)
	}
	other := []string{"boardsize 40", "boardsize 5 7", "param_mohex max_time 1", "param_mohex num_threads 1", "all_legal_moves"}
	var lines, want, got []string
	for i, e := range recording.Entries {
		if e.Mark == gametest.Sent && !strings.HasPrefix(e.Text, "#") && !slices.Contains(other, e.Text) {
			lines, want = append(lines, e.Text), append(want, recording.Entries[i+1].Text[:1])
		}
	}
	for _, said := range talkGTP(t, nil, lines...) {
		got = append(got, said[:1])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Its moves are its own: on its board, and taken back by undo.
func TestGTPServerMoves(t *testing.T) {
	said := talkGTP(t, []string{"--size", "4"}, "genmove b", "genmove w", "showboard", "undo", "undo", "showboard", "list_commands")
	if strings.Count(said[2], "B") != 1 || strings.Count(said[2], "W") != 1 || strings.ContainsAny(said[5], "BW") || said[0] == said[1] {
		t.Errorf("said %q", said)
	}
	if !strings.Contains(said[6], "\nknown_command\n") || strings.Count(said[6], "\n") != 15 {
		t.Errorf("commands %q", said[6])
	}
	if said := talkGTP(t, []string{"--swap"}, "boardsize 3", "play b b2", "genmove w", "play b c1", "genmove w"); said[2] != "= swap-pieces" || said[4] == said[2] || said[4][0] != '=' {
		t.Errorf("said %q", said)
	}
	if err := (Player{}).Serve(context.Background(), []string{"--gtp", "black"}, strings.NewReader(""), io.Discard, io.Discard); err == nil {
		t.Error("a colour is accepted")
	}
}

// The end of input and quit cut a search short; time_settings and time_left end it in time.
func TestGTPServerKeepsItsTime(t *testing.T) {
	begin := time.Now()
	for _, lines := range []string{
		"time_settings 0 0.05 1\ngenmove b\ntime_left w 1 20\ngenmove w\ntime_left b 1 0\ngenmove b\nname\n",
		"genmove b", "genmove b\nquit\n",
	} {
		var out bytes.Buffer
		if err := (Player{}).Serve(context.Background(), []string{"--gtp", "--time=1h"}, strings.NewReader(lines), &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		if moves := strings.Count(lines, "genmove"); strings.Count(out.String(), "= ") < moves || strings.Contains(out.String(), "?") {
			t.Errorf("%q: said %q", lines, out.String())
		}
	}
	if took := time.Since(begin); took > 10*time.Minute {
		t.Errorf("took %v", took)
	}
}

// The server ends on any input, and answers in whole lines.
func FuzzGTPServer(f *testing.F) {
	f.Add([]byte("boardsize 4\nplay b a1\ngenmove w\nundo\nshowboard\nfinal_score\n7 quit\n"))
	f.Add([]byte("param_thera swap true\nboardsize 3 3\nplay b b2\ngenmove w\nplay b swap-pieces\ntime_left b 1e9 0\n"))
	f.Add([]byte("time_settings 0 1 1\r\n# x\n12\nlist_commands\nknown_command\nclear_board\xff"))
	f.Fuzz(func(t *testing.T, in []byte) {
		if bytes.Contains(in, []byte("param")) && !bytes.Contains(in, []byte("swap true\n")) {
			return // minutes of search on request
		}
		var out bytes.Buffer
		if err := (Player{}).Serve(context.Background(), []string{"--gtp", "--playouts=1"}, bytes.NewReader(in), &out, io.Discard); err != nil {
			t.Error(err)
		}
		said := out.String()
		if said != "" && !strings.HasSuffix(said, "\n\n") {
			t.Errorf("said %q", said)
		}
		for answer := range strings.SplitSeq(strings.TrimSuffix(said, "\n\n"), "\n\n") {
			if _, _, ok := protocol.ReadGTP([]byte(answer)); !ok && said != "" {
				t.Errorf("answer %q", answer)
			}
		}
	})
}

// Whatever a program prints, the client ends with a move, a resignation, a refusal before the
// game or a fault.
func FuzzGTPClient(f *testing.F) {
	f.Add("= 2\n= MoHex\n= 2.0\n= true\n= \n= \n= 2\n= \n= \n= c3\n? no\n= \n= \n= d4\n")
	f.Add("? unknown\n?\n=\n= false\n= \n? no such option\n")
	f.Add("=1 2\n=\n=\n=\n=\n=\n=1 2\nx\n=\n=\n=\nresign\n")
	f.Add("= 2\n= X\n= 1\n= false\n=\n=\n= 2\n=\n=\n=\n= swap-pieces\n=\n=\n=\n= a1")
	f.Fuzz(func(t *testing.T, text string) {
		conn := &gametest.Scripted{Queue: strings.Split(text, "\n")}
		line := lineOf(t, sized(5, true), "a1")
		s, _, err := GTP{}.Dial(t.Context(), &asked{Scripted: conn}, game.Options{Rules: line.Position, Set: []game.Option{{Name: "a b", Value: "c"}}})
		if err == nil {
			err = s.Fits(line.Position)
		}
		if err == nil {
			err = s.Seat(t.Context(), game.Second, line)
		} else if no, _ := errors.AsType[*protocol.GTPRefusal](err); no != nil {
			return
		}
		for range 4 {
			if err != nil {
				break
			}
			var reply game.Reply
			if err = s.Sync(t.Context(), line); err == nil {
				reply, err = gametest.Go(t.Context(), s, game.Ask{History: line, Time: 2 * time.Second})
			}
			if err == nil && (reply.Move == "") != reply.Resigned {
				t.Errorf("reply %+v", reply)
			}
			next, illegal := line.Play(game.By(line.Position.ToMove().Only(), reply.Move))
			if illegal != nil || reply.Move != rules.SwapWord && next.Position.ToMove().Has(game.Second) {
				break
			}
			line = extend(t, next, next.Position.Moves(game.First)[0])
		}
		if err != nil && !errors.As(err, new(*game.Fault)) {
			t.Errorf("not a fault of the engine: %v", err)
		}
	})
}

// asked is a program whose lines come only when something was asked.
type asked struct{ *gametest.Scripted }

func (a *asked) Pending() ([]byte, bool) { return nil, false }

package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
)

// bot is a scripted AI: answer is called with every line and answers with say,
// from any goroutine.
type bot struct {
	answer func(line string, say func(string))
}

func (b bot) Serve(_ context.Context, _ []string, in io.Reader, out, _ io.Writer) error {
	var mu sync.Mutex
	say := func(line string) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.WriteString(out, line+"\n")
	}
	scan := bufio.NewScanner(in)
	for scan.Scan() {
		switch line := scan.Text(); line {
		case "pyrat":
			say("id name Bot\npyratready")
		case "isready":
			say("readyok")
		case "ready?":
			say("ready")
		case "startpreprocessing":
			say("preprocessingdone")
		default:
			b.answer(line, say)
		}
	}
	return nil
}

func dial(t *testing.T, conn game.Conn, opts game.Options) *session {
	t.Helper()
	s, _, err := Dialect{}.Dial(t.Context(), conn, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s.(*session)
}

// An AI answers every third turn too late. None of its moves counts for another
// turn, however it reacts to stop.
func TestLateAnswersBelongToTheirTurn(t *testing.T) {
	const limit, late = 60 * time.Millisecond, 90 * time.Millisecond
	for _, kind := range []string{"finishes its thought", "answers stop at once", "answers stop with one move more"} {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				turn := -1 // the placeholder makes it 0
				var mu sync.Mutex
				thinking, thought := false, 0
				b := bot{func(line string, say func(string)) {
					mu.Lock()
					defer mu.Unlock()
					move := "move " + []string{"UP", "RIGHT", "DOWN", "LEFT"}[max(turn, 0)%4]
					this := thought
					finish := func() {
						mu.Lock()
						defer mu.Unlock()
						if thinking && thought == this {
							thinking = false
							say(move)
						}
					}
					switch {
					case strings.HasPrefix(line, "moves "):
						turn++
					case line == "go" && turn%3 == 2:
						thinking = true
						thought++
						this = thought
						time.AfterFunc(late, finish)
					case line == "go":
						say(move)
					case line == "stop" && !thinking:
						say("move STAY")
					case line == "stop" && kind != "finishes its thought":
						thinking = false
						say(move)
						if kind == "answers stop with one move more" {
							say("move STAY")
						}
					}
				}}
				conn := gametest.Join(t, b)
				s := dial(t, conn, game.Options{})
				history := game.Begin(generated(t, "tiny", 1))
				if err := s.Seat(t.Context(), game.First, history); err != nil {
					t.Fatal(err)
				}
				booked, missed := 0, 0
				for n := range 9 {
					conn.Arm(time.Minute, time.Minute)
					if err := s.Sync(t.Context(), history); err != nil {
						t.Fatalf("turn %d: %v", n, err)
					}
					conn.Arm(limit-5*time.Millisecond, limit)
					reply, err := gametest.Go(t.Context(), s, game.Ask{History: history, Time: limit})
					var fault *game.Fault
					switch {
					case errors.As(err, &fault) && fault.Kind == game.FaultTimeout:
						reply.Move = "S"
						missed++
					case err != nil:
						t.Fatal(err)
					case reply.Move != "URDL"[n%4:n%4+1]:
						t.Errorf("turn %d: booked %s, which is another turn's", n, reply.Move)
					default:
						booked++
					}
					var err2 error
					if history, err2 = history.Play(game.Turn{reply.Move, "S"}); err2 != nil {
						t.Fatal(err2)
					}
				}
				if missed != 3 || booked != 6 {
					t.Errorf("%d late, %d booked", missed, booked)
				}
			})
		})
	}
}

// An AI that never sends the move it owes is at fault in the next Sync, so the
// arena restarts it.
func TestDebtThatIsNotSettled(t *testing.T) { synctest.Test(t, testDebtThatIsNotSettled) }

func testDebtThatIsNotSettled(t *testing.T) {
	conn := gametest.Join(t, bot{func(string, func(string)) {}})
	s := dial(t, conn, game.Options{})
	history := game.Begin(mustParse(t, small))
	if err := s.Seat(t.Context(), game.First, history); err != nil {
		t.Fatal(err)
	}
	conn.Arm(10*time.Millisecond, 20*time.Millisecond)
	if _, err := gametest.Go(t.Context(), s, game.Ask{History: history}); !isTimeout(err) {
		t.Fatalf("no answer: %v", err)
	}
	conn.Arm(10*time.Millisecond, 20*time.Millisecond)
	if err := s.Sync(t.Context(), history); !isTimeout(err) {
		t.Errorf("unsettled: %v", err)
	}
}

func isTimeout(err error) bool {
	var fault *game.Fault
	return errors.As(err, &fault) && fault.Kind == game.FaultTimeout
}

// recorder is an AI that keeps what it receives and answers at once.
func recorder(sent *[]string, move func(n int) string) bot {
	n := 0
	return bot{func(line string, say func(string)) {
		*sent = append(*sent, line)
		if line == "go" {
			say(move(n))
			n++
		}
		if line == "startpostprocessing" {
			say("postprocessingdone")
		}
	}}
}

// TestSessionSaysTheProtocol compares every line of a whole game, with empty
// walls and mud.
func TestSessionSaysTheProtocol(t *testing.T) {
	var sent []string
	conn := gametest.Join(t, recorder(&sent, func(int) string { return "move RIGHT" }))
	start := mustParse(t, "maze height:2 width:3; walls; mud; cheese (2,0); player1 rat (0,0); player2 python (0,1)")
	s := dial(t, conn, game.Options{
		Rules: start, Set: []game.Option{{Name: "Foo", Value: "a b"}}, Protocol: map[string]string{"debug": "on"},
	})
	s.moveTime, s.preprocessing, s.postprocessing = 250*time.Millisecond, 500*time.Millisecond, 300*time.Millisecond
	history := game.Begin(start)
	if err := s.Seat(t.Context(), game.First, history); err != nil {
		t.Fatal(err)
	}
	for _, python := range []string{"U", "D"} { // the first runs against the border
		if err := s.Sync(t.Context(), history); err != nil {
			t.Fatal(err)
		}
		reply, err := gametest.Go(t.Context(), s, game.Ask{History: history})
		if err != nil {
			t.Fatal(err)
		}
		if history, err = history.Play(game.Turn{reply.Move, python}); err != nil {
			t.Fatal(err)
		}
	}
	outcome, _ := history.Position.Outcome()
	if err := s.End(t.Context(), history, outcome); err != nil {
		t.Fatal(err)
	}
	want := `debug on
setoption name Foo value a b
newgame
maze height:2 width:3
walls
mud
cheese (2,0)
player1 rat (0,0)
player2 python (0,1)
youare rat
timecontrol move:250 preprocessing:500 postprocessing:300
moves rat:STAY python:STAY
go
moves rat:RIGHT python:STAY
go
moves rat:RIGHT python:DOWN
gameover winner:rat score:1-0
startpostprocessing`
	if got := strings.Join(sent, "\n"); got != want {
		t.Errorf("it received\n%s\nwant\n%s", got, want)
	}
	if len(conn.Warnings()) != 1 || !strings.Contains(conn.Warnings()[0], "Foo: not listed") {
		t.Errorf("warnings %q", conn.Warnings())
	}
}

// A fresh process in the middle of a game receives all of it, with players and
// history, and is asked without a moves line.
func TestSessionRecovers(t *testing.T) {
	var sent []string
	conn := gametest.Join(t, recorder(&sent, func(int) string { return "move UP" }))
	history := game.Begin(mustParse(t, small))
	for _, turn := range []game.Turn{{"S", "R"}, {"L", "R"}, {"D", "U"}, {"L", "S"}} {
		var err error
		if history, err = history.Play(turn); err != nil {
			t.Fatal(err)
		}
	}
	s := dial(t, conn, game.Options{})
	if err := s.Seat(t.Context(), game.Second, history); err != nil {
		t.Fatal(err)
	}
	if err := s.Sync(t.Context(), history); err != nil {
		t.Fatal(err)
	}
	if _, err := gametest.Go(t.Context(), s, game.Ask{History: history}); err != nil {
		t.Fatal(err)
	}
	// The python went into the mud on the second turn and is still there.
	want := `recover
maze height:3 width:4
walls (0,0)-(0,1)
mud (1,0)-(2,0):3
cheese (2,0) (1,2)
player1 rat (3,2)
player2 python (0,0)
youare python
moves_history STAY RIGHT LEFT RIGHT DOWN STAY LEFT STAY
current_position rat:(1,1) python:(1,0)
score rat:1 python:0
go`
	if got := strings.Join(sent, "\n"); got != want {
		t.Errorf("it received\n%s\nwant\n%s", got, want)
	}
}

// The protocol has no undo, so the whole game is sent again.
func TestSessionTakesBack(t *testing.T) {
	var sent []string
	conn := gametest.Join(t, recorder(&sent, func(int) string { return "move UP" }))
	s := dial(t, conn, game.Options{})
	history := game.Begin(mustParse(t, small))
	if err := s.Seat(t.Context(), game.First, history); err != nil {
		t.Fatal(err)
	}
	next, _ := history.Play(game.Turn{"S", "S"})
	for _, at := range []*game.History{history, next, history} {
		if err := s.Sync(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		sent = sent[:0]
		if _, err := gametest.Go(t.Context(), s, game.Ask{History: at}); err != nil {
			t.Fatal(err)
		}
	}
	// From recover on, the lines of the last Sync arrive with go.
	if got := fmt.Sprint(sent); !strings.HasSuffix(got, "score rat:0 python:0 go]") || strings.Contains(got, "moves ") {
		t.Errorf("after taking back: %s", got)
	}
}

func TestUnreadableMoves(t *testing.T) {
	answers := []string{"move", "move up", "move UP UP", "move \xff", "info depth 3\n\n  \nnonsense\nmove   UP"}
	var sent []string
	conn := gametest.Join(t, recorder(&sent, func(n int) string { return answers[n] }))
	s := dial(t, conn, game.Options{})
	history := game.Begin(mustParse(t, small))
	if err := s.Seat(t.Context(), game.First, history); err != nil {
		t.Fatal(err)
	}
	for n, text := range answers {
		reply, err := gametest.Go(t.Context(), s, game.Ask{History: history})
		var fault *game.Fault
		if n < 4 && (!errors.As(err, &fault) || fault.Kind != game.FaultProtocol || !strings.Contains(fault.Detail, "unreadable move")) {
			t.Errorf("%q: %v, %v", text, reply, err)
		}
		if n == 4 && (err != nil || reply.Move != "U" || reply.Depth != 3) {
			t.Errorf("%q: %v, %v", text, reply, err)
		}
	}
	if got := conn.PassedLines(); len(got) != 1 || got[0] != "nonsense" {
		t.Errorf("passed over %q", got)
	}
}

// TestAnswersBeforeTheQuestion are dropped and counted.
func TestAnswersBeforeTheQuestion(t *testing.T) {
	conn := gametest.Join(t, bot{func(line string, say func(string)) {
		switch line {
		case "youare rat":
			say("move LEFT\nmove LEFT")
		case "go":
			say("move UP")
		}
	}})
	s := dial(t, conn, game.Options{})
	history := game.Begin(mustParse(t, small))
	if err := s.Seat(t.Context(), game.First, history); err != nil {
		t.Fatal(err)
	}
	reply, err := gametest.Go(t.Context(), s, game.Ask{History: history})
	if err != nil || reply.Move != "U" || len(conn.PassedLines()) != 2 {
		t.Errorf("%v, %v, passed over %q", reply, err, conn.PassedLines())
	}
}

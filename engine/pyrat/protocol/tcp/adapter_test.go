package tcp

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
	"thera/engine/pyrat/protocol/tcp/tcptest"
	"thera/engine/pyrat/rules"
	"thera/engine/serve"
)

const maze = "maze height:3 width:4; walls (0,0)-(0,1); mud (1,0)-(2,0):3; cheese (1,2) (3,2) (2,1); " +
	"player1 rat (3,0); player2 python (0,0); max_turns 9"

func begin(t testing.TB, text string) *game.History {
	p, err := rules.Parse(text, rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	return game.Begin(p)
}

// seated is a bot in the second seat of a game.
type seated struct {
	game.Session
	t    testing.TB
	conn *gametest.Conn
	line *game.History
	info game.Info
}

func seat(t testing.TB, b *tcptest.Bot, line *game.History, set ...game.Option) *seated {
	conn := gametest.Join(t, bot(func(conn io.ReadWriter) {
		b.Conn = conn
		b.Play()
	}))
	session, info, err := NewDialect().Dial(t.Context(), conn, game.Options{
		Rules: line.Position, MoveTime: time.Second, Set: set,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Seat(t.Context(), game.Second, line); err != nil {
		t.Fatal(err)
	}
	return &seated{Session: session, t: t, conn: conn, line: line, info: info}
}

// ask asks for a move, which the bot is told to give by a stop after soft.
func (s *seated) ask(soft, hard time.Duration) (game.Reply, error) {
	s.conn.Arm(time.Minute, time.Minute)
	if err := s.Sync(s.t.Context(), s.line); err != nil {
		return game.Reply{}, err
	}
	s.conn.Arm(soft, hard)
	reply, err := gametest.Go(s.t.Context(), s.Session, game.Ask{History: s.line})
	move := reply.Move
	if err != nil {
		move = rules.Stay.Letter()
	}
	var wrong error
	if s.line, wrong = s.line.Play(game.Turn{"S", move}); wrong != nil {
		s.t.Fatal(wrong)
	}
	return reply, err
}

func TestGame(t *testing.T) {
	b := &tcptest.Bot{Agent: "any"}
	s := seat(t, b, begin(t, maze), game.Option{Name: "depth", Value: "5"}, game.Option{Name: "Style", Value: "very bold"})
	want := game.Info{
		Name: "Tester good", Author: "a tester", Protocol: "tcp", Options: []string{"Depth", "Style", "Book of moves"},
		Limits: game.Limits{Time: true}, Resets: true, Preparation: 3 * time.Second, Afterwards: time.Second,
	}
	if diff := cmp.Diff(want, s.info); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"Depth": "5", "Style": "very bold"}, b.Options); diff != "" {
		t.Error(diff)
	}
	var moves string
	for range 5 {
		reply, err := s.ask(time.Minute, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		moves += reply.Move
		said := game.SearchInfo{Depth: 6, Nodes: 77, Score: 1, Known: true, PV: "UP DOWN", Details: reply.Details}
		if diff := cmp.Diff(said, reply.SearchInfo); diff != "" || reply.Details.Score != 1.5 {
			t.Errorf("%s; %+v", diff, reply.Details)
		}
	}
	if err := s.Sync(t.Context(), s.line); err != nil {
		t.Fatal(err)
	}
	reply, err := gametest.Go(t.Context(), s.Session, game.Ask{History: s.line, Time: 80 * time.Millisecond})
	if moves += reply.Move; err != nil || b.Limit != 80 {
		t.Errorf("%v, the time of the move is %d ms, want 80", err, b.Limit)
	}
	if moves != "URDLUR" {
		t.Errorf("moves %s, want the directions in their order", moves)
	}
	if err := s.End(t.Context(), s.line, game.Outcome{Reason: "adjudicated"}); err != nil || len(s.conn.Warnings()) > 0 {
		t.Errorf("%v, warnings %q", err, s.conn.Warnings())
	}
}

// A bot that answers late, or for other turns, does not move for them.
func TestProvisionalAndStaleMoves(t *testing.T) {
	for mode, want := range map[string]string{"best": "URD", "stale": "URD"} {
		t.Run(mode, func(t *testing.T) {
			s := seat(t, &tcptest.Bot{Mode: mode}, begin(t, maze))
			soft := time.Minute
			if mode == "best" {
				soft = 20 * time.Millisecond
			}
			moves := ""
			for range 3 {
				reply, err := s.ask(soft, time.Minute)
				if err != nil {
					t.Fatal(err)
				}
				moves += reply.Move
			}
			if moves != want || len(s.conn.PassedLines()) > 0 {
				t.Errorf("moves %s, want %s; unused lines %q", moves, want, s.conn.PassedLines())
			}
		})
	}
}

func TestNoMoveIsLate(t *testing.T) {
	s := seat(t, &tcptest.Bot{Mode: "silent"}, begin(t, maze))
	var results []string
	for range 4 {
		hard := time.Minute
		if len(results) == 2 {
			hard = 40 * time.Millisecond
		}
		reply, err := s.ask(hard/2, hard)
		if err != nil {
			reply.Move = string(err.(*game.Fault).Kind)
		}
		results = append(results, reply.Move)
	}
	if want := []string{"U", "R", "timeout", "L"}; !slices.Equal(results, want) {
		t.Errorf("%q, want %q", results, want)
	}
}

// The process of a bot that hangs when the game is over is not that of the next game.
func TestHungAtTheEnd(t *testing.T) {
	b := &tcptest.Bot{}
	b.Asked = func() { _, _ = io.Copy(io.Discard, b.Conn) } // until the adapter has ended
	s := seat(t, b, begin(t, maze))
	if _, err := s.ask(10*time.Millisecond, 20*time.Millisecond); err == nil {
		t.Fatal("it has moved")
	}
	s.conn.Arm(20*time.Millisecond, time.Minute)
	if err := s.End(t.Context(), s.line, game.Outcome{Reason: "adjudicated"}); err != nil {
		t.Error(err)
	}
	s.conn.Arm(time.Second, time.Second)
	var fault *game.Fault
	if _, err := s.conn.Recv(t.Context()); !errors.As(err, &fault) || fault.Kind == game.FaultTimeout {
		t.Errorf("after the game: %v", err)
	}
}

// What a bot sends that cannot be read is its fault, also when it is asked again.
func TestUnreadable(t *testing.T) {
	for mode, want := range map[string]string{
		"garbage": "protocol: a message of 33 bytes is no FlatBuffer: the root is not in it",
		"huge":    "protocol: a frame of 16777217 bytes, want 1 to 16777216",
	} {
		s := seat(t, &tcptest.Bot{Mode: mode}, begin(t, maze))
		for i := range 5 {
			_, err := s.ask(time.Minute, time.Minute)
			if i < 2 && err != nil || i >= 2 && (err == nil || err.Error() != want) {
				t.Errorf("%s, turn %d: %v, want %s from the third turn on", mode, i+1, err, want)
			}
		}
	}
}

// A bot that is started within a game hears all turns of it; one whose game takes turns back hears
// where it stands.
func TestWithinAGame(t *testing.T) {
	line := begin(t, maze)
	for range 3 {
		line, _ = line.Play(game.Turn{"L", "S"})
	}
	s := seat(t, &tcptest.Bot{}, line)
	if reply, err := s.ask(time.Minute, time.Minute); err != nil || reply.Move != "L" {
		t.Errorf("in the fourth turn: %q, %v", reply.Move, err)
	}
	s.line = line.Prev
	if reply, err := s.ask(time.Minute, time.Minute); err != nil || reply.Move != "D" {
		t.Errorf("after a turn was taken back: %q, %v", reply.Move, err)
	}
	middle := begin(t, maze+"; turn 5; score rat:0.5 python:0.5; mud_timers rat:0 python:0; mud_targets rat:- python:-")
	if reply, err := seat(t, &tcptest.Bot{}, middle).ask(time.Minute, time.Minute); err != nil || reply.Move != "R" {
		t.Errorf("from the sixth turn on: %q, %v", reply.Move, err)
	}
}

func TestFits(t *testing.T) {
	for text, want := range map[string]string{
		maze:                                     "",
		strings.Replace(maze, ":3;", ":256;", 1): "mud of 256 turns: this protocol has at most 255",
		strings.Replace(maze, "max_turns 9", "max_turns 65536", 1): "a game of 65536 turns: this protocol has at most 65535",
	} {
		got := ""
		if err := fits(begin(t, text).Position.(*rules.Position)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The whole of a position is in a FullState. A player in mud is at its end, as bots see it.
func TestFullState(t *testing.T) {
	line := begin(t, maze)
	for _, turn := range []game.Turn{{"U", "R"}, {"U", "R"}} { // rat to (3,2), python into mud
		line, _ = line.Play(turn)
	}
	kind, fields := hostFrame(t, state(line.Position.(*rules.Position), times{}))
	s := fields.table(1)
	x, _ := s.float(3)
	cheese, _ := s.vector(7, 2)
	if kind != fullState || s.number(0, 2) != 2 || !bytes.Equal(s.field(1, 2), []byte{3, 2}) || !bytes.Equal(s.field(2, 2), []byte{2, 0}) ||
		x != 1 || s.number(5, 1) != 0 || s.number(6, 1) != 3 || !bytes.Equal(cheese, []byte{1, 2, 2, 1}) {
		t.Errorf("kind %d, turn %d, at %v and %v, score %v, mud %d and %d, cheese %v", kind, s.number(0, 2), s.field(1, 2), s.field(2, 2),
			x, s.number(5, 1), s.number(6, 1), cheese)
	}
}

func FuzzAdapter(f *testing.F) {
	start := "pyrat\nnewgame\n" + strings.ReplaceAll(maze, "; ", "\n") + "\nyouare rat\n"
	for _, text := range []string{
		"pyrat\nsetoption name Depth value 4\nisready\n",
		start + "startpreprocessing\nmoves rat:STAY python:STAY\ngo\nisready\nstop\nmoves rat:UP python:UP\ngo\ntimeout move:STAY\nstop\nready?\n",
		start + "startpreprocessing\ntimeout preprocessing\n" + start + "go\ngameover winner:rat score:1-0.5\nstartpostprocessing\nquit\n",
		start + "timecontrol move:100 preprocessing:x\nturn 3\nscore rat:1 python:1\nstartpreprocessing\ngo\n",
	} {
		f.Add(text, uint8(0))
	}
	modes := []string{"", "best", "stale", "garbage", "huge"}
	f.Fuzz(func(t *testing.T, text string, mode uint8) {
		b := &tcptest.Bot{Mode: modes[int(mode)%len(modes)]}
		var out bytes.Buffer
		err := bot(func(conn io.ReadWriter) {
			b.Conn = conn
			b.Play()
		}).Serve(context.Background(), nil, strings.NewReader(text), &out, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if !slices.Contains([]string{"id", "option", "pyratready", "readyok", "ready", "preprocessingdone", "move", "info", "postprocessingdone", faultWord}, word) {
				t.Errorf("the adapter said %q", line)
			}
		}
	})
}

func FuzzMessages(f *testing.F) {
	for _, name := range []string{"greedy.txt.gz", "search.txt.gz"} {
		seen := map[kind]int{}
		for _, r := range record(f, name) {
			if m, err := decode(r.payload); !r.host && err == nil && seen[m.kind] < 3 {
				seen[m.kind]++
				f.Add(r.payload)
			}
		}
	}
	var hello bytes.Buffer
	(&tcptest.Bot{Conn: &hello}).Play() // it says who it is, and reads that again
	payload, _ := readFrame(&hello)
	f.Add(payload)
	f.Fuzz(func(t *testing.T, payload []byte) {
		m, err := decode(payload)
		if fault := (*game.Fault)(nil); err != nil && !errors.As(err, &fault) {
			t.Fatal(err)
		}
		texts := []string{m.text, m.name, m.author, m.agent}
		for _, o := range m.options {
			texts = append(append(texts, o.Name, o.Default), o.Choices...)
		}
		for _, text := range texts {
			if strings.ContainsAny(text, "\r\n\x00") || len(text) > 20*maxText {
				t.Fatalf("a text of %d bytes: %.200q", len(text), text)
			}
		}
		if len(m.options) > maxOptions {
			t.Fatalf("%d options", len(m.options))
		}
	})
}

func FuzzFrames(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x01a\x00\x00\x00\x02bc"))
	f.Add([]byte("\x00\x00\x00\x00"))
	f.Add([]byte("\x01\x00\x00\x01"))
	f.Add([]byte("\x00\x00\x00\x05abc"))
	f.Fuzz(func(t *testing.T, text []byte) {
		in, rest := bytes.NewReader(text), text
		for {
			payload, err := readFrame(in)
			if err != nil {
				return
			}
			if again := frame(payload); !bytes.HasPrefix(rest, again) {
				t.Fatalf("%q is read as %q", rest, payload)
			}
			rest = rest[4+len(payload):]
		}
	})
}

// A bot that has not heard of a question when its time is over is asked all the same, and stopped.
func TestStoppedBeforeAsked(t *testing.T) {
	var sent bytes.Buffer
	a := &adapter{out: serve.NewOutput(io.Discard), bot: &sent, seat: 1, hash: 7, awaited: []kind{syncOK}}
	a.view.Game = begin(t, maze).Position.(*rules.Position)
	a.command("go move:80")
	a.command("stop")
	a.awaited = nil
	a.proceed()
	var kinds []uint8
	for sent.Len() > 0 {
		payload, err := readFrame(&sent)
		if err != nil {
			t.Fatal(err)
		}
		kind, fields := hostFrame(t, payload)
		kinds = append(kinds, kind)
		if kind == goThink && (fields.number(0, 8) != 7 || fields.table(1).number(0, 4) != 1) {
			t.Errorf("asked about %d, for %d ms", fields.number(0, 8), fields.table(1).number(0, 4))
		}
	}
	if !slices.Equal(kinds, []uint8{goThink, stop}) {
		t.Errorf("messages %d, want a question and a stop", kinds)
	}
}

// Each question has the time that there is for its move.
func TestTimeOfAMove(t *testing.T) {
	for question, want := range map[string]uint64{"go": 100, "go move:35": 35, "go move:x": 100, "go move:99999999999": 100} {
		var sent bytes.Buffer
		a := &adapter{out: serve.NewOutput(io.Discard), bot: &sent, seat: 1}
		a.view.Game, a.view.Move = begin(t, maze).Position.(*rules.Position), 100*time.Millisecond
		a.command(question)
		a.proceed()
		payload, err := readFrame(&sent)
		if err != nil {
			t.Fatal(err)
		}
		if kind, fields := hostFrame(t, payload); kind != goThink || fields.table(1).number(0, 4) != want {
			t.Errorf("%s: message %d with %d ms, want %d", question, kind, fields.table(1).number(0, 4), want)
		}
	}
}

func TestGameOver(t *testing.T) {
	for word, want := range map[string]uint64{"winner:rat": 0, "winner:python": 1, "winner:draw": 2} {
		var sent bytes.Buffer
		a := &adapter{out: serve.NewOutput(io.Discard), bot: &sent, seat: 1, awaited: []kind{syncOK}}
		a.view.Game = begin(t, maze+"; turn 5; score rat:1.5 python:0.5; mud_timers rat:0 python:0; mud_targets rat:- python:-").
			Position.(*rules.Position)
		a.command("gameover " + word + " score:1.5-0.5")
		payload, err := readFrame(&sent)
		if err != nil {
			t.Fatal(err)
		}
		kind, fields := hostFrame(t, payload)
		rat, _ := fields.float(1)
		python, _ := fields.float(2)
		if kind != gameOver || fields.number(0, 1) != want || rat != 1.5 || python != 0.5 {
			t.Errorf("%s: message %d, result %d, %v to %v", word, kind, fields.number(0, 1), rat, python)
		}
	}
}

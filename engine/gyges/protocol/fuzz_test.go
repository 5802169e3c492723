package protocol

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gyges/rules"
)

func TestProtocolTable(t *testing.T) { gametest.Protocol(t, ".", 40) }

// A layout that can be read is written again, and has moves or an outcome.
func FuzzLayout(f *testing.F) {
	for _, seed := range []string{
		rules.LayoutStart + " 1", rules.LayoutBench + " 2", "start", "test 2", "data " + rules.LayoutTest + " 1",
		"000000/000000/000000/000000/222033/111123 2 goal:1", "303030/222211/000001/130000/000000/000000 1", "//// 3",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := rules.Default().Parse(text)
		if err != nil {
			return
		}
		again, err := rules.Default().Parse(p.String())
		if err != nil || again.String() != p.String() {
			t.Errorf("%q is written as %q: %v", text, p, err)
		}
		if (p.ToMove() == 0) == (len(p.Moves(game.First))+len(p.Moves(game.Second)) > 0) {
			t.Errorf("%s: to move %d", p, p.ToMove())
		}
	})
}

// A move is legal if and only if it is listed. An illegal one has a reason.
func FuzzMove(f *testing.F) {
	for _, move := range []string{"0|8", "0|1|9", "100|100|100", "0|37", "0|0|0", "null", "0||1", "-1|2"} {
		f.Add("start 1", move)
		f.Add("bench 2", move)
	}
	f.Fuzz(func(t *testing.T, text, move string) {
		p, err := rules.Default().Parse(text)
		if err != nil || p.ToMove() == 0 {
			return
		}
		listed := false
		for _, m := range p.Moves(p.ToMove().Only()) {
			listed = listed || m == move
		}
		_, err = p.Play(game.By(p.ToMove().Only(), move))
		if (err == nil) != listed {
			t.Errorf("%s %q: listed is %v, but %v", p, move, listed, err)
		}
		if err != nil && !strings.Contains(err.Error(), ":") {
			t.Errorf("%v gives no reason", err)
		}
	})
}

// The engine ends in time on any input, and prints whole lines.
func FuzzServer(f *testing.F) {
	f.Add([]byte("ugi\nisready\nsetpos bench\nsetoption maxPly 2\ngo\nstop\nquit\n"))
	f.Add([]byte("setoption MaxTime 0.01\r\ngo\r\ngo\nshowpos"))
	f.Add([]byte("setpos data 321123/000000/000000/000000/000000/321123\nstop\nstop\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		low := bytes.ToLower(in)
		if bytes.Contains(low, []byte("hash")) || bytes.Contains(low, []byte("threads")) {
			return // gigabytes and threads on request
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		var out bytes.Buffer
		if err := (Player{}).Serve(ctx, nil, bytes.NewReader(in), &out, io.Discard); err != nil || ctx.Err() != nil {
			t.Errorf("%v, %v", err, ctx.Err())
		}
		if said := out.String(); !strings.HasPrefix(said, banner+"\n") || !strings.HasSuffix(said, "\n") {
			t.Errorf("said %q", said)
		}
	})
}

// Whatever an engine prints, the client ends with a reply or an error.
func FuzzClient(f *testing.F) {
	f.Add("info ply 1 bestmove 0|8 score 5 nodes 7 nps 1 time 0.1 pv 0|8\nbestmove 0|8 score 3")
	f.Add("bestmove\nbestmove null")
	f.Add("readyok\n\x00\nbestmove 100|100|100")
	f.Fuzz(func(t *testing.T, said string) {
		conn := helios(strings.Split(said, "\n")...)
		for _, seat := range []game.Seat{game.First, game.Second} {
			s := dial(t, conn, game.Options{})
			reply, err := askAt(t, s, seat, game.Ask{Line: game.Begin(parse(t, "start "+string('0'+rune(seat))))})
			if err == nil && reply.Resigned == (reply.Move != "") {
				t.Errorf("reply %+v", reply)
			}
		}
	})
}

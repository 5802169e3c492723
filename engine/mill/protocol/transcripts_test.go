package protocol_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"thera/engine/mill/protocol"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/mill"
	"thera/engine/mill/rules"
)

// tape is a recorded session that also answers those isready that the recording
// does not have: the client fences late answers with it.
type tape struct {
	*gametest.Script
	extra [][]byte
}

func (c *tape) Send(line []byte) error {
	deaf := len(c.Unmatched)
	err := c.Script.Send(line)
	if len(c.Unmatched) > deaf && string(line) == "isready" {
		c.extra = append(c.extra, []byte("readyok"))
	}
	return err
}

func (c *tape) Recv(ctx context.Context) ([]byte, error) {
	if line, ok := c.Script.Pending(); ok {
		return line, nil
	}
	if len(c.extra) > 0 {
		line := c.extra[0]
		c.extra = c.extra[1:]
		return line, nil
	}
	return c.Script.Recv(ctx)
}

// sameQuestion matches what the referee sends with what was recorded: all
// words after go are limits.
func sameQuestion(recorded, sent string) bool {
	isGo := func(text string) bool { return text == "go" || strings.HasPrefix(text, "go ") }
	if isGo(recorded) && isGo(sent) {
		return true
	}
	if recorded == "quit" && sent == "stop" {
		return true // either ends the search and makes it answer
	}
	return strings.Join(strings.Fields(recorded), " ") == strings.Join(strings.Fields(sent), " ")
}

// unpipe sorts answers to commands that were sent together after their questions:
// the engine read them late and did not answer late.
func unpipe(recorded *gametest.Transcript) {
	ends := map[string]string{"uci": "uciok", "isready": "readyok"}
	var out []gametest.Entry
	for rest := recorded.Entries; len(rest) > 0; {
		sends := slices.IndexFunc(rest, func(e gametest.Entry) bool { return e.Mark != gametest.Sent })
		if sends < 0 {
			sends = len(rest)
		}
		said := rest[sends:]
		if n := slices.IndexFunc(said, func(e gametest.Entry) bool { return e.Mark == gametest.Sent }); n >= 0 {
			said = said[:n]
		}
		next := rest[sends+len(said):]
		for _, e := range rest[:sends] {
			out = append(out, e)
			last, ok := ends[e.Text]
			if at := slices.IndexFunc(said, func(e gametest.Entry) bool { return e.Text == last }); ok && at >= 0 {
				out = append(out, said[:at+1]...)
				said = said[at+1:]
			}
		}
		out = append(out, said...)
		rest = next
	}
	recorded.Entries = out
}

func TestTranscripts(t *testing.T) {
	gametest.Transcripts(t, "../testdata/transcripts", func(t *testing.T, path string) gametest.Verdict {
		recorded, err := gametest.ReadTranscript(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(recorded.Sends()) == 0 {
			t.Fatalf("%s: nothing was sent", filepath.Base(path))
		}
		unpipe(recorded)
		r := &referee{conn: &tape{Script: recorded.Play(sameQuestion)}}
		r.replay(recorded.Sends())
		return gametest.Verdict{
			Verdict: r.verdict(), Reason: strings.Join(r.notes, "; "), Moves: r.moves,
			Passed: len(r.conn.PassedLines()), Warnings: len(r.conn.Warnings()),
		}
	})
}

// referee asks what a recording asked, as a match would: an illegal move ends
// it before the engine is asked, and a finished game asks nobody.
type referee struct {
	conn    *tape
	session game.Session
	history *game.History
	notes   []string
	moves   int
	faults  int
	refused int
}

func (r *referee) verdict() string {
	switch {
	case r.faults > 0:
		return "fault"
	case r.refused > 0:
		return "refused"
	}
	return "ok"
}

func (r *referee) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

func (r *referee) replay(sends []string) {
	ctx := context.Background()
	dialect := mill.New().Dialects()[0]
	if sends[0] == "uci" {
		session, info, err := dialect.Dial(ctx, r.conn, game.Options{})
		if err != nil {
			r.faults++
			r.note("handshake: %v", err)
			return
		}
		r.session = session
		r.note("%s by %s, %d options", info.Name, info.Author, len(info.Options))
	} else {
		r.session = protocol.Undialled(r.conn)
	}
	for _, line := range sends {
		r.conn.Arm()
		switch {
		case strings.HasPrefix(line, "position "):
			r.position(line)
		case line == "ucinewgame":
			r.fault(r.session.Seat(ctx, game.First, nil))
		case line == "go" || strings.HasPrefix(line, "go "):
			r.ask(ctx)
		}
	}
}

// position replays a recorded command by the rules.
func (r *referee) position(line string) {
	r.history = nil
	setup, moves, _ := strings.Cut(strings.TrimPrefix(line, "position "), " moves ")
	setup = strings.TrimPrefix(setup, "fen ")
	if setup == "startpos" {
		setup = rules.StartFEN
	}
	pos, err := mill.New().Parse(setup)
	if err != nil {
		r.refused++
		r.note("refused: %v", err)
		return
	}
	at := game.Begin(pos)
	for _, move := range strings.Fields(moves) {
		turn := game.By(game.First, move)
		if s := at.Position.ToMove().Only(); s != game.None {
			turn = game.By(s, move)
		}
		next, err := at.Play(turn)
		if err != nil {
			r.refused++
			r.note("refused: ply %d: %v", at.Ply+1, err)
			if outcome, over := at.Position.Outcome(); over {
				r.note("over: winner %d, %s", outcome.Winner, outcome.Reason)
			}
			return
		}
		at = next
	}
	r.history = at
}

func (r *referee) ask(ctx context.Context) {
	if r.history == nil {
		return
	}
	if outcome, over := r.history.Position.Outcome(); over {
		r.note("not asked: winner %d, %s", outcome.Winner, outcome.Reason)
		return
	}
	if r.fault(r.session.Sync(ctx, r.history)) {
		return
	}
	reply, err := gametest.Go(ctx, r.session, game.Ask{History: r.history})
	if r.fault(err) {
		return
	}
	if _, err := r.history.Play(game.By(r.history.Position.ToMove().Only(), reply.Move)); r.fault(err) {
		return
	}
	r.moves++
	r.note("%s %d", reply.Move, reply.Score)
}

func (r *referee) fault(err error) bool {
	if err == nil {
		return false
	}
	r.faults++
	var fault *game.Fault
	if errors.As(err, &fault) {
		r.note("fault: %s", fault.Kind)
	} else {
		r.note("fault: %v", err)
	}
	return true
}

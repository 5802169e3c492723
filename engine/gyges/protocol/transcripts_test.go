package protocol

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gyges/player"
	"thera/engine/gyges/rules"
)

// stage is a recorded engine that also answers the handshake and isready where
// the recording has none.
type stage struct {
	*gametest.Script
	sends   []string // of the recording, from where it stands
	skipped int      // recorded searches that it passed over
	extra   [][]byte
}

func (s *stage) Send(line []byte) error {
	text := string(line)
	at := -1
	for i, recorded := range s.sends {
		if recorded == text {
			at = i
			break
		}
		if recorded == "go" && text == "isready" {
			break // a later isready belongs to something else
		}
	}
	switch {
	case text == "ugi":
		s.extra = append(s.extra, []byte("option maxPly"), []byte("option maxTime"), []byte("ugiok"))
	case text == "isready" && at < 0:
		s.extra = append(s.extra, []byte("readyok"))
	case text == "isready", text == "go", text == "stop":
		if at >= 0 {
			for _, recorded := range s.sends[:at] {
				if recorded == "go" {
					s.skipped++
				}
			}
			s.sends = s.sends[at+1:]
		}
		return s.Script.Send(line)
	}
	return nil
}

func (s *stage) Recv(ctx context.Context) ([]byte, error) {
	if line, ok := s.Script.Pending(); ok {
		return line, nil
	}
	if len(s.extra) > 0 {
		line := s.extra[0]
		s.extra = s.extra[1:]
		return line, nil
	}
	return s.Script.Recv(ctx)
}

// TestTranscripts referees every search of each recorded session: the
// recorded position is set, the recorded engine answers, and its move is
// played. Positions that this referee would never ask about are listed.
func TestTranscripts(t *testing.T) {
	gametest.Transcripts(t, "../testdata/transcripts", func(t *testing.T, path string) gametest.Verdict {
		recorded, err := gametest.ReadTranscript(path)
		if err != nil {
			t.Fatal(err)
		}
		conn := &stage{Script: recorded.Play(nil), sends: recorded.Sends()}
		ctx := context.Background()
		opened, _, err := Dialect{}.Dial(ctx, conn, game.Options{})
		var fault *game.Fault
		if errors.As(err, &fault) {
			return gametest.Verdict{Verdict: "fault", Reason: "at the start: " + fault.Error()}
		}
		if err != nil {
			t.Fatal(err)
		}
		r := recording{t: t, conn: conn, session: opened.(*session), layout: rules.LayoutStart, verdict: gametest.Verdict{Verdict: "ok"}}
		if err := opened.Seat(ctx, game.First, nil); err != nil {
			t.Fatal(err)
		}
		for _, sent := range recorded.Sends() {
			if !r.follow(ctx, strings.Fields(sent)) {
				break
			}
		}
		r.verdict.Reason = strings.Join(r.reasons, "; ")
		r.verdict.Passed, r.verdict.Warnings = len(conn.PassedLines()), len(conn.Warnings())
		return r.verdict
	})
}

type recording struct {
	t       *testing.T
	conn    *stage
	session *session
	layout  string
	ask     game.Ask
	verdict gametest.Verdict
	reasons []string
}

// follow does what the recorded line asks for; false ends the session.
func (r *recording) follow(ctx context.Context, words []string) bool {
	switch {
	case len(words) == 3 && words[0] == "setpos" && words[1] == "data":
		r.layout = words[2]
	case len(words) == 2 && words[0] == "setpos":
		r.layout = words[1]
	case len(words) == 3 && words[1] == player.OptionPly:
		r.ask.Depth, _ = strconv.Atoi(words[2])
	case len(words) == 3 && words[1] == player.OptionTime:
		s, _ := strconv.ParseFloat(words[2], 64)
		r.ask.Time = time.Duration(s * float64(time.Second))
	case len(words) == 1 && words[0] == "go":
		return r.goAsk(ctx)
	}
	return true
}

func (r *recording) goAsk(ctx context.Context) bool {
	if r.conn.skipped > 0 {
		r.conn.skipped--
		r.reasons = append(r.reasons, "not asked: a second go during a search")
		return true
	}
	pos, err := rules.Default().Parse(r.layout + " 1")
	if err == nil && pos.ToMove() == 0 {
		o, _ := pos.Outcome()
		err = fmt.Errorf("%s: player %d wins: %s", r.layout, o.Winner, o.Reason)
	}
	if err != nil {
		r.reasons = append(r.reasons, "not asked: "+err.Error())
		_ = r.conn.Send([]byte("go")) // the recording moves on
		for _, more := r.conn.Pending(); more; _, more = r.conn.Pending() {
			r.verdict.Passed++
		}
		return true
	}
	r.ask.History = game.Begin(pos)
	r.conn.Arm()
	if err := r.session.Sync(ctx, r.ask.History); err != nil {
		r.t.Fatal(err)
	}
	r.conn.Arm()
	reply, err := gametest.Go(ctx, r.session, r.ask)
	var fault *game.Fault
	switch {
	case errors.As(err, &fault):
		r.verdict.Verdict = "fault"
		r.reasons = append(r.reasons, fault.Error())
		return false
	case err != nil:
		r.t.Fatal(err)
	case reply.Resigned:
		r.verdict.Verdict = "resigned"
		r.reasons = append(r.reasons, "resigned in "+r.layout)
		return true
	}
	if _, err := r.ask.History.Play(game.By(game.First, reply.Move)); err != nil {
		r.verdict.Verdict = "fault"
		r.reasons = append(r.reasons, err.Error())
		return false
	}
	if !reply.Known {
		r.t.Errorf("move %s of depth %d came without a score", reply.Move, reply.Depth)
	}
	r.verdict.Moves++
	return true
}

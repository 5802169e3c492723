package protocol

import (
	"errors"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/pyrat/rules"
)

// TestTranscripts hosts the recorded sessions of real clients.
func TestTranscripts(t *testing.T) {
	gametest.Transcripts(t, "../testdata/transcripts", host)
}

// host runs the recorded game through the session and plays the other player's
// recorded moves.
func host(t *testing.T, path string) gametest.Verdict {
	t.Helper()
	transcript, err := gametest.ReadTranscript(path)
	if err != nil {
		t.Fatal(err)
	}
	// The host's lines differ from the recorder's only in numbers.
	conn := &hasty{Script: transcript.Play(func(recorded, sent string) bool {
		word := func(line string) string { first, _, _ := strings.Cut(line, " "); return first }
		return word(recorded) == word(sent)
	}), entries: transcript.Entries}
	v := gametest.Verdict{Verdict: "ok"}
	fail := func(err error) gametest.Verdict {
		var fault *game.Fault
		if !errors.As(err, &fault) {
			t.Fatal(err)
		}
		v.Verdict, v.Reason = "fault", fault.Error()
		v.Passed, v.Warnings = len(conn.PassedLines()), len(conn.Warnings())
		return v
	}
	dialled, _, err := Dialect{}.Dial(t.Context(), conn, game.Options{})
	if err != nil {
		return fail(err)
	}
	s := dialled.(*session)
	s.moveTime, s.preprocessing, s.postprocessing = 200*time.Millisecond, 500*time.Millisecond, 300*time.Millisecond
	games := recordedGames(t, transcript)
	if len(games) == 0 {
		t.Fatal("no game in it")
	}
	for _, g := range games {
		history, done, err := g.play(t, s, conn)
		v.Moves += done
		if err != nil {
			return fail(err)
		}
		if outcome, over := history.Position.Outcome(); over {
			conn.Arm()
			if err := s.End(t.Context(), history, outcome); err != nil {
				return fail(err)
			}
		}
	}
	v.Passed, v.Warnings = len(conn.PassedLines()), len(conn.Warnings())
	return v
}

// hasty is a script whose recorder sent more lines before the answer to go
// arrived; it sends the same.
type hasty struct {
	*gametest.Script
	entries []gametest.Entry
}

func (h *hasty) Send(line []byte) error {
	if err := h.Script.Send(line); err != nil || string(line) != "go" {
		return err
	}
	for i, e := range h.entries {
		if e.Mark != gametest.Sent || e.Text != "go" {
			continue
		}
		rest := h.entries[i+1:]
		h.entries = rest
		for _, next := range rest {
			if next.Mark != gametest.Sent || next.Text != "isready" && next.Text != "stop" {
				break
			}
			if err := h.Script.Send([]byte(next.Text)); err != nil {
				return err
			}
		}
		break
	}
	return nil
}

// recordedGame is the part of one game that was sent.
type recordedGame struct {
	reader   *rules.Reader
	recovery *recovery
	seat     game.Seat
	turns    []game.Turn // after each go
	goes     int
}

// recordedGames reads what the recorder sent.
func recordedGames(t *testing.T, transcript *gametest.Transcript) []*recordedGame {
	t.Helper()
	var games []*recordedGame
	var g *recordedGame
	for _, line := range transcript.Sends() {
		w := strings.Fields(line)
		switch w[0] {
		case "newgame", "recover":
			g = &recordedGame{reader: rules.NewReader(rules.Default()), seat: game.Second}
			if w[0] == "recover" {
				g.recovery = &recovery{}
			}
			games = append(games, g)
		case "maze", "walls", "mud", "cheese", "player1", "player2":
			if w[0] == "mud" { // no board has mud 1: it makes this client end
				line = strings.ReplaceAll(line+" ", ":1 ", ":2 ")
			}
			if _, err := g.reader.Read(line); err != nil {
				t.Fatal(err)
			}
		case "youare":
			if w[1] == "rat" {
				g.seat = game.First
			}
		case "moves_history", "current_position", "score":
			if err := g.recovery.read(g.reader, w[0], w[1:], line); err != nil {
				t.Fatal(err)
			}
		case "go":
			g.goes++
		case "moves":
			pair, err := rules.ParsePair(w[1:])
			if err != nil {
				t.Fatal(err)
			}
			x, _ := rules.ParseMove(pair[0])
			y, _ := rules.ParseMove(pair[1])
			if g.goes > 0 {
				g.turns = append(g.turns, game.Turn{x.Letter(), y.Letter()})
			}
		}
	}
	return games
}

// play plays one recorded game and returns how many moves were accepted.
func (g *recordedGame) play(t *testing.T, s *session, conn *hasty) (*game.History, int, error) {
	t.Helper()
	g.reader.Optional("walls", "mud", "player1", "player2") // some sessions lack them
	start, err := g.reader.Position()
	if err != nil {
		t.Fatal(err)
	}
	history := game.Begin(start)
	if g.recovery != nil {
		for _, turn := range g.recovery.history {
			if history, err = history.Play(game.Turn{turn[0].Letter(), turn[1].Letter()}); err != nil {
				t.Fatal(err)
			}
		}
	}
	conn.Arm()
	if err := s.Seat(t.Context(), g.seat, history); err != nil {
		return history, 0, err
	}
	moves := 0
	for n := range g.goes {
		if _, over := history.Position.Outcome(); over {
			break
		}
		conn.Arm()
		if err := s.Sync(t.Context(), history); err != nil {
			return history, moves, err
		}
		conn.Arm()
		reply, err := gametest.Go(t.Context(), s, game.Ask{History: history, Time: 200 * time.Millisecond})
		if err != nil {
			return history, moves, err
		}
		moves++
		turn := game.Turn{"S", "S"}
		if n < len(g.turns) {
			turn = g.turns[n]
		}
		turn[g.seat.Index()] = reply.Move
		if history, err = history.Play(turn); err != nil {
			t.Fatal(err)
		}
	}
	return history, moves, nil
}

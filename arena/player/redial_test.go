//go:build unix

package player

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// mute is a dialect without a word for ready and with an argument, which gives its engines few
// answers.
type mute struct {
	game.Dialect
	instead []game.Dialect
	unfit   error // it cannot play the game
	answers int   // that it gives before
}

func (mute) Args(game.Seat) []string { return []string{"colour"} }

func (m mute) Instead(*game.Fault) []game.Dialect { return m.instead }

func (m mute) Dial(_ context.Context, conn game.Conn, _ game.Options) (game.Session, game.Info, error) {
	return &muteSession{conn: conn, mute: m}, game.Info{Protocol: "mute", Silent: true}, nil
}

type muteSession struct {
	game.Session
	conn game.Conn
	mute
}

func (s *muteSession) Fits(game.Position) error { return s.unfit }

func (s *muteSession) Seat(context.Context, game.Seat, *game.History) error {
	return s.conn.Send([]byte("hello"))
}

func (*muteSession) Sync(context.Context, *game.History) error { return nil }

func (*muteSession) Ask(game.Ask) error { return nil }

func (s *muteSession) Answer(context.Context) (game.Reply, error) {
	if s.answers > 0 {
		s.answers--
		return game.Reply{Move: "1"}, nil
	}
	return game.Reply{}, game.Protocolf("not my words")
}

// choosy refuses to begin.
type choosy struct{ game.Dialect }

func (choosy) Dial(context.Context, game.Conn, game.Options) (game.Session, game.Info, error) {
	return nil, game.Info{}, errors.New("no such option")
}

// An engine that ends or complains before its first answer is started again in another dialect,
// and in that from then on. Where none fits, its first fault stands.
func TestRedial(t *testing.T) {
	other := nim.New(21).Dialects()[0]
	for _, tt := range []struct {
		name, script string
		instead      []game.Dialect
		want         string // the error; "" for a move
	}{
		{"takes no argument", `[ $# = 0 ] || exit 4; exec "$0"`, []game.Dialect{other}, ""},
		{"takes any", `exec "$0"`, []game.Dialect{other}, ""},
		{"the second fits", `exec "$0"`, []game.Dialect{mute{}, other}, "not my words"}, // mute begins, and then has no other
		{"ends in all", `echo bye >&2; exit 4`, []game.Dialect{other, other}, "exited: 4"},
		{"refuses to begin", `[ $# = 0 ] || exit 4; exec "$0"`, []game.Dialect{choosy{other}}, "no such option"},
		{"cannot play this game", `exec "$0"`, []game.Dialect{mute{unfit: errors.New("no such option")}}, "no such option"},
		{"has answered", `exec "$0"`, []game.Dialect{other}, "not my words"},
		{"there is no other", `exec "$0"`, nil, "not my words"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, pos := nimPlayer(t, "none")
			p.spec.Command = []string{"sh", "-c", tt.script, p.spec.Command[0]}
			first := mute{Dialect: other, instead: tt.instead}
			if tt.name == "has answered" {
				first.answers = 1
			}
			p.dialect = first
			at, answer := game.Begin(pos), Answer{}
			err := p.Start(t.Context(), pos)
			if err == nil {
				err = p.Seat(t.Context(), game.First, at)
			}
			for range first.answers + 1 {
				if err != nil {
					break
				}
				answer, err = p.Go(t.Context(), game.Ask{History: at, Time: time.Second}, Limits{Soft: time.Minute, Hard: 2 * time.Minute})
			}
			switch {
			case tt.want != "":
				if err == nil || !strings.Contains(err.Error(), tt.want) || errors.As(err, new(*Unfit)) != (tt.want == "no such option") {
					t.Errorf("%v, want %s", err, tt.want)
				}
				if tt.want == "exited: 4" && (p.Stderr() != "bye\n" || p.Conn() == nil || p.Alive()) {
					t.Errorf("stderr %q, alive %v", p.Stderr(), p.Alive())
				}
				return
			case err != nil || answer.Move != "1" || p.Info().Protocol == "mute":
				t.Fatalf("%+v, %v, %+v", answer, err, p.Info())
			}
			if err := p.Start(t.Context(), pos); err != nil || p.Info().Protocol == "mute" {
				t.Errorf("again: %v, %+v", err, p.Info())
			}
		})
	}
}

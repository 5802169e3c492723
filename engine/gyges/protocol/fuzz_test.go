package protocol

import (
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
)

func TestProtocolTable(t *testing.T) { gametest.Protocol(t, ".", 24) }

// Whatever an engine prints, the client ends with a reply or an error.
func FuzzClient(f *testing.F) {
	f.Add("info ply 1 bestmove 0|8 score 5 nodes 7 nps 1 time 0.1 pv 0|8\nbestmove 0|8 score 3")
	f.Add("bestmove\nbestmove null")
	f.Add("readyok\n\x00\nbestmove 100|100|100")
	f.Fuzz(func(t *testing.T, said string) {
		conn := helios(strings.Split(said, "\n")...)
		for _, seat := range []game.Seat{game.First, game.Second} {
			s := dial(t, conn, game.Options{})
			reply, err := askAt(t, s, seat, game.Ask{History: game.Begin(parse(t, "start "+string('0'+rune(seat))))})
			if err == nil && reply.Resigned == (reply.Move != "") {
				t.Errorf("reply %+v", reply)
			}
		}
	})
}

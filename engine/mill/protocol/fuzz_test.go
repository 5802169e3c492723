package protocol

import (
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/mill/rules"
)

// FuzzReadLine checks that a line means the same for both sides, except for the
// score, and that an answer is one word.
func FuzzReadLine(f *testing.F) {
	f.Add("info depth 4 score cp -3 nodes 3641 bestmove d2")
	f.Add("info score 4 bestmove b4")
	f.Add("info score mate -0 pv a1 b2")
	f.Add("bestmove d6 ponder d5")
	f.Add("info string bestmove a1")
	f.Fuzz(func(t *testing.T, line string) {
		var first, second game.SearchInfo
		w := readLine(line, rules.White, &first)
		b := readLine(line, rules.Black, &second)
		if w != b || first.Depth != second.Depth || first.Nodes != second.Nodes || first.PV != second.PV || first.Known != second.Known {
			t.Fatalf("%q: %+v %+v, %+v %+v", line, w, first, b, second)
		}
		if strings.ContainsAny(w.move, " \t\r\n") || w.move != "" && !w.answered {
			t.Fatalf("%q: answer %+v", line, w)
		}
		if m, ok := rules.ParseMove(w.move); ok && m.String() != w.move {
			t.Fatalf("%q: move %s", line, m)
		}
	})
}

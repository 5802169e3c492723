package protocol

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/mill/rules"
)

// engineLine matches every line that the engine may print.
var engineLine = regexp.MustCompile(`^(readyok|uciok|id (name|author) .+|option name .+|info (string |depth \d+ score (cp|mate) -?\d+ nodes |currmove ).*|bestmove (-|x?[a-g][1-7]|[a-g][1-7]-[a-g][1-7]))$`)

// FuzzCommands checks that no input ends the engine before quit, makes it answer
// more often than it was asked, or makes it print a line outside the protocol.
func FuzzCommands(f *testing.F) {
	f.Add([]byte("uci\nisready\nucinewgame\nposition startpos moves a1 d1\ngo depth 2\nstop\n"))
	f.Add([]byte("position fen O@OO*@OO/O**@O*@@/@*@O@@*O b m s 9 0 9 0 0 0 0 0 0 0 0 9 14 moves c3-d3 e4-f4\rgo nodes 100\r\nstop\rstop\n"))
	f.Add([]byte("setoption name Algorithm value 1\ngo infinite\nisready\ndebug on\nxyz\nposition fen bad\n"))
	f.Add([]byte("setoption name IDS value false\ngo searchmoves a1 zz depth 1 wtime 5 btime 5\nsetoption name Seed value 9\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		// These allocate gigabytes and create files.
		for _, name := range []string{"Hash"} {
			text = bytes.ReplaceAll(text, []byte(name), []byte(strings.ToLower(name)))
		}
		text = append([]byte("setoption name Hash value 1\n"), text...)
		var out bytes.Buffer
		if err := (Player{}).Serve(context.Background(), nil, io.MultiReader(bytes.NewReader(text), strings.NewReader("\nisready\nquit\n")), &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		answers := 0
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			if !engineLine.MatchString(line) {
				t.Fatalf("said %q", line)
			}
			if strings.HasPrefix(line, "bestmove") {
				answers++
			}
		}
		asked := bytes.Count(text, []byte("go")) + bytes.Count(text, []byte("stop"))
		if answers > asked {
			t.Fatalf("%d answers to %d questions: %s", answers, asked, out.String())
		}
		quit := regexp.MustCompile(`(^|[\r\n])[ \t]*quit`).Match(text)
		if !quit && !strings.Contains(out.String(), "readyok\n") {
			t.Fatal("the last isready got no answer")
		}
	})
}

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

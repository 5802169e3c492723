package protocol

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"thera/engine/hex/rules"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/protocol"
)

// TestTranscripts referees the recorded sessions, which come in three kinds:
// what two bots answered to a central program, what a bot answered to lines,
// and the moves that a central program printed.
func TestTranscripts(t *testing.T) {
	gametest.Transcripts(t, "../testdata/transcripts", func(t *testing.T, path string) gametest.Verdict {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		switch {
		case strings.HasPrefix(text, "# size "):
			return hostBots(t, text)
		case strings.HasPrefix(text, "$ main.py "):
			return askServer(t, text)
		}
		return judgePrinted(t, text)
	})
}

var scripts = regexp.MustCompile(`^# size (\d+); black replies: (.*) ; white replies: (.*) ; central stdin:`)

// hostBots plays a game between two bots that answer as recorded.
func hostBots(t *testing.T, text string) gametest.Verdict {
	m := scripts.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no scripts in %q", protocol.Clip(text))
	}
	size, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	g := sized(size, strings.Contains(m[2]+m[3], rules.SwapWord))
	history := game.Begin(g.Empty())
	ctx := context.Background()
	conns := [2]*recorded{{scripted: scripted{replies: replies(m[2])}}, {scripted: scripted{replies: replies(m[3])}}}
	var sessions [2]*session
	for i := range sessions {
		sessions[i] = open(t, g, 2, conns[i], game.Seat(i+1), history)
	}
	v := gametest.Verdict{Verdict: "ok", Reason: "the script ends"}
	for history.Position.ToMove() != 0 {
		seat := history.Position.ToMove().Only()
		for _, s := range sessions {
			if err := s.Sync(ctx, history); err != nil {
				t.Fatal(err)
			}
		}
		if len(conns[seat.Index()].replies) == 0 {
			break
		}
		reply, err := gametest.Go(ctx, sessions[seat.Index()], game.Ask{History: history})
		if err == nil {
			history, err = next(history, reply.Move, seat, &v)
		}
		if err != nil {
			v.Verdict, v.Reason = "fault", err.Error()
			break
		}
	}
	if o, over := history.Position.Outcome(); over {
		v.Reason = history.Position.(*rules.Position).Winner().String() + " wins: " + o.Reason
	}
	for i, s := range sessions {
		s.Drain(s.late)
		v.Passed += len(conns[i].Unused)
		v.Warnings += len(conns[i].Warnings)
	}
	return v
}

// next plays a move; an illegal one leaves the history unchanged.
func next(history *game.History, move string, seat game.Seat, v *gametest.Verdict) (*game.History, error) {
	after, err := history.Play(game.By(seat, move))
	if err != nil {
		return history, err
	}
	v.Moves++
	return after, nil
}

// recorded is a scripted bot that may also exit or hang.
type recorded struct {
	scripted
	exited bool
}

func (r *recorded) Recv(ctx context.Context) ([]byte, error) {
	line, err := r.scripted.Recv(ctx)
	if err == nil && string(line) == "EXIT" {
		r.exited = true
	}
	if r.exited {
		return nil, &game.Fault{Kind: game.FaultExited, Detail: "recorded"}
	}
	if err == nil && string(line) == "HANG" {
		return r.Recv(ctx)
	}
	return line, err
}

// replies splits the recorded answers, one for each make_move. A doubled
// backslash separates the lines of one answer.
func replies(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	const inner = "\x00"
	text = strings.ReplaceAll(text, `\\n`, inner)
	var list []string
	for _, reply := range strings.Split(strings.TrimSuffix(text, `\n`), `\n`) {
		list = append(list, strings.NewReplacer(inner, "\n", `\r`, "\r").Replace(reply))
	}
	return list
}

// askServer sends our bot the lines that a real one received and compares the
// answers: both must be moves, or boards with the same stones.
func askServer(t *testing.T, text string) gametest.Verdict {
	head, rest, _ := strings.Cut(text, "\n")
	asked, said, ok := strings.Cut("\n"+rest, "--- stdout:\n")
	said, _, _ = strings.Cut(said, "[exit ")
	if !ok {
		t.Fatal("no stdout")
	}
	var in strings.Builder
	for _, line := range strings.Split(asked, "\n") {
		if strings.HasPrefix(line, ">") {
			in.WriteString(strings.TrimPrefix(strings.TrimPrefix(line, ">"), " ") + "\n")
		}
	}
	colour := strings.Fields(head)[2]
	args := []string{colour, "--playouts", "50", "--swap"}
	var out bytes.Buffer
	if err := (Player{}).Serve(context.Background(), args, strings.NewReader(in.String()), &out, io.Discard); err != nil {
		return gametest.Verdict{Verdict: "refused", Reason: err.Error()}
	}
	v := gametest.Verdict{Verdict: "ok"}
	theirs, ours := strings.Fields(said), strings.Fields(out.String())
	if strings.HasPrefix(said, "usage:") {
		return gametest.Verdict{Verdict: "ok", Reason: "theirs refuses the colour " + colour + ", ours knows the text's names"}
	}
	for i := range max(len(theirs), len(ours)) {
		a, b := at(theirs, i), at(ours, i)
		switch {
		case a == rules.SwapWord && isMove(b) && b != rules.SwapWord:
			v.Moves++
			v.Reason = "theirs swaps a weak stone, ours plays on"
			return v
		case a == b, isMove(a) && isMove(b):
		case strings.HasSuffix(a, "|") && len(a) == len(b) && strings.Count(a, ".") == strings.Count(b, "."):
		default:
			v.Verdict, v.Reason = "differs", "theirs says "+a+", ours "+b
			return v
		}
		if isMove(b) {
			v.Moves++
		}
	}
	return v
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}

var (
	printedSize = regexp.MustCompile(`matchup (\d+) `)
	printedMove = regexp.MustCompile(`(?m)^(?:Black|White)'s move: (\S+)$`)
	printedWin  = regexp.MustCompile(`(?m)^(Black|White) has won`)
)

// judgePrinted judges the game that a central program printed.
func judgePrinted(t *testing.T, text string) gametest.Verdict {
	size := printedSize.FindStringSubmatch(text)
	moves := printedMove.FindAllStringSubmatch(text, -1)
	if size == nil || len(moves) == 0 {
		return gametest.Verdict{Verdict: "ok", Reason: "no game in it"}
	}
	words := []string{size[1]}
	swap := false
	for _, m := range moves {
		words = append(words, m[1])
		swap = swap || m[1] == rules.SwapWord
	}
	n, err := strconv.Atoi(size[1])
	if err != nil {
		t.Fatal(err)
	}
	p, err := sized(n, swap).Parse(strings.Join(words, " "))
	if err != nil {
		return gametest.Verdict{Verdict: "fault", Reason: err.Error()}
	}
	v := gametest.Verdict{Verdict: "ok", Moves: len(moves), Reason: "not over"}
	if o, over := p.Outcome(); over {
		v.Reason = p.Winner().String() + " wins: " + o.Reason
	}
	if won := printedWin.FindStringSubmatch(text); won != nil && !strings.HasPrefix(v.Reason, strings.ToLower(won[1])) {
		return gametest.Verdict{Verdict: "differs", Reason: "theirs says " + won[0] + ", ours " + v.Reason}
	}
	return v
}

func TestProtocolTable(t *testing.T) { gametest.Protocol(t, ".", 22) }

// A position that can be read is written again. A move is legal if and only if
// it is listed.
func FuzzPosition(f *testing.F) {
	f.Add("11 a1 swap b2", "c3")
	f.Add("2 a1 b2 b1", "a2")
	f.Add("26", "z26")
	f.Add("5 a01", "A1")
	f.Fuzz(func(t *testing.T, text, move string) {
		g := sized(11, true)
		p, err := g.Parse(text)
		if err != nil {
			return
		}
		if again, err := g.Parse(p.String()); err != nil || p.String() != text || again.String() != text {
			t.Errorf("%q is written as %q: %v", text, p, err)
		}
		seat := p.ToMove().Only()
		listed := false
		for _, m := range p.Moves(seat) {
			listed = listed || m == move
		}
		_, err = p.Play(game.Turn{move, move})
		var illegal *game.Illegal
		if (err == nil) != listed || err != nil && !errors.As(err, &illegal) {
			t.Errorf("%s %q: listed is %v, but %v", p, move, listed, err)
		}
	})
}

// The engine ends on any input, and prints whole lines.
func FuzzServer(f *testing.F) {
	f.Add([]byte("init_board 4\n\nseto a1\n\nmake_move\nswap\nshow_board\ncheck_win\nquit\n"))
	f.Add([]byte("sety a1\nseto a1\nunset a1\nmake_move"))
	f.Fuzz(func(t *testing.T, in []byte) {
		if bytes.Contains(in, []byte("option")) {
			return // minutes of search on request
		}
		var out bytes.Buffer
		if err := (Player{}).Serve(context.Background(), []string{"--playouts=1"}, bytes.NewReader(in), &out, io.Discard); err != nil {
			t.Error(err)
		}
		if said := out.String(); said != "" && !strings.HasSuffix(said, "\n") {
			t.Errorf("said %q", said)
		}
	})
}

// Whatever a bot prints, the client ends with a move or an error.
func FuzzClient(f *testing.F) {
	f.Add("b2", "error\nb2")
	f.Add("swap\nswap", "\x00")
	f.Fuzz(func(t *testing.T, first, second string) {
		g := sized(5, false)
		conn := &scripted{replies: []string{first, second}}
		history := lineOf(t, g, "a1")
		s := open(t, g, 2, conn, game.Second, history)
		for range 2 {
			reply, err := syncAsk(t, s, history)
			if err != nil {
				return
			}
			if !isMove(reply.Move) {
				t.Errorf("reply %q", reply.Move)
			}
		}
	})
}

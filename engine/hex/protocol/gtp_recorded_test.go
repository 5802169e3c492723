package protocol

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/hex/rules"
	"thera/engine/protocol"
)

// recordedProgram answers as recorded, and insists on what it is sent: the recorded commands
// in their order, and between them those of a handshake. A move that it made itself may also
// be told as the other side's.
type recordedProgram struct {
	*gametest.Scripted
	t     *testing.T
	rest  []gametest.Entry
	dies  string // of which signal, at its end
	extra *gametest.Scripted
}

func replayed(t *testing.T, name string) *recordedProgram {
	t.Helper()
	recording, err := gametest.ReadTranscript("../testdata/gtp/" + name)
	if err != nil {
		t.Fatal(err)
	}
	r := &recordedProgram{t: t, Scripted: &gametest.Scripted{}, extra: program(nil)}
	for _, e := range recording.Entries {
		if _, signal, dies := strings.Cut(e.Text, "status -"); dies && e.Mark == gametest.Remark {
			r.dies = signal
		}
		if e.Mark == gametest.Sent && !strings.HasPrefix(e.Text, "#") || e.Mark == gametest.Said && e.Text != "" {
			r.rest = append(r.rest, e)
		}
	}
	return r
}

func (r *recordedProgram) Send(line []byte) error {
	sent := string(line)
	r.Sent = append(r.Sent, sent)
	if len(r.rest) == 0 {
		r.t.Fatalf("sent %q after the end of the recording", sent)
	}
	asked, said := r.rest[0].Text, r.rest[1:]
	if end := slices.IndexFunc(said, func(e gametest.Entry) bool { return e.Mark == gametest.Sent }); end >= 0 {
		said = said[:end]
	}
	colour, asks := strings.CutPrefix(asked, "genmove ")
	switch {
	case sent == asked:
		for _, e := range said {
			r.Queue = append(r.Queue, e.Text)
		}
	case asks && len(said) > 0 && sent == "play "+colour+" "+strings.TrimPrefix(said[0].Text, "= "):
		r.Queue = append(r.Queue, "= ")
	case slices.Contains([]string{"protocol_version", "name", "version", "known_command time_settings", "boardsize 6", "clear_board"}, sent):
		r.Queue = append(r.Queue, r.extra.Answer(sent)...)
		return nil
	default:
		r.t.Fatalf("sent %q, recorded is %q", sent, asked)
	}
	r.rest = r.rest[1+len(said):]
	return nil
}

func (r *recordedProgram) Recv(ctx context.Context) ([]byte, error) {
	if r.dies != "" && len(r.Queue) == 0 && len(r.rest) == 0 {
		return nil, &game.Fault{Kind: game.FaultCrashed, Detail: "signal " + r.dies}
	}
	return r.Scripted.Recv(ctx)
}

// A recorded game is played again, in both seats. It is not over when the program is asked
// for its last move and ends by a signal: the program's fault.
func TestGTPRecordedGame(t *testing.T) {
	for _, seat := range []game.Seat{game.First, game.Second} {
		r := replayed(t, "mohex_game.txt")
		moves := strings.Fields("c4 d4 d3 f2 e5 a4 b5 e3 c6") // d3 d4 c4 b6 e5 d1 e2 c5 f3, row first
		line := game.Begin(sized(6, false).Empty())
		s := dialGTP(t, r, game.Options{Set: []game.Option{{Name: "param_mohex max_time", Value: "0.5"}}}, seat, line)
		for _, move := range moves {
			if line.Position.ToMove().Only() == seat {
				if reply, err := askGTP(t, s, game.Ask{History: line}); reply.Move != move || err != nil {
					t.Fatalf("ply %d: %v, %v", line.Ply+1, reply, err)
				}
			}
			line = extend(t, line, move)
		}
		if err := s.Sync(t.Context(), line); err != nil {
			t.Fatal(err)
		}
		if _, over := line.Position.Outcome(); over || seat == game.First {
			continue
		}
		_, err := askGTP(t, s, game.Ask{History: line})
		if fault, _ := errors.AsType[*game.Fault](err); fault == nil || fault.Error() != "crashed: signal 11" {
			t.Errorf("the last move: %v", err)
		}
	}
}

// Each answer of a recorded session is read whole, whatever its lines, and is that of its command.
func TestGTPRecordedSession(t *testing.T) {
	recording, err := gametest.ReadTranscript("../testdata/gtp/mohex_session.txt")
	if err != nil {
		t.Fatal(err)
	}
	talk := protocol.GTP{Client: protocol.NewClient(replayed(t, "mohex_session.txt"), protocol.Fence{})}
	answered, refused := 0, 0
	for i, e := range recording.Entries {
		if e.Mark != gametest.Sent || strings.HasPrefix(e.Text, "#") {
			continue
		}
		text, err := talk.Do(t.Context(), e.Text)
		want := strings.TrimSpace(strings.TrimLeft(recording.Entries[i+1].Text, "=?7"))
		no, _ := errors.AsType[*protocol.GTPRefusal](err)
		switch {
		case no != nil && no.Text == want:
			refused++
		case err == nil && text == want:
			answered++
		default:
			t.Errorf("%s: %q, %v, want %q", e.Text, text, err, want)
		}
	}
	if answered != 23 || refused != 5 {
		t.Errorf("%d answered, %d refused", answered, refused)
	}
}

// Whole games are played in both forms, and in GTP with and without a swap: the winner is the
// same program. Here the letter is the row, in GTP the column.
func TestGTPTransposes(t *testing.T) {
	type record struct {
		ID, Moves, Winner string
		Size              int
	}
	conn := gametest.Join(t, Player{}, "--gtp", "--playouts=1")
	talk := protocol.GTP{Client: protocol.NewClient(conn, protocol.Fence{})}
	begin := game.Begin(sized(5, false).Empty())
	s := dialGTP(t, conn, game.Options{}, game.First, begin)
	games := 0
	for _, r := range gametest.Vectors[record](t, "../testdata/games.jsonl.gz") {
		words := strings.Fields(r.Moves)
		if len(words) < 2 {
			continue
		}
		for _, swap := range []bool{false, true} {
			line := game.Begin(sized(r.Size, swap).Empty())
			conn.Arm(time.Minute, 2*time.Minute)
			if err := s.Seat(t.Context(), game.First, line); err != nil {
				t.Fatal(err)
			}
			moves := words
			if swap {
				moves = slices.Insert(slices.Clone(words), 1, rules.SwapWord)
			}
			line = extend(t, line, moves...)
			if err := s.Sync(t.Context(), line); err != nil {
				t.Fatalf("%s: %v", r.ID, err)
			}
			said, err := talk.Do(t.Context(), "final_score")
			won, over := line.Position.Outcome()
			if err != nil || !over || (said == "B+") != (won.Winner == game.First) || (said == "W+") != (won.Winner == game.Second) ||
				(won.Winner == game.First) == swap == (r.Winner == "black") {
				t.Errorf("%s, swap %v: %q, %v, recorded %s won (%v)", r.ID, swap, said, won, r.Winner, err)
			}
			games++
		}
	}
	if games < 500 {
		t.Errorf("only %d games", games)
	}
}

// Games of a program that speaks GTP have the winner that its rules give them: black joins
// the rows that numbers name, of which the letters are columns.
func TestGTPWinnersOfOthers(t *testing.T) {
	const path = "../../../../shared/vectors/hex/wolve.jsonl.gz"
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the strong bot's games are not here; they are not part of the project")
	}
	type record struct {
		Size     int
		Moves    string
		WinWolve *[2]any `json:"win_wolve"`
	}
	for i, r := range gametest.Vectors[record](t, path) {
		if i%50 > 0 {
			continue
		}
		pos := game.Position(sized(r.Size, false).Empty())
		for ply, word := range strings.Fields(r.Moves) {
			move, kept := stones{}.Move(pos, word)
			next, err := pos.Play(game.By(pos.ToMove().Only(), move))
			if err != nil || !kept {
				t.Fatalf("game %d: %v", i, err)
			}
			pos = next
			if p := pos.(*rules.Position); p.Winner() != rules.None {
				if r.WinWolve == nil || r.WinWolve[0] != float64(ply+1) || r.WinWolve[1] != p.Winner().String() {
					t.Errorf("game %d: %v wins at ply %d, want %v", i, p.Winner(), ply+1, r.WinWolve)
				}
				break
			}
		}
	}
}

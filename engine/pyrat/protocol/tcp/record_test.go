package tcp

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/pyrat/rules"
)

// recorded is a frame of a recorded game.
type recorded struct {
	host    bool // it is the host's
	payload []byte
}

func unpacked(t testing.TB, name string) []byte {
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzip, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzip)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func record(t testing.TB, name string) (frames []recorded) {
	for line := range strings.Lines(string(unpacked(t, name))) {
		words := strings.Fields(line)
		if words[0] == "#" {
			continue
		}
		payload, err := hex.DecodeString(words[2])
		if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, recorded{words[0] == ">", payload})
	}
	return frames
}

// hostFrame reads what a host says.
func hostFrame(t testing.TB, payload []byte) (kind uint8, fields table) {
	b := &buffer{bytes: payload}
	packet := b.root()
	kind, fields = uint8(packet.number(0, 1)), packet.table(1)
	if b.bad != "" {
		t.Fatalf("a message of the host: %s", b.bad)
	}
	return kind, fields
}

// position is the position of a MatchConfig.
func position(t testing.TB, config table) *rules.Position {
	cell := func(at []byte) string { return fmt.Sprintf("(%d,%d)", at[0], at[1]) }
	between := func(t table) string { return " " + cell(t.field(0, 2)) + "-" + cell(t.field(1, 2)) }
	text := fmt.Sprintf("maze height:%d width:%d; walls", config.number(1, 1), config.number(0, 1))
	config.each(3, 1<<16, func(at int) { text += between(config.in.table(at, "a wall")) })
	text += "; mud"
	config.each(4, 1<<16, func(at int) {
		mud := config.in.table(at, "mud")
		text += fmt.Sprintf("%s:%d", between(mud), mud.number(2, 1))
	})
	text += "; cheese"
	cheese, _ := config.vector(5, 2)
	for i := 0; i < len(cheese); i += 2 {
		text += " " + cell(cheese[i:])
	}
	text += fmt.Sprintf("; player1 rat %s; player2 python %s; max_turns %d",
		cell(config.field(6, 2)), cell(config.field(7, 2)), config.number(2, 2))
	p, err := rules.Parse(text, rules.Default())
	if err != nil || config.in.bad != "" {
		t.Fatal(err, config.in.bad)
	}
	return p
}

// bot is an adapter whose bot is play, at the other end of a pipe.
type bot func(conn io.ReadWriter)

func (play bot) Serve(_ context.Context, _ []string, in io.Reader, out, log io.Writer) error {
	listener, err := listen()
	if err != nil {
		return err
	}
	theirs, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		return err
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer theirs.Close()
		play(theirs)
	}()
	ours, err := listener.Accept()
	if err != nil {
		return err
	}
	from := &conn{Conn: ours, in: bufio.NewReader(ours)}
	_ = run(in, out, func() (io.ReadWriter, message) {
		payload, err := readFrame(from)
		if err != nil {
			return from, message{}
		}
		hello, _ := decode(payload)
		return from, hello
	})
	ours.Close()
	<-over
	return listener.Close()
}

// The bots of a recorded game say again what they said. The adapter gets their moves, as the
// record has them, and asks about the positions that they have by their own count.
func TestRecordedGame(t *testing.T) {
	var want struct {
		Turns []struct {
			P1     int     `json:"p1_action"`
			P2     int     `json:"p2_action"`
			Think1 int     `json:"p1_think_ms"` // 0 where the time was over
			Think2 int     `json:"p2_think_ms"`
			A      [2]int  `json:"p1_position"`
			B      [2]int  `json:"p2_position"`
			S      float64 `json:"p1_score"`
			T      float64 `json:"p2_score"`
		}
	}
	if err := json.Unmarshal(unpacked(t, "game.json.gz"), &want); err != nil {
		t.Fatal(err)
	}
	for seat, name := range []string{"greedy", "search"} {
		t.Run(name, func(t *testing.T) {
			frames := record(t, name+".txt.gz")
			var start *rules.Position
			var hashes []uint64 // of the positions in which the host asked
			for _, f := range frames {
				if f.host {
					switch kind, fields := hostFrame(t, f.payload); kind {
					case configure:
						start = position(t, fields.table(1))
					case goThink:
						hashes = append(hashes, fields.number(0, 8))
					}
				}
			}
			asked := make(chan uint64, len(hashes))
			server := gametest.Join(t, bot(func(conn io.ReadWriter) {
				again := &replay{t: t, conn: conn, frames: frames, asked: asked, start: start}
				again.play()
			}))
			session, info, err := NewDialect().Dial(t.Context(), server, game.Options{Rules: start})
			if err != nil {
				t.Fatal(err)
			}
			if info.Name != [2]string{"Greedy.rs", "Search.rs"}[seat] || info.Author != "mintiti" || info.Protocol != "tcp" {
				t.Errorf("the bot is %+v", info)
			}
			line := game.Begin(start)
			if err := session.Seat(t.Context(), game.Seat(seat+1), line); err != nil {
				t.Fatal(err)
			}
			infos := 0
			for i, turn := range want.Turns {
				if err := session.Sync(t.Context(), line); err != nil {
					t.Fatal(err)
				}
				soft := time.Minute
				if [2]int{turn.Think1, turn.Think2}[seat] == 0 {
					soft = 20 * time.Millisecond
				}
				server.Arm(soft, time.Minute)
				if err := session.Ask(game.Ask{History: line, Watch: func(game.SearchInfo) { infos++ }}); err != nil {
					t.Fatal(err)
				}
				reply, err := session.Answer(t.Context())
				moves := game.Turn{directions[turn.P1].Letter(), directions[turn.P2].Letter()}
				if err != nil || reply.Move != moves[seat] {
					t.Fatalf("turn %d: %q, %v, want %q", i+1, reply.Move, err, moves[seat])
				}
				if hash := <-asked; hash != hashes[i] {
					t.Fatalf("turn %d: asked about %x, the host about %x", i+1, hash, hashes[i])
				}
				if line, err = line.Play(moves); err != nil {
					t.Fatal(err)
				}
				p := line.Position.(*rules.Position)
				s := p.State()
				got := fmt.Sprint(cell(p.Board(), s.Dest[0]), cell(p.Board(), s.Dest[1]), s.Score[0], s.Score[1])
				if now := fmt.Sprint(turn.A, turn.B, turn.S, turn.T); strings.NewReplacer("{", "[", "}", "]").Replace(got) != now {
					t.Fatalf("turn %d: %s, the record has %s", i+1, got, now)
				}
			}
			outcome, over := line.Position.Outcome()
			if !over || infos == 0 {
				t.Errorf("over: %v; %d infos", over, infos)
			}
			if err := session.End(t.Context(), line, outcome); err != nil {
				t.Error(err)
			}
		})
	}
}

// replay is a bot that says what a record has, each time after the message of the host that was
// before.
type replay struct {
	t      testing.TB
	conn   io.ReadWriter
	frames []recorded
	asked  chan<- uint64
	start  *rules.Position
}

// read reads a message of the host, 0 for the end.
func (r *replay) read() (kind uint8, fields table) {
	payload, err := readFrame(r.conn)
	if err != nil {
		return 0, fields
	}
	return hostFrame(r.t, payload)
}

func (r *replay) play() {
	for _, f := range r.frames {
		if !f.host {
			if _, err := r.conn.Write(frame(f.payload)); err != nil {
				r.t.Error(err)
			}
			continue
		}
		want, _ := hostFrame(r.t, f.payload)
		if want == stop {
			continue // it stops where a clock says so
		}
		kind, fields := r.read()
		for kind == stop || kind == advance && want == gameOver { // the last turn is told here
			kind, fields = r.read()
		}
		if kind != want {
			r.t.Errorf("message %d of the host, want %d", kind, want)
		}
		switch kind {
		case configure:
			got := position(r.t, fields.table(1))
			if diff := cmp.Diff(r.start.String(), got.String()); diff != "" {
				r.t.Error(diff)
			}
		case goThink:
			r.asked <- fields.number(0, 8)
		}
	}
}

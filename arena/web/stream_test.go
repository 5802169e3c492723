package web

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// pipes is a listener whose connections have no buffer.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// watched is a run that is being played, and whose page is watched.
type watched struct {
	*fixture
	t     *testing.T
	live  *Live
	sum   *arena.Summary
	pipes pipes
}

// watch calls do with a watched run, in a bubble of time.
func watch(t *testing.T, do func(*watched)) {
	t.Helper()
	w := &watched{fixture: newFixture(t, Options{})}
	w.sum = &arena.Summary{Run: arena.RunInfo{ID: w.run, Name: "trial", Game: "nim", State: "running", Plan: *planOf("a", "b")}}
	synctest.Test(t, func(t *testing.T) {
		w.t, w.pipes, w.live = t, make(pipes), NewLive()
		w.opts.Live = w.live
		w.live.Event(arena.Event{Kind: arena.RunStarted, Run: "trial", Total: 10, Summary: w.sum})
		server := &http.Server{Handler: w}
		go func() { _ = server.Serve(w.pipes) }()
		do(w)
		close(w.pipes)
		server.Close()
	})
}

// listen opens a stream and returns how to read it up to an event that holds a text. What it
// returns is all that came, and false at the end of the stream.
func (w *watched) listen() (until func(want string) (string, bool), leave func()) {
	w.t.Helper()
	ours, theirs := net.Pipe()
	w.pipes <- theirs
	fmt.Fprintf(ours, "GET /run/%d/events HTTP/1.1\r\nHost: localhost\r\n\r\n", w.run)
	var answer *http.Response
	var lines *bufio.Reader
	return func(want string) (string, bool) {
		if answer == nil {
			var err error
			if answer, err = http.ReadResponse(bufio.NewReader(ours), nil); err != nil || answer.StatusCode != http.StatusOK {
				return fmt.Sprint(answer, err), false
			}
			lines = bufio.NewReader(answer.Body)
		}
		var all strings.Builder
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return all.String(), false
			}
			if all.WriteString(line); strings.Contains(line, want) {
				return all.String(), true
			}
		}
	}, func() { ours.Close() }
}

// lastPart is the last one that a new listener is sent.
const lastPart = `"part":"tables"`

// A run that is being played is followed: what has changed is sent, and everything to a
// listener that comes back.
func TestStream(t *testing.T) {
	watch(t, func(w *watched) {
		job := arena.Job{ID: "feed", Pairing: [2]string{"a", evil}}
		w.live.Event(arena.Event{Kind: arena.GameStarted, Job: &job, Total: 10, Played: 1})
		start, err := nim.New().Parse("21 1")
		gametest.OK(t, err)
		history := game.Begin(start)
		rec := &arena.Game{Job: job, Outcome: game.Outcome{Reason: "nothing left"}}
		play := func(move string) {
			if history, err = history.Play(game.By(history.Position.ToMove().Only(), move)); err != nil {
				t.Fatal(err)
			}
			rec.Plies = append(rec.Plies, arena.Ply{Seat: game.First, Depth: 7 + history.Ply})
			w.live.Moved(rec, history)
		}
		play("1")

		until, leave := w.listen()
		if text, _ := until(lastPart); !strings.Contains(text, "20 2") || !strings.Contains(text, `1/10 games`) ||
			!strings.Contains(text, "depth 8") || strings.Contains(text, "<script>") {
			t.Errorf("at the beginning: %s", text)
		}
		play("2")
		if text, _ := until("18 1"); strings.Contains(text, lastPart) || !strings.Contains(text, "depth 9") {
			t.Errorf("after a move: %s", text)
		}
		leave()
		until, leave = w.listen()
		defer leave()
		if text, _ := until(lastPart); !strings.Contains(text, "18 1") {
			t.Errorf("back again: %s", text)
		}
		begin := time.Now()
		if until("alive"); time.Since(begin) > heartbeat+slowest {
			t.Errorf("nothing came for %v", time.Since(begin))
		}
		for _, id := range []string{"more", "last"} { // a game takes the place of one that has ended
			w.live.Moved(&arena.Game{Job: arena.Job{ID: id, Pairing: job.Pairing}}, history)
			w.live.Event(arena.Event{Kind: arena.GameFinished, Job: &job, Record: rec, Summary: w.sum})
		}
		w.live.Event(arena.Event{Kind: arena.Warned, Record: &arena.Game{Job: arena.Job{ID: "last"}}}) // its pair is void
		if b := w.live.boards; len(b) != 1 || b[0].job.ID != "more" {
			t.Errorf("on the boards: %+v", b)
		}
		begin = time.Now()
		done := *w.sum
		done.Run.State = "finished"
		w.live.Event(arena.Event{Kind: arena.RunFinished, Text: "all played", Summary: &done})
		text, _ := until("event: over")
		if !strings.Contains(text, "all played") || strings.Contains(text, "18 1") || time.Since(begin) > 0 {
			t.Errorf("at the end, %v later: %s", time.Since(begin), text)
		}
		if more, ok := until("anything"); ok { // the page was told, and is gone
			t.Errorf("after the end: %s", more)
		}
	})
}

// A listener that does not read holds up nobody, is sent the latest state when it reads
// again, and is left after a while.
func TestSlowListener(t *testing.T) {
	watch(t, func(w *watched) {
		slow, leaveSlow := w.listen()
		defer leaveSlow()
		deaf, leaveDeaf := w.listen()
		defer leaveDeaf()
		until, leave := w.listen()
		defer leave()
		until(lastPart)
		const updates = 40
		begin := time.Now()
		for i := range updates {
			w.live.Event(arena.Event{Kind: arena.Progressed, Run: "trial", Played: 100 + i, Total: 1000})
			until(fmt.Sprintf("%d/1000 games", 100+i))
		}
		if took := time.Since(begin); took < updates*fastest-fastest || took >= patience {
			t.Errorf("%d updates in %v", updates, took)
		}
		if text, ok := slow(fmt.Sprintf("%d/1000 games", 99+updates)); !ok || strings.Count(text, "/1000 games") > 2 {
			t.Errorf("%v: the slow listener was sent %d of %d updates", ok, strings.Count(text, "/1000 games"), updates)
		}
		time.Sleep(patience)
		if text, ok := deaf("alive"); ok {
			t.Errorf("after %v: %s", patience, text)
		}
		synctest.Wait()
		if n := w.listeners.Load(); n != 2 {
			t.Errorf("%d listeners, want 2", n)
		}
	})
}

// When the server is closed, its streams end.
func TestStreamsEnd(t *testing.T) {
	f := newFixture(t, Options{Live: NewLive()})
	f.opts.Live.Event(arena.Event{Kind: arena.RunStarted, Summary: &arena.Summary{Run: arena.RunInfo{ID: f.run}}})
	link, err := f.Listen(t.Context(), "127.0.0.1:0")
	gametest.OK(t, err)
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, fmt.Sprintf("%srun/%d/events", link, f.run), nil)
	gametest.OK(t, err)
	answer, err := http.DefaultClient.Do(r)
	gametest.OK(t, err)
	defer answer.Body.Close()
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	for lines := bufio.NewReader(answer.Body); err == nil; { // to its end
		_, err = lines.ReadString('\n')
	}
	if answer, err := http.Get(link); err == nil {
		answer.Body.Close()
		t.Errorf("afterwards: %s", answer.Status)
	}
}

// Updates take at most a hundredth of a processor.
func TestPause(t *testing.T) {
	for listeners, want := range map[int64]time.Duration{0: 400 * time.Millisecond, 200: 900 * time.Millisecond, 1_000_000: slowest} {
		if got := pause(4*time.Millisecond, listeners); got != want {
			t.Errorf("%d listeners: %v", listeners, got)
		}
	}
	if got := pause(0, 1); got != fastest {
		t.Errorf("at least %v", got)
	}
	if was := (&loaded{info: arena.RunInfo{State: "running", Games: 1}}); was.serves(&arena.RunInfo{State: "running", Games: 2}) {
		t.Error("what is due is not read again")
	}
}

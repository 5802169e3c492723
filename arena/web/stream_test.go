package web

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// listen opens a stream and returns its events as they come.
func listen(t *testing.T, address string) (<-chan string, func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("status %d", answer.StatusCode)
	}
	events := make(chan string, 1000)
	go func() {
		defer close(events)
		defer answer.Body.Close()
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 1<<24)
		var event []string
		for lines.Scan() {
			if lines.Text() != "" {
				event = append(event, lines.Text())
				continue
			}
			events <- strings.Join(event, "\n")
			event = nil
		}
	}()
	return events, cancel
}

// until reads events up to one that holds a text, and returns all of them.
func until(t *testing.T, events <-chan string, want string) []string {
	t.Helper()
	var all []string
	for e := range events {
		if all = append(all, e); strings.Contains(e, want) {
			return all
		}
	}
	t.Fatalf("the stream ended without %q: %d events", want, len(all))
	return nil
}

// liveFixture is a server of a run that is being played.
func liveFixture(t *testing.T) (f *fixture, live *Live, sum *arena.Summary, address string) {
	t.Helper()
	live = &Live{}
	f = newFixture(t, Options{Live: live})
	served := httptest.NewServer(f)
	t.Cleanup(served.Close)
	sum = &arena.Summary{Run: arena.RunInfo{ID: f.run, Name: "trial", Game: "nim", State: "running"}, Engines: planOf("a", "b").Engines}
	live.Event(arena.Event{Kind: arena.RunStarted, Run: "trial", Total: 10, Summary: sum})
	return f, live, sum, fmt.Sprintf("%s/run/%d/events", served.URL, f.run)
}

// lastPart is the last one that a new listener is sent.
const lastPart = `"part":"tables"`

// A run that is being played is followed: what has changed is sent, and everything to a
// listener that comes back.
func TestStream(t *testing.T) {
	_, live, sum, address := liveFixture(t)
	job := arena.Job{ID: "feed", Pairing: [2]string{"a", evil}}
	live.Event(arena.Event{Kind: arena.GameStarted, Job: &job, Total: 10, Played: 1})
	line := game.Begin(position(t, "21 1"))
	rec := &arena.Game{Job: job}
	play := func(move string) {
		next, err := line.Play(game.By(line.Position.ToMove().Only(), move))
		if err != nil {
			t.Fatal(err)
		}
		line = next
		rec.Plies = append(rec.Plies, arena.Ply{Seat: game.First, Depth: 7})
		live.Moved(rec, line)
	}
	play("1")

	events, leave := listen(t, address)
	text := strings.Join(until(t, events, lastPart), "\n")
	if !strings.Contains(text, "20 2") || !strings.Contains(text, `1/10 games`) || strings.Contains(text, "<script>") {
		t.Errorf("at the beginning: %s", text)
	}
	play("2")
	if text := strings.Join(until(t, events, "18 1"), "\n"); strings.Contains(text, `"part":"tables"`) {
		t.Errorf("after a move: %s", text)
	}
	leave()
	again, leaveAgain := listen(t, address)
	defer leaveAgain()
	if text := strings.Join(until(t, again, lastPart), "\n"); !strings.Contains(text, "18 1") || !strings.Contains(text, `"part":"tables"`) {
		t.Errorf("back again: %s", text)
	}
	done := *sum
	done.Run.State = "finished"
	live.Event(arena.Event{Kind: arena.RunFinished, Text: "all played", Summary: &done})
	until(t, again, "event: over")
	for range again { // to its end: the page was told, and is gone
	}
}

func position(t *testing.T, text string) game.Position {
	t.Helper()
	pos, err := nim.New().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return pos
}

// A listener that does not read holds up nobody, and is sent the latest state when it
// reads again.
func TestSlowListener(t *testing.T) {
	f, _, _, address := liveFixture(t)
	f.streams.patience = time.Hour // it is the test that must not be slow
	host, path, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
	slow, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n", path)
	events, leave := listen(t, address)
	defer leave()
	until(t, events, lastPart)

	f.streams.mu.Lock()
	st := f.streams.all[f.run]
	f.streams.mu.Unlock()
	const updates = 40
	for i := range updates {
		st.draw(&parts{Head: fmt.Sprintf("update %d. %s", i, strings.Repeat("x", 1_000_000))}, false)
		until(t, events, fmt.Sprintf("update %d.", i))
	}
	if n := st.count(); n != 2 {
		t.Errorf("%d listeners, want 2", n)
	}
	seen := 0
	lines := bufio.NewReader(slow)
	for last := fmt.Sprintf("update %d.", updates-1); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the slow listener has seen %d updates, then %v", seen, err)
		}
		if strings.Contains(line, "update ") {
			seen++
		}
		if strings.Contains(line, last) {
			break
		}
	}
	if seen == updates {
		t.Errorf("the slow listener was sent all %d updates", seen)
	}
}

// When all streams end, so do their connections.
func TestStreamsEnd(t *testing.T) {
	f, _, _, address := liveFixture(t)
	events, leave := listen(t, address)
	defer leave()
	until(t, events, lastPart)
	f.Close()
	for range events { // to its end
	}
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("afterwards: %s", answer.Status)
	}
}

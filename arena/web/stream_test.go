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

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// listen opens a stream and returns its events as they come.
func listen(t *testing.T, address, from string) (<-chan string, func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if from != "" {
		r.Header.Set("Last-Event-ID", from)
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

// A run that is being played is followed; a listener that comes back is sent only
// what it has missed, and everything by another program.
func TestStream(t *testing.T) {
	live := &Live{}
	f := newFixture(t, Options{Live: live})
	served := httptest.NewServer(f)
	defer served.Close()
	address := fmt.Sprintf("%s/run/%d/events", served.URL, f.run)

	sum := &arena.Summary{Run: arena.RunInfo{ID: f.run, Name: "trial", Game: "nim", State: "running"}, Engines: planOf("a", "b").Engines}
	job := arena.Job{ID: "feed", Pairing: [2]string{"a", evil}}
	live.Event(arena.Event{Kind: arena.RunStarted, Run: "trial", Total: 10, Summary: sum})
	live.Event(arena.Event{Kind: arena.GameStarted, Job: &job, Total: 10, Played: 1})
	line := game.Begin(position(t, "21 1"))
	rec := &arena.Record{Job: job}
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

	if f.Watched() {
		t.Error("nobody looks at the page yet")
	}
	events, leave := listen(t, address, "")
	first := until(t, events, "event: at")
	if text := strings.Join(first, "\n"); !strings.Contains(text, "20 2") || !strings.Contains(text, `1/10 games`) || strings.Contains(text, "<script>") {
		t.Errorf("at the beginning: %s", text)
	}
	play("2")
	second := until(t, events, "event: at")
	if text := strings.Join(second, "\n"); !strings.Contains(text, "18 1") || strings.Contains(text, `"part":"tables"`) {
		t.Errorf("after a move: %s", text)
	}
	leave()
	id := ""
	for line := range strings.Lines(second[len(second)-1]) {
		if v, ok := strings.CutPrefix(line, "id: "); ok {
			id = strings.TrimSpace(v)
		}
	}

	// It has missed one move: the boards are sent, and the tables are not.
	again, leaveAgain := listen(t, address, id)
	play("3")
	missed := until(t, again, "15 2")
	if text := strings.Join(missed, "\n"); strings.Contains(text, `"part":"tables"`) {
		t.Errorf("back again: %s", text)
	}
	other, leaveOther := listen(t, address, "another."+id)
	if text := strings.Join(until(t, other, "event: at"), "\n"); !strings.Contains(text, `"part":"tables"`) {
		t.Errorf("from another program: %s", text)
	}
	leaveOther()

	done := *sum
	done.Run.State = "finished"
	live.Event(arena.Event{Kind: arena.RunFinished, Text: "all played", Summary: &done})
	until(t, again, "event: over")
	leaveAgain()
	if !f.Watched() {
		t.Error("nobody looked at the page when the run ended")
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
	live := &Live{}
	f := newFixture(t, Options{Live: live})
	served := httptest.NewServer(f)
	defer served.Close()
	sum := &arena.Summary{Run: arena.RunInfo{ID: f.run, Name: "trial", Game: "nim", State: "running"}, Engines: planOf("a", "b").Engines}
	live.Event(arena.Event{Kind: arena.RunStarted, Run: "trial", Total: 10, Summary: sum})

	path := fmt.Sprintf("/run/%d/events", f.run)
	slow, err := net.Dial("tcp", served.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path)
	events, leave := listen(t, served.URL+path, "")
	defer leave()
	until(t, events, "event: at")

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
	live := &Live{}
	f := newFixture(t, Options{Live: live})
	served := httptest.NewServer(f)
	defer served.Close()
	sum := &arena.Summary{Run: arena.RunInfo{ID: f.run, Name: "trial", Game: "nim", State: "running"}, Engines: planOf("a", "b").Engines}
	live.Event(arena.Event{Kind: arena.RunStarted, Run: "trial", Total: 10, Summary: sum})
	events, leave := listen(t, fmt.Sprintf("%s/run/%d/events", served.URL, f.run), "")
	defer leave()
	until(t, events, "event: at")
	f.Close()
	for range events { // to its end
	}
	answer, err := http.Get(fmt.Sprintf("%s/run/%d/events", served.URL, f.run))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("afterwards: %s", answer.Status)
	}
}

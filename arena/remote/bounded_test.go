package remote

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// A worker that comes and goes is taken again after a while: each time is a remark.
func TestComingAndGoing(t *testing.T) {
	tb := newTable(t, 3)
	tb.change = func(h *Host) { h.calm = time.Hour }
	done := make(chan struct{})
	stay, playing, release := stayAfterFirst()
	tb.worker("honest", 1, stay)
	go func() {
		defer close(done)
		defer close(release)
		<-playing
		nc, err := nats.Connect("nats://" + tb.server.Address())
		if err != nil {
			t.Error(err)
			return
		}
		defer nc.Close()
		a := &attacker{Conn: nc, host: tb.host}
		a.join(t)
		for range 3 {
			a.request(t, "leave", leave{})
			if answer := a.request(t, "join", hello{Version: version, Worker: "mallory", Session: "s", Slots: 2}); !strings.Contains(answer, `"later":true`) {
				t.Error(answer)
			}
			if err := nc.Publish(subject(a.host.key, "leave", "mallory"), nil); err != nil {
				t.Error(err)
			}
		}
	}()
	if _, err := tb.run(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	<-done
	if n := strings.Count(tb.said(), "mallory has left"); n != 1 {
		t.Errorf("%d remarks", n)
	}
}

// The configuration for servers of others in docs/many-machines.md lets a worker do what
// it may at a server of thera's own.
func TestDocumentedPermissions(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "many-machines.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```nats\n")
	text, _, _ := strings.Cut(rest, "```")
	before, after, _ := strings.Cut(text, "tls {")
	_, after, _ = strings.Cut(after, "\n") // its files are not here
	name := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(name, []byte(before+after), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(name)
	if err != nil {
		t.Fatal(err)
	}
	publish, subscribe := May("lab1")
	if !o.JetStream || len(o.Users) != 2 || o.Users[0].Permissions != nil {
		t.Fatalf("%+v", o.Users)
	}
	got := o.Users[1].Permissions
	if diff := cmp.Diff(publish, got.Publish.Allow) + cmp.Diff(subscribe, got.Subscribe.Allow); diff != "" || o.Users[1].Username != "lab1" {
		t.Error(diff)
	}
}

// Parts of games that one worker half sends leave room for those of others.
func TestHalfSent(t *testing.T) {
	j := joiner{halves: map[string]*half{}}
	part := func(id string) *nats.Msg {
		return &nats.Msg{Data: []byte("x"), Header: nats.Header{headerID: {id}, headerPart: {"1"}, headerOf: {"2"}}}
	}
	full := 0
	for n := range mostHalves {
		if _, err := j.join("mallory", part(fmt.Sprint(n))); err != errMoreParts {
			full++
		}
	}
	if full != mostHalves-mostHalves/4 {
		t.Errorf("%d were refused", full)
	}
	if _, err := j.join("honest", part("1")); err != errMoreParts {
		t.Errorf("another worker: %v", err)
	}
}

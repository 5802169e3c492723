package remote

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
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
		nc := dial(t, "nats://"+tb.server.Address(), "mallory")
		a := &attacker{Conn: nc, host: tb.playing()}
		var err error
		if a.calls, err = nc.SubscribeSync(callSubject("mallory", "s", "*")); err != nil {
			t.Error(err)
			return
		}
		a.join(t)
		for range 3 {
			a.hello(t, true)
			a.hello(t, false)
		}
		a.hello(t, true)
		a.again(t)
		if answer := a.fetch(t, piece{Start: "s"}); answer != "the host does not ship it" {
			t.Error(answer)
		}
		for n := range 500 { // starts that nobody answers for
			if err := nc.Publish(helloSubject("nobody"), encode(hello{Version: version, Start: "s" + strconv.Itoa(n), Slots: 1})); err != nil {
				t.Error(err)
			}
		}
		a.fetch(t, piece{Start: "s"})
	}()
	if _, err := tb.run(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	<-done
	if n := strings.Count(tb.said(), "mallory has left"); n != 1 {
		t.Errorf("%d remarks", n)
	}
	if n := strings.Count(tb.said(), "nobody"); n > 0 {
		t.Errorf("%d remarks on starts that nobody answers for", n)
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
	if len(o.Users) != 2 || o.Users[0].Permissions != nil {
		t.Fatalf("%+v", o.Users)
	}
	got := o.Users[1].Permissions
	if diff := cmp.Diff(publish, got.Publish.Allow) + cmp.Diff(subscribe, got.Subscribe.Allow); diff != "" || o.Users[1].Username != "lab1" {
		t.Error(diff)
	}
	if r := got.Response; r == nil || r.MaxMsgs != 1 {
		t.Errorf("answers: %+v", r)
	}
}

package remote

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"thera/engine/gametest"
)

// No name of a worker makes it hear what the host is answered.
func TestHoleTheHostsInbox(t *testing.T) {
	nc, end, err := (&Reach{Listen: "127.0.0.1:0"}).Connect(func(string) {})
	gametest.OK(t, err)
	defer end()
	name, _, _ := strings.Cut(strings.TrimPrefix(nc.Opts.InboxPrefix, Inbox("")), ".")
	if err := CheckName(name); err == nil {
		t.Errorf("a worker may be called %s and hear %s.>", name, Inbox(name))
	}
}

// A worker connects with its invitation. One that is revoked while it plays is disconnected and does
// not come back; its pairs go to others.
func TestRevokedWorker(t *testing.T) {
	tb := newTable(t, 5)
	reach := &Reach{Listen: "127.0.0.1:0", Keys: t.TempDir()}
	ring, err := reach.Ring()
	if err != nil || ring.Dir != reach.Keys {
		t.Fatal(ring, err)
	}
	ready := make(chan string, 1)
	tb.change = func(h *Host) {
		h.Wait = time.Second
		nc, end, err := reach.Connect(func(text string) {
			if m := regexp.MustCompile(`at (127\S+), with invitations`).FindStringSubmatch(text); m != nil {
				ready <- m[1]
			}
		})
		if err != nil {
			t.Error(err)
			return
		}
		h.Conn = NATS{nc}
		t.Cleanup(end)
	}
	go func() {
		address := <-ready
		invited := func(name string) (*nats.Conn, context.Context) {
			file := filepath.Join(t.TempDir(), name)
			if err := ring.Invite(name, address, file); err != nil {
				t.Error(err)
			}
			ctx, stop := context.WithCancelCause(tb.workers)
			w, err := Dial(file, "", func(string) {}, stop)
			if err != nil || w.Name != name || len(w.Secrets) != 1 {
				t.Errorf("%+v, %v", w, err)
			}
			return w.Conn.(NATS).Conn, ctx
		}
		gone, ctx := invited("gone")
		stay, playing, release := stayAfterFirst()
		tb.workerOn(gone, "gone", 1, stay)
		<-playing
		if err := ring.Revoke("gone"); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		if why := context.Cause(ctx); !strings.Contains(why.Error(), "the server refuses worker gone: its key was revoked") {
			t.Error(why)
		}
		tb.says("worker gone is silent: its pairs go to others")
		stays, _ := invited("stays")
		tb.workerOn(stays, "stays", 1, nil)
		close(release)
	}()
	tb.same(0)
	if by := tb.by(); by["stays"] != 10 {
		t.Errorf("played by %v", by)
	}
}

package remote

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"thera/arena/remote/keys"
)

// A worker connects with its invitation. One that is revoked while it plays is disconnected and does
// not come back; its pairs go to others.
func TestRevokedWorker(t *testing.T) {
	tb := newTable(t, 5)
	reach := &Reach{Listen: "127.0.0.1:0", Keys: t.TempDir()}
	if secrets, err := reach.Secrets(); err != nil || len(secrets) != 1 || secrets[0] != reach.Keys {
		t.Errorf("%v, %v", secrets, err)
	}
	ring, err := keys.Open(reach.Keys)
	if err != nil {
		t.Fatal(err)
	}
	ready := make(chan string, 1)
	tb.change = func(h *Host) {
		end, err := reach.Connect(h, func(text string) {
			if m := regexp.MustCompile(`at (127\S+), with invitations`).FindStringSubmatch(text); m != nil {
				ready <- m[1]
			}
		})
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(end)
	}
	go func() {
		address := <-ready
		invited := func(name string) (*Place, context.Context, context.CancelCauseFunc) {
			file := filepath.Join(t.TempDir(), name)
			if err := ring.Invite(name, address, func(i *keys.Invitation) error { return i.Write(file) }); err != nil {
				t.Error(err)
			}
			place, err := FindPlace(file, "")
			if err != nil || place.Name != name || len(place.Secrets) != 1 {
				t.Errorf("%+v, %v", place, err)
			}
			ctx, stop := context.WithCancelCause(tb.workers)
			return place, ctx, stop
		}
		gone, ctx, stop := invited("gone")
		nc, err := gone.Connect(func(string) {}, stop)
		if err != nil {
			t.Error(err)
			return
		}
		stay, playing, release := stayAfterFirst()
		tb.workerOn(nc, "gone", 1, stay)
		<-playing
		if err := ring.Revoke("gone"); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		if why := context.Cause(ctx); !strings.Contains(why.Error(), "the server refuses worker gone: its key was revoked") {
			t.Error(why)
		}
		tb.says("worker gone is dismissed: its key was revoked")
		stays, _, stop := invited("stays")
		if nc, err = stays.Connect(func(string) {}, stop); err != nil {
			t.Error(err)
		}
		tb.workerOn(nc, "stays", 1, nil)
		close(release)
	}()
	tb.same(0)
	if by := tb.by(); by["stays"] != 10 {
		t.Errorf("played by %v", by)
	}
}

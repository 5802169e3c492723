package remote

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
	"thera/engine/gametest"
)

// The configuration for servers of others in docs/many-machines.md lets a worker do what
// it may at thera's server.
func TestDocumentedPermissions(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "many-machines.md"))
	gametest.OK(t, err)
	_, rest, _ := strings.Cut(string(page), "```nats\n")
	text, _, _ := strings.Cut(rest, "```")
	before, after, _ := strings.Cut(text, "tls {")
	_, after, _ = strings.Cut(after, "\n") // its files are not here
	name := filepath.Join(t.TempDir(), "nats.conf")
	gametest.OK(t, os.WriteFile(name, []byte(before+after), 0o600))
	o, err := server.ProcessConfigFile(name)
	gametest.OK(t, err)
	publish, subscribe := may("lab1")
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

package source

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"thera/arena"
	"thera/engine/gametest"
)

// Time, memory and disk have limits, for each command.
func TestBuildsHaveLimits(t *testing.T) {
	dir, c := repository(t, "one"), cacheIn(t)
	c.limits.disk = 8 << 20
	if runtime.GOOS == "linux" {
		c.limits.bytes = 128 << 20 // more than this test needs itself, which becomes the init of the sandbox
	}
	for build, want := range map[string]string{
		"sleep 1000": "^it took more than 200ms$",
		"yes":        "^it took more than 200ms$",
		"i=0; while :; do head -c 1000000 /dev/zero > $OUT/$i; i=$((i+1)); done": `^it used \d+ MiB of disk, and 8 MiB are allowed$`, // while it runs
		"head -c 20000000 /dev/zero > $HOME/big":                                 `^it used \d+ MiB of disk, and 8 MiB are allowed$`, // at its end
		// tail keeps all of it, and nobody reads.
		"head -c 400000000 /dev/zero | tail -c 400000000 | sleep 1000": `^it used \d+ MiB of memory, and 128 MiB are allowed$`,
	} {
		if strings.Contains(want, "memory") && runtime.GOOS != "linux" {
			continue // nothing limits memory there, as the README says
		}
		c.limits.time = time.Hour
		if strings.Contains(want, "200ms") {
			c.limits.time = 200 * time.Millisecond
		}
		failed := fails(t, c, arena.EngineSpec{Git: dir, Build: build}, want)
		if n := len(read(t, failed.Log)); n > 100<<10 {
			t.Errorf("%s: a log of %d bytes", build, n)
		}
	}
	c.limits.time = time.Hour
	within := "head -c 4000000 /dev/zero > $OUT/engine; sleep 1000 &" // a process is left running
	builds(t, c, arena.EngineSpec{Git: dir, Build: within})
	ctx, cancel := context.WithCancel(t.Context())
	say := func(string) { time.AfterFunc(100*time.Millisecond, cancel) }
	if _, err := c.Build(ctx, &arena.EngineSpec{Git: dir, Build: "sleep 999"}, say); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A module comes over the network in fetch, whose files the build has, but no network.
func TestFetchHasANetwork(t *testing.T) {
	gametest.Sequential(t)
	const module = "example.com/lib"
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch name, _ := strings.CutPrefix(r.URL.Path, "/"+module+"/@v/"); name {
		case "v1.0.0.info":
			fmt.Fprint(w, `{"Version":"v1.0.0"}`)
		case "v1.0.0.mod":
			fmt.Fprintf(w, "module %s\n", module)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	t.Setenv("GOPROXY", server.URL)
	t.Setenv("GOSUMDB", "off")
	dir, c := repository(t, "one"), cacheIn(t)
	b := builds(t, c, arena.EngineSpec{
		Git: dir, Fetch: "go list -m " + module + "@v1.0.0 > lib",
		Build: "cat lib $GOMODCACHE/cache/download/" + module + "/@v/v1.0.0.info > $OUT/engine",
	})
	if got := read(t, filepath.Join(b.Out, "engine")); !strings.HasPrefix(got, module+" v1.0.0\n"+`{"Version":"v1.0.0"`) {
		t.Errorf("the build found %q", got)
	}
	fetched := asked.Load()
	if fetched == 0 {
		t.Error("nothing was fetched")
	}
	requireBoxes(t)
	reach := "GOPROXY=" + server.URL + " GOMODCACHE=$HOME/mod go list -m " + module + "@v1.0.0"
	failed := fails(t, c, arena.EngineSpec{Git: dir, Build: reach}, "")
	if failed.Step != "build" || asked.Load() != fetched {
		t.Errorf("a build reached the server: %v", failed)
	}
}

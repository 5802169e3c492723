package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"thera/engine/gametest"
)

// visitor is a browser of one story: the pages of a thera serve, and a client that
// keeps its cookie.
type visitor struct {
	serve  *exec.Cmd
	base   *url.URL
	client *http.Client
}

type visitorKey struct{}

// visit starts thera serve: visit ADDRESS.
func visit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: visit ADDRESS")
	}
	thera, err := exec.LookPath("thera") // testscript put it there
	ts.Check(err)
	cmd := exec.Command(thera, "serve", args[0])
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "PATH="+ts.Getenv("PATH"))
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	cmd.Stderr = os.Stderr
	ts.Check(cmd.Start())
	ts.Defer(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	ts.Check(err)
	address, err := url.Parse(strings.TrimSpace(line))
	ts.Check(err)
	jar, err := cookiejar.New(nil)
	ts.Check(err)
	v := &visitor{serve: cmd, base: address, client: &http.Client{Jar: jar}}
	answer, err := v.client.Get(address.String()) // with the token, if there is one
	ts.Check(err)
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		ts.Fatalf("%s: %s", address, answer.Status)
	}
	*ts.Value(visitorKey{}).(*visitor) = *v
}

// leave ends thera serve as Ctrl-C does; it must end well.
func leave(ts *testscript.TestScript, neg bool, args []string) {
	v := ts.Value(visitorKey{}).(*visitor)
	ts.Check(v.serve.Process.Signal(syscall.SIGINT))
	if err := v.serve.Wait(); err != nil {
		ts.Fatalf("thera serve: %v", err)
	}
}

// get stores a page in a file: get PATH FILE; ! get wants an error.
func get(ts *testscript.TestScript, neg bool, args []string) { fetchPage(ts, neg, args, "text/html") }

// getJSON stores the data of a page in a file: getjson PATH FILE.
func getJSON(ts *testscript.TestScript, neg bool, args []string) {
	fetchPage(ts, neg, args, "application/json")
}

func fetchPage(ts *testscript.TestScript, neg bool, args []string, accept string) {
	if len(args) != 2 {
		ts.Fatalf("usage: get PATH FILE")
	}
	v := ts.Value(visitorKey{}).(*visitor)
	at, err := v.base.Parse(args[0])
	ts.Check(err)
	r, err := http.NewRequest(http.MethodGet, at.String(), nil)
	ts.Check(err)
	r.Header.Set("Accept", accept)
	answer, err := v.client.Do(r)
	ts.Check(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	ts.Check(err)
	if ok := answer.StatusCode == http.StatusOK; ok == neg {
		ts.Fatalf("%s: %s\n%s", args[0], answer.Status, fmt.Sprintf("%.2000s", body))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), body, 0o600))
}

// A page stays up when its run ends, also if nobody looks at it.
func TestPageStays(t *testing.T) {
	t.Parallel()
	run := start(t, t.TempDir(), strings.Fields("vs builtin builtin --rounds 1 --limit depth=1 --set limit.sync=1m --serve 127.0.0.1:0")...)
	run.await(t, "the run is over; its page stays up at "+run.address+" until Ctrl-C")
	answer, err := http.Get(run.address + "run/1")
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
	gametest.OK(t, run.Process.Signal(os.Interrupt))
	if err := run.Wait(); err != nil {
		t.Errorf("after Ctrl-C: %v: %s", err, run.said())
	}
}

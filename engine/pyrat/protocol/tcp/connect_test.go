package tcp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"thera/engine/pyrat/protocol/tcp/tcptest"
)

// shared is a log of several goroutines.
type shared struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// The connection that knows the secret is the bot's, whoever else connects before.
func TestConnect(t *testing.T) {
	listener, err := listen()
	if err != nil {
		t.Fatal(err)
	}
	dial := func() net.Conn {
		c, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	dial() // says nothing
	strangers := map[string]func(c net.Conn){
		"it has not the agent id of PYRAT_AGENT_ID": func(c net.Conn) { (&tcptest.Bot{Conn: c, Agent: "player1"}).Play() },
		"its first message is no Identify":          func(c net.Conn) { _, _ = c.Write(frame(hostMessage(stop, values()))) },
		"is no FlatBuffer":                          func(c net.Conn) { _, _ = c.Write(frame([]byte("x"))) },
		"a frame of 1195725856 bytes":               func(c net.Conn) { _, _ = io.WriteString(c, "GET / HTTP/1.1\r\n\r\n") },
	}
	type found struct {
		bot   *conn
		hello message
	}
	var log shared
	bots := make(chan found)
	go func() {
		bot, hello := connect(listener, "secret", &log)
		bots <- found{bot, hello}
	}()
	for _, knock := range strangers {
		c := dial()
		go knock(c)
		_ = c.SetReadDeadline(time.Now().Add(time.Minute))
		if _, err := c.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("a stranger's connection stays open: %v", err)
		}
	}
	go (&tcptest.Bot{Conn: dial(), Agent: "secret"}).Play()
	bot := <-bots
	defer bot.bot.Close()
	if bot.hello.name != "Tester good" || len(bot.hello.options) != 3 {
		t.Errorf("the bot is %+v", bot.hello)
	}
	for want := range strangers {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not say %q:\n%s", want, log.String())
		}
	}
	if c, err := net.Dial("tcp", listener.Addr().String()); err == nil {
		c.Close()
		t.Error("it still listens")
	}
}

func TestOwner(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux says whose a connection is")
	}
	listener, err := listen()
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	c, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if uid, known := owner(c.LocalAddr().String(), c.RemoteAddr().String()); !known || uid != os.Getuid() {
		t.Errorf("the connection is of user %d (%v), and this is %d", uid, known, os.Getuid())
	}
	if _, known := owner("127.0.0.1:1", c.RemoteAddr().String()); known {
		t.Error("a connection that is not there has an owner")
	}
}

func TestReadManifest(t *testing.T) {
	for text, want := range map[string]string{
		"[settings]\nname = \"A\"\nagent_id = \"a/b\"\nrun_command = \"uv run 'my bot.py'\"\n[details]\ntags = [\"x\"]": `["uv" "run" "my bot.py"]`,
		"[settings]\nname = 'A'":              "settings.run_command: no command",
		"[settings]\nrun_command = \"sh 'a\"": "settings.run_command: Unterminated single-quoted string",
		"[settings\n":                         "toml: line 2",
		"[settings]\nrun_command = 3\n":       "incompatible types",
	} {
		p, err := ReadManifest([]byte(text))
		got := fmt.Sprintf("%q", p.Command)
		if err != nil {
			got = err.Error()
		} else if p.Protocol != "tcp" {
			t.Errorf("protocol %q", p.Protocol)
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

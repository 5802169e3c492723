package remote

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
	"thera/engine/gametest"
)

// guarded replaces the server of a table by one that wants keys.
func (tb *table) guarded() *guardedServer {
	g := serveGuarded(tb.t, &Guard{})
	tb.server.Close()
	tb.server = g.Server
	return g
}

// attacker is a client with the key of a worker, which does what it likes.
type attacker struct {
	*nats.Conn
	errs  chan error
	host  *Host
	calls *nats.Subscription
	said  func() string
}

// refused wants that the server refuses what attack does with a subject.
func (a *attacker) refused(t *testing.T, subject string, attack func() error) {
	t.Helper()
	gametest.OK(t, attack())
	gametest.OK(t, a.Flush())
	if err := <-a.errs; !strings.Contains(strings.ToLower(err.Error()), "permissions violation") || !strings.Contains(err.Error(), subject) {
		t.Errorf("%s: %v", subject, err)
	}
}

// hello says that mallory is there, or goes.
func (a *attacker) hello(t *testing.T, gone bool) {
	t.Helper()
	gametest.OK(t, a.Publish(helloSubject("mallory"), arena.JSON(hello{Version: version, Start: "s", Slots: 2, Gone: gone})))
}

// answer is what the host answers to a hello.
func (a *attacker) answer(t *testing.T, h hello) string {
	t.Helper()
	msg, err := a.Request(helloSubject("mallory"), arena.JSON(h), time.Minute)
	gametest.OK(t, err)
	return string(msg.Data)
}

// next is the next call to do something.
func (a *attacker) next(t *testing.T, what string) *nats.Msg {
	t.Helper()
	for {
		msg, err := a.calls.NextMsg(time.Minute)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if lastWord(msg.Subject) == what {
			return msg
		}
	}
}

// join makes mallory a worker of the run.
func (a *attacker) join(t *testing.T) {
	t.Helper()
	a.hello(t, false)
	respond(NATS{a.Conn}, a.next(t, "join"), "", nil)
}

// fetch asks for a file and returns the answer.
func (a *attacker) fetch(t *testing.T, p piece) string {
	t.Helper()
	msg, err := a.Request(fileSubject(a.host.terms.Key, "mallory"), arena.JSON(p), time.Minute)
	gametest.OK(t, err)
	return string(msg.Data)
}

// again waits until the host has noticed that mallory has left, and forgets its calls.
func (a *attacker) again(t *testing.T) {
	t.Helper()
	for startOf(a.host, "mallory") != "" {
		time.Sleep(time.Millisecond)
	}
	for n, _, _ := a.calls.Pending(); n > 0; n-- {
		if _, err := a.calls.NextMsg(time.Minute); err != nil {
			t.Fatal(err)
		}
	}
}

// startOf is the start of a worker that plays.
func startOf(h *Host, name string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m := h.known(name).now; m != nil {
		return m.Start
	}
	return ""
}

// What a worker with a key tries, with the first pair of the run in the hands of an honest one.
type attack struct {
	name   string
	attack func(t *testing.T, a *attacker)
}

var attacks = []attack{
	{"listens to others", func(t *testing.T, a *attacker) {
		honest := callSubject("honest", startOf(a.host, "honest"), "play")
		for _, s := range []string{">", "*", "thera.>", "thera.hello.*", "thera.worker.>", "thera.worker.*.*.play", honest, "thera.*.file.*", "_INBOX.>", "_INBOX_honest.>", "*.>", "$JS.>", "$SYS.>"} {
			a.refused(t, s, func() error {
				_, err := a.SubscribeSync(s)
				return err
			})
		}
	}},
	{"speaks as another worker, or as the host", func(t *testing.T, a *attacker) {
		start := startOf(a.host, "honest")
		for _, s := range []string{
			helloSubject("honest"), fileSubject(a.host.terms.Key, "honest"), runsSubject, "_INBOX_honest.x", "_INBOX.x", "$JS.API.INFO", "$SYS.REQ.SERVER.PING",
			callSubject("honest", start, "join"), callSubject("honest", start, "play"), callSubject("mallory", "s", "play"),
		} {
			a.refused(t, s, func() error {
				return a.Publish(s, arena.JSON(hello{Version: version, Start: start, Slots: 1, Gone: true}))
			})
		}
	}},
	{"answers twice", func(t *testing.T, a *attacker) {
		a.hello(t, false)
		msg := a.next(t, "join")
		respond(NATS{a.Conn}, msg, stateStill, nil)
		a.refused(t, msg.Reply, func() error { return a.Publish(msg.Reply, nil) })
		a.hello(t, true)
		a.again(t)
	}},
	{"lets the host speak for it", func(t *testing.T, a *attacker) {
		a.join(t)
		start := startOf(a.host, "honest")
		for _, reply := range []string{callSubject("honest", start, "play"), helloSubject("honest"), "_INBOX_honest.x", runsSubject, "$JS.API.INFO"} {
			heard, err := a.host.Conn.(NATS).SubscribeSync(reply)
			gametest.OK(t, err)
			gametest.OK(t, a.PublishRequest(fileSubject(a.host.terms.Key, "mallory"), reply, arena.JSON(piece{})))
			gametest.OK(t, a.PublishRequest(helloSubject("mallory"), reply, arena.JSON(hello{Version: version + 1, Start: "s"})))
			answers := a.answer(t, hello{Version: version + 1, Start: "s"}) + a.fetch(t, piece{}) // all that came before is answered then
			gametest.OK(t, a.host.Conn.(NATS).Flush())
			for n, _, _ := heard.Pending(); n > 0; n-- { // honest ones speak there as well
				if msg, err := heard.NextMsg(time.Minute); err != nil || strings.Contains(answers, string(msg.Data)) {
					t.Errorf("the host answers at %s: %v", reply, err)
				}
			}
			_ = heard.Unsubscribe()
		}
		a.hello(t, true)
		a.again(t)
	}},
	{"fails with a long story", func(t *testing.T, a *attacker) {
		a.hello(t, false)
		respond(NATS{a.Conn}, a.next(t, "join"), stateFailed, []byte(strings.Repeat("x", 1<<20)))
		a.again(t)
		if got := a.answer(t, hello{Version: version, Start: "s", Slots: 2}); len(got) > 2*mostRemark {
			t.Errorf("the answer has %d bytes", len(got))
		}
		a.host.mu.Lock()
		delete(a.host.workers, "mallory")
		a.host.mu.Unlock()
	}},
	{"takes more than one pair for each slot", func(t *testing.T, a *attacker) {
		a.join(t)
		pairs := map[string]bool{}
		for range 4 {
			msg := a.next(t, "play")
			var o order
			gametest.OK(t, json.Unmarshal(msg.Data, &o))
			pairs[o.Pair] = true
			respond(NATS{a.Conn}, msg, stateStill, nil)
		}
		if len(pairs) != 2 {
			t.Errorf("it has %d pairs", len(pairs))
		}
		a.hello(t, true)
		a.again(t)
	}},
	{"asks for a file again and again", func(t *testing.T, a *attacker) {
		name, pieces := filepath.Join(t.TempDir(), "engine"), 0
		gametest.OK(t, os.WriteFile(name, []byte("code"), 0o600))
		a.host.mu.Lock()
		a.host.Ship = map[string]string{"sum": name}
		a.host.mu.Unlock()
		if got := a.fetch(t, piece{Sum: "sum"}); got != "the host does not ship it" {
			t.Errorf("to who does not play: %.100s", got)
		}
		a.join(t)
		p, reply := arena.JSON(piece{Sum: "sum"}), Inbox("mallory")+".pieces"
		heard, err := a.SubscribeSync(reply)
		for range 2000 { // each could be 512 KiB
			err = errors.Join(err, a.PublishRequest(fileSubject(a.host.terms.Key, "mallory"), reply, p))
		}
		if got := a.fetch(t, piece{}); err != nil || got != "the host does not ship it" {
			t.Errorf("%v, %s", err, got)
		}
		for pieces, _, _ = heard.Pending(); pieces == 0; pieces, _, _ = heard.Pending() {
			time.Sleep(time.Millisecond)
		}
		if pieces > 1000 {
			t.Errorf("%d of 2000 are answered at once", pieces)
		}
		_ = heard.Unsubscribe()
		a.hello(t, true)
		a.again(t)
	}},
	{"hands in rubbish, and comes again in between", func(t *testing.T, a *attacker) {
		for n := range mostBad {
			a.join(t)
			respond(NATS{a.Conn}, a.next(t, "play"), "", []byte("rubbish"))
			if n < mostBad-1 {
				for strings.Count(a.said(), "worker mallory: a pair is refused") <= n {
					time.Sleep(time.Millisecond)
				}
				a.hello(t, true)
				a.again(t)
			}
		}
		for !strings.Contains(a.said(), "worker mallory is expelled") {
			time.Sleep(time.Millisecond)
		}
		for range 2 {
			if got := a.answer(t, hello{Version: version, Start: "s", Slots: 2}); !strings.Contains(got, "expelled") {
				t.Error(got)
			}
		}
	}},
}

// A worker with a key sees, changes and ends nothing that is not its own, whatever it
// sends, and the run is that of the honest one.
func TestAttacks(t *testing.T) { attacked(t, attacks) }

// A worker that sends a part of its games, or as much as a message can have, holds up nobody, and
// is refused as for any other rubbish.
func TestHoleEndlessPieces(t *testing.T) {
	attacked(t, []attack{{"sends a part of its games, and too much", func(t *testing.T, a *attacker) {
		whole, err := pack([]*arena.Game{filled()}, mostMessage)
		gametest.OK(t, err)
		for n, data := range [][]byte{whole[:len(whole)/2], make([]byte, mostMessage-1000)} {
			a.join(t)
			respond(NATS{a.Conn}, a.next(t, "play"), "", data)
			for strings.Count(a.said(), "worker mallory: a pair is refused") <= n {
				time.Sleep(time.Millisecond)
			}
			a.hello(t, true)
			a.again(t)
		}
	}}})
}

// attacked plays a run beside attacks.
func attacked(t *testing.T, attacks []attack) {
	t.Helper()
	tb := newTable(t, 5)
	g := tb.guarded()
	tb.change = func(h *Host) { h.calm = time.Nanosecond }
	stay, playing, release := stayAfterFirst()
	tb.workerOn(g.worker("honest"), "honest", 1, stay)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(release)
		<-playing
		a := &attacker{errs: make(chan error, 1000), host: tb.playing(), said: tb.said}
		a.Conn = g.worker("mallory", nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { a.errs <- err }))
		var err error
		if a.calls, err = a.SubscribeSync(callSubject("mallory", "s", "*")); err != nil {
			t.Error(err)
			return
		}
		for _, tt := range attacks {
			t.Run(tt.name, func(t *testing.T) {
				tt.attack(t, a)
				if len(a.errs) > 0 {
					t.Error(<-a.errs)
				}
			})
			if startOf(a.host, "honest") == "" {
				t.Errorf("%s: the honest worker does not play", tt.name)
			}
		}
		if said := tb.said(); strings.Contains(said, "worker honest:") || strings.Contains(said, "honest has left") || strings.Contains(said, "honest is silent") {
			t.Errorf("said:\n%s", said)
		}
	}()
	tb.same(0)
	<-done
	if by, n := tb.by(), tb.noted(); by["honest"] != 10 || n["refused mallory"] != mostBad || n["expelled mallory"] != 1 {
		t.Errorf("played by %v, kept: %v", by, n)
	}
}

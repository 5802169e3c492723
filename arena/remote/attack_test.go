package remote

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"thera/arena/keys"
	"thera/arena/queue/jet"
)

// guarded replaces the server of a table by one that wants keys.
func (tb *table) guarded() *keys.Ring {
	ring, err := keys.Open(tb.t.TempDir())
	if err != nil {
		tb.t.Fatal(err)
	}
	config, err := ring.Server()
	if err != nil {
		tb.t.Fatal(err)
	}
	guarded, err := jet.ServeGuarded("127.0.0.1:0", &jet.Guard{
		TLS: config, Name: ring.Name, May: May, Say: func(text string) { tb.t.Log(text) },
		Revoked: func(name string) { tb.host.Dismiss(name, "its key was revoked") },
	})
	if err != nil {
		tb.t.Fatal(err)
	}
	if err := tb.server.Close(); err != nil {
		tb.t.Fatal(err)
	}
	tb.server = guarded
	return ring
}

// login connects a worker that is invited now.
func (tb *table) login(ring *keys.Ring, name string, more ...nats.Option) *nats.Conn {
	var i *keys.Invitation
	if err := ring.Invite(name, tb.server.Address(), func(made *keys.Invitation) error { i = made; return nil }); err != nil {
		tb.t.Fatal(err)
	}
	config, err := i.Client()
	if err != nil {
		tb.t.Fatal(err)
	}
	public, err := i.Public()
	if err != nil {
		tb.t.Fatal(err)
	}
	nc, err := nats.Connect("tls://"+i.Address, append([]nats.Option{
		nats.Secure(config), nats.Nkey(public, i.Sign), nats.CustomInboxPrefix(Inbox(name)), nats.Timeout(time.Minute),
	}, more...)...)
	if err != nil {
		tb.t.Fatal(err)
	}
	tb.t.Cleanup(nc.Close)
	return nc
}

// attacker is a client with the key of a worker, which does what it likes.
type attacker struct {
	*nats.Conn
	errs chan error
	host *Host
}

const rubbish = "rubbish"

// refused wants that the server refuses what attack does with a subject.
func (a *attacker) refused(t *testing.T, subject string, attack func() error) {
	t.Helper()
	if err := attack(); err != nil {
		t.Fatal(err)
	}
	if err := a.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := <-a.errs; !strings.Contains(strings.ToLower(err.Error()), "permissions violation") || !strings.Contains(err.Error(), subject) {
		t.Errorf("%s: %v", subject, err)
	}
}

// request asks the host and returns its answer.
func (a *attacker) request(t *testing.T, what string, v any) string {
	t.Helper()
	msg, err := a.Request(subject(a.host.key, what, "mallory"), encode(v), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return string(msg.Data)
}

// join makes mallory a worker of the run.
func (a *attacker) join(t *testing.T) {
	t.Helper()
	answer := a.request(t, "join", hello{Version: version, Worker: "mallory", Session: "s", Slots: 2})
	if !strings.Contains(answer, `"plan"`) {
		t.Fatal(answer)
	}
}

// holder is the worker that has a lease.
func holder(h *Host, lease string) string {
	h.dealer.mu.Lock()
	defer h.dealer.mu.Unlock()
	for m, leases := range h.dealer.leases {
		if leases[lease] != nil {
			return m.Name
		}
	}
	return ""
}

// What a worker with a key tries, with the first lease of the run in the hands of an
// honest one.
var attacks = []struct {
	name   string
	attack func(t *testing.T, a *attacker)
}{
	{"listens to others", func(t *testing.T, a *attacker) {
		for _, s := range []string{">", "*", "thera.>", "thera.*.games.*", "thera." + a.host.key + ".lease.>", "_INBOX.>", "_INBOX_honest.>", "*.>", "$JS.>", "$SYS.>"} {
			a.refused(t, s, func() error {
				_, err := a.SubscribeSync(s)
				return err
			})
		}
	}},
	{"reads and changes the queue", func(t *testing.T, a *attacker) {
		stream := "THERA_" + a.host.key
		for _, s := range []string{
			"STREAM.INFO." + stream, "STREAM.NAMES", "STREAM.LIST", "STREAM.DELETE." + stream, "STREAM.PURGE." + stream, "STREAM.UPDATE." + stream, "STREAM.CREATE.mine",
			"STREAM.MSG.GET." + stream, "DIRECT.GET." + stream, "STREAM.MSG.DELETE." + stream, "STREAM.SNAPSHOT." + stream,
			"CONSUMER.CREATE." + stream, "CONSUMER.DURABLE.CREATE." + stream + ".mine", "CONSUMER.DELETE." + stream + ".pairs", "CONSUMER.INFO." + stream + ".pairs",
			"CONSUMER.MSG.NEXT." + stream + ".pairs", "INFO",
		} {
			a.refused(t, s, func() error { return a.PublishRequest("$JS.API."+s, a.NewInbox(), []byte("{}")) })
		}
		s := "thera." + a.host.key + ".lease.99.0"
		a.refused(t, s, func() error { return a.Publish(s, []byte("{}")) })
	}},
	{"acknowledges, ends and keeps leases of others", func(t *testing.T, a *attacker) {
		s := "$JS.ACK.THERA_" + a.host.key + ".pairs.1.1.1.1700000000000000000.0"
		for _, word := range []string{"+ACK", "-NAK", "+TERM", "+WPI", "+NXT"} {
			a.refused(t, s, func() error { return a.Publish(s, []byte(word)) })
		}
	}},
	{"speaks as another worker, or as the host", func(t *testing.T, a *attacker) {
		for _, what := range []string{"join", "leave", "take", "back", "games"} {
			s := subject(a.host.key, what, "honest")
			a.refused(t, s, func() error {
				return a.Publish(s, encode(hello{Version: version, Worker: "honest", Session: "s", Slots: 1}))
			})
		}
		a.refused(t, runsSubject, func() error {
			return a.Publish(runsSubject, encode(notice{Version: version, Key: a.host.key, Over: true}))
		})
		a.refused(t, "_INBOX_honest.x", func() error { return a.Publish("_INBOX_honest.x", encode(terms{Refused: "no"})) })
	}},
	{"lets the host speak for it", func(t *testing.T, a *attacker) {
		for _, reply := range []string{subject(a.host.key, "leave", "honest"), subject(a.host.key, "games", "honest"), runsSubject, "$JS.API.STREAM.DELETE.THERA_" + a.host.key, "$JS.API.STREAM.PURGE.THERA_" + a.host.key} {
			for what, v := range map[string]any{
				"join": hello{Version: version, Worker: "mallory", Session: "s", Slots: 1}, "take": wanted{Session: "s"}, "leave": leave{},
			} {
				if err := a.PublishRequest(subject(a.host.key, what, "mallory"), reply, encode(v)); err != nil {
					t.Fatal(err)
				}
			}
			if err := a.PublishRequest(helloSubject, reply, nil); err != nil {
				t.Fatal(err)
			}
		}
		s := "$JS.ACK.THERA_" + a.host.key + ".pairs.1.1.1.1.0"
		if err := a.PublishRequest(subject(a.host.key, "take", "mallory"), s, nil); err != nil {
			t.Fatal(err)
		}
		if err := <-a.errs; !strings.Contains(err.Error(), "Publish with Reply of") {
			t.Error(err)
		}
		a.join(t)
		for _, what := range []string{"take", "leave"} { // all that came before is done then
			a.request(t, what, wanted{Session: "s"})
		}
		if held, err := a.host.queue.Held(t.Context()); err != nil || len(held) == 0 {
			t.Errorf("the queue has %v, %v", held, err)
		}
	}},
	{"gives back and ends the lease of another", func(t *testing.T, a *attacker) {
		a.join(t)
		if err := a.Publish(subject(a.host.key, "back", "mallory"), encode(back{Session: "s", Lease: "0.0"})); err != nil {
			t.Fatal(err)
		}
		msg := nats.NewMsg(subject(a.host.key, "games", "mallory"))
		msg.Header.Set(headerLease, "0.0")
		msg.Data = []byte(rubbish)
		if answer, err := a.RequestMsg(msg, time.Minute); err != nil || !strings.Contains(string(answer.Data), "games that cannot be read") {
			t.Errorf("%s, %v", answer.Data, err)
		}
		a.request(t, "leave", leave{})
	}},
	{"takes more than two leases for each slot", func(t *testing.T, a *attacker) {
		if answer := a.request(t, "take", wanted{Session: "s", Wait: time.Minute}); answer != `{"unknown":true}` {
			t.Errorf("before it has joined: %s", answer)
		}
		a.join(t)
		for n, want := range []bool{true, true, true, true, false, false} {
			var d deal
			if answer := a.request(t, "take", wanted{Session: "s", Wait: time.Minute}); json.Unmarshal([]byte(answer), &d) != nil || (d.Lease != nil) != want {
				t.Errorf("lease %d: %s", n+1, answer)
			}
			if d.Lease != nil && holder(a.host, leaseName(*d.Lease)) != "mallory" {
				t.Errorf("lease %d is not its own", n+1)
			}
		}
		a.request(t, "leave", leave{}) // without them
		for _, lease := range []string{"1.0", "2.0", "3.0", "4.0"} {
			if name := holder(a.host, lease); name != "" {
				t.Errorf("%s has lease %s", name, lease)
			}
		}
	}},
	{"hands in rubbish, and comes again in between", func(t *testing.T, a *attacker) {
		a.join(t) // not its first rubbish
		a.request(t, "games", rubbish)
		a.request(t, "leave", leave{})
		a.join(t)
		var d deal
		if answer := a.request(t, "take", wanted{Session: "s", Wait: time.Minute}); json.Unmarshal([]byte(answer), &d) != nil || d.Lease == nil {
			t.Fatal(answer)
		}
		out := `{"refused":"the worker is expelled","out":true}`
		a.request(t, "games", rubbish)
		if answer := a.request(t, "games", rubbish); answer != out {
			t.Error(answer)
		}
		if answer := a.request(t, "take", wanted{Session: "s", Wait: time.Minute}); answer != `{"unknown":true}` {
			t.Error(answer)
		}
		if name := holder(a.host, leaseName(*d.Lease)); name != "" {
			t.Errorf("%s has its lease", name)
		}
	}},
}

// A worker with a key sees, changes and ends nothing that is not its own, whatever it
// sends, and the run is that of the honest one.
func TestAttacks(t *testing.T) {
	want := local(t, 5)
	tb := newTable(t, 5)
	ring := tb.guarded()
	tb.change = func(h *Host) { h.calm = time.Nanosecond }
	stay, playing, release := stayAfterFirst()
	tb.workerOn(tb.login(ring, "honest"), "honest", 1, stay)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(release)
		<-playing
		a := &attacker{errs: make(chan error, 1000), host: tb.host}
		a.Conn = tb.login(ring, "mallory", nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { a.errs <- err }))
		for _, tt := range attacks {
			t.Run(tt.name, func(t *testing.T) {
				tt.attack(t, a)
				if len(a.errs) > 0 {
					t.Error(<-a.errs)
				}
			})
			if name := holder(a.host, "0.0"); name != "honest" {
				t.Errorf("%s: the first lease is in the hands of %q", tt.name, name)
			}
		}
		if said := tb.said(); strings.Contains(said, "worker honest:") || strings.Contains(said, "honest has left") {
			t.Errorf("said:\n%s", said)
		}
	}()
	if _, err := tb.run(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	<-done
	if diff := cmp.Diff(want, tb.store.Games()); diff != "" {
		t.Error(diff)
	}
}

// The leases of a worker that is revoked while it plays go to others.
func TestRevokedWorker(t *testing.T) {
	want := local(t, 5)
	tb := newTable(t, 5)
	ring := tb.guarded()
	stay, playing, release := stayAfterFirst()
	closed := make(chan struct{})
	tb.workerOn(tb.login(ring, "gone", nats.NoReconnect(), nats.ClosedHandler(func(*nats.Conn) { close(closed) })), "gone", 1, stay)
	go func() {
		defer close(release)
		<-playing
		if err := ring.Revoke("gone"); err != nil {
			t.Error(err)
		}
		<-closed
		tb.workerOn(tb.login(ring, "stays"), "stays", 1, nil)
		for len(tb.store.Records()) < len(want) {
			time.Sleep(5 * time.Millisecond)
		}
	}()
	if _, err := tb.run(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, tb.store.Games()); diff != "" {
		t.Error(diff)
	}
	for _, rec := range tb.store.Records() {
		if rec.By == nil || rec.By.Worker != "stays" {
			t.Errorf("%s is by %v", rec.ID, rec.By)
		}
	}
	if said := tb.said(); !strings.Contains(said, "worker gone is dismissed: its key was revoked") {
		t.Errorf("said:\n%s", said)
	}
}

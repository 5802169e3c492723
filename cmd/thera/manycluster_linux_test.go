package main

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"thera/engine/gametest"
)

// A cluster of three NATS servers loses one of them by signal 9 while it has the leases of
// a run, and the run goes on: its games are those of a local run. The server comes back,
// and when it has caught up the one that leads then is killed.
func TestLongCluster(t *testing.T) {
	if !gametest.Long(t) {
		t.Skip("servers of a cluster need seconds to agree on who leads (THERA_LONG=1)")
	}
	gametest.Sequential(t)
	s := newSite(t, killedRest+"tournament: {rounds: 250}"+twoEngines)
	var at, routes, urls []string
	for range 6 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		at = append(at, l.Addr().String())
		_ = l.Close()
	}
	for i := range 3 {
		urls, routes = append(urls, "nats://"+at[i]), append(routes, "nats://"+at[3+i])
	}
	member := func(i int) {
		s.start(fmt.Sprint("n", i), "natsmember", fmt.Sprint("n", i), at[i], at[3+i], strings.Join(routes, ","))
	}
	for i := range 3 {
		member(i)
	}
	js := s.cluster(strings.Join(urls, ","))
	events := s.run(0, "--nats", strings.Join(urls, ","))
	s.server = strings.TrimPrefix(strings.Join(urls, ","), "nats://")
	s.worker("w1", "thera")
	s.worker("w2", "thera")
	killed := map[string]bool{}
	for range 2 {
		if s.play(&events, 10) {
			t.Fatal("the run was over too soon")
		}
		leader := s.leader(js)
		killed[leader] = true
		s.kill(leader)
		if s.play(&events, 10) {
			t.Fatal("the run was over too soon")
		}
		member(int(leader[1] - '0'))
	}
	if err := s.procs["runner"].Wait(); err != nil {
		t.Fatalf("%v\n%s", err, s.read("runner.log"))
	}
	t.Logf("killed: %v", killed)
	s.same(false)
}

// cluster waits until JetStream works in a cluster.
func (s *site) cluster(urls string) jetstream.JetStream {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		nc, err := nats.Connect(urls, nats.MaxReconnects(-1))
		if err == nil {
			s.t.Cleanup(nc.Close)
			js, err := jetstream.New(nc)
			if err != nil {
				s.t.Fatal(err)
			}
			if _, err = js.AccountInfo(s.t.Context()); err == nil {
				return js
			}
		}
		if time.Now().After(end) {
			s.t.Fatalf("no cluster: %v\n%s", err, s.read("n0.log"))
		}
	}
}

// leader is the server that leads the stream of the run, when the two others have all that
// it has.
func (s *site) leader(js jetstream.JetStream) string {
	s.t.Helper()
	var last *jetstream.ClusterInfo
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		for info := range js.ListStreams(s.t.Context()).Info() {
			last = info.Cluster
			behind := func(p *jetstream.PeerInfo) bool { return !p.Current || p.Offline }
			if c := last; c != nil && c.Leader != "" && len(c.Replicas) == 2 && !slices.ContainsFunc(c.Replicas, behind) {
				return c.Leader
			}
		}
	}
	s.t.Fatalf("no server leads the stream, or the others do not follow: %+v", last)
	return ""
}

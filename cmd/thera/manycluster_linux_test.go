package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"thera/engine/gametest"
)

// A cluster of three NATS servers loses one of them by signal 9, and comes back, and loses
// another one: the run goes on, and its games are those of a local run.
func TestLongCluster(t *testing.T) {
	if !gametest.Long(t) {
		t.Skip("servers of a cluster need seconds to find each other (THERA_LONG=1)")
	}
	gametest.Sequential(t)
	s := newSite(t, killedRest+"tournament: {rounds: 250}"+twoEngines)
	var at, routes, urls []string
	for range 6 {
		at = append(at, ownAddress(t))
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
	s.cluster(urls)
	events := s.run(0, "--nats", strings.Join(urls, ","))
	s.server = strings.TrimPrefix(strings.Join(urls, ","), "nats://")
	s.worker("w1", "thera")
	s.worker("w2", "thera")
	for i := range 3 {
		if s.play(&events, 10) {
			t.Fatal("the run was over too soon")
		}
		s.kill(fmt.Sprint("n", i))
		if s.play(&events, 10) {
			t.Fatal("the run was over too soon")
		}
		member(i)
		s.cluster(urls)
	}
	if err := s.procs["runner"].Wait(); err != nil {
		t.Fatalf("%v\n%s", err, s.read("runner.log"))
	}
	s.same(false)
}

// cluster waits until each server knows the two others.
func (s *site) cluster(urls []string) {
	s.t.Helper()
	for _, url := range urls {
		for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
			nc, err := nats.Connect(url)
			if err == nil {
				others := len(nc.DiscoveredServers())
				nc.Close()
				if others == len(urls)-1 {
					break
				}
			}
			if time.Now().After(end) {
				s.t.Fatalf("no cluster: %v\n%s", err, s.read("n0.log"))
			}
		}
	}
}

package main

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkWorkers measures the speed of two workers in processes of their own, and of
// two slots of one process, at 20 ms a move. They take turns on one machine, so that
// whatever else it does meets both; the loss is the median over pairs of turns. A turn
// is measured from the first game that is finished on: joining does not count.
func BenchmarkWorkers(b *testing.B) {
	const turns = 16
	const file = `game: santorini
tournament: {rounds: 100000}
openings: {random_plies: 4}
limit: {move: 20ms}
mixed: true
concurrency: 2
` + twoBuiltin
	for range b.N {
		var loss, local, elsewhere []float64
		last := 0.0
		for i := range turns {
			s := newSite(b, file)
			s.server = "none"
			var speed float64
			if i%2 == 0 {
				s.start("runner", "thera", "run", "m.yaml", "--db", s.db, "--events", "events.jsonl")
				speed = s.speed()
				local = append(local, speed)
			} else {
				s.start("runner", "thera", "run", "m.yaml", "--db", s.db, "--events", "events.jsonl", "--workers", "127.0.0.1:0", "--slots", "0")
				s.await("runner.log", "nats://", 1)
				_, at, _ := strings.Cut(s.read("runner.log"), "nats://")
				s.server = strings.Fields(at)[0]
				s.worker("w1", "thera")
				s.worker("w2", "thera")
				s.await("events.jsonl", " plays, with 1 slot", 2)
				speed = s.speed()
				elsewhere = append(elsewhere, speed)
				loss = append(loss, 100*(1-math.Exp(math.Log(speed)-math.Log(last))))
			}
			last = speed
			s.end()
		}
		slices.Sort(loss)
		b.Logf("loss in %%: %.1f", loss)
		b.ReportMetric(median(local), "moves/s-local")
		b.ReportMetric(median(elsewhere), "moves/s-workers")
		b.ReportMetric(median(loss), "%-loss")
		b.ReportMetric(0, "ns/op") // a number of turns, not a speed
	}
}

const twoBuiltin = "engines: [{name: a, builtin: true}, {name: b, builtin: true}]\n"

// speed is moves a second of 16 s, from one end of a game to another one.
func (s *site) speed() float64 {
	type event struct {
		Event   string
		Moves   int64
		Seconds float64
	}
	finished := func() (list []event) {
		for line := range strings.Lines(s.read("events.jsonl")) {
			var e event
			if json.Unmarshal([]byte(line), &e) == nil && e.Event == "game_finished" {
				list = append(list, e)
			}
		}
		return list
	}
	before := len(finished())
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(2 * time.Minute); ; <-tick.C {
		list := finished()
		if len(list) > before {
			if list = list[before:]; list[len(list)-1].Seconds-list[0].Seconds >= 16 {
				return float64(list[len(list)-1].Moves-list[0].Moves) / (list[len(list)-1].Seconds - list[0].Seconds)
			}
		}
		if time.Now().After(end) {
			s.t.Fatalf("two minutes are not enough: %s", s.read("runner.log"))
		}
	}
}

package main

import (
	"encoding/json"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkWorkers measures the speed of two workers in processes of their own, and of
// two slots of one process, at 20 ms a move. They take turns on one machine, so that
// whatever else it does meets both; the loss is the median over pairs of turns. A turn
// is measured from the end of the first pair of each slot to the end of its last one:
// joining does not count, and no pair counts in part. It takes four minutes.
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
		var loss, local, elsewhere, thinking []float64
		last := 0.0
		for i := range turns {
			s := newSite(b, file)
			here := i%4 == 0 || i%4 == 3 // neither kind is always the first
			if here {
				s.start("runner", "thera", "run", "m.yaml", "--db", s.db, "--events", "events.jsonl")
			} else {
				s.start("runner", "thera", "run", "m.yaml", "--db", s.db, "--events", "events.jsonl", "--workers", "127.0.0.1:0", "--slots", "0")
				s.await("runner.log", "nats://", 1)
				_, at, _ := strings.Cut(s.read("runner.log"), "nats://")
				s.server = strings.Fields(at)[0]
				s.worker("w1", "thera")
				s.worker("w2", "thera")
			}
			speed, thinks := s.speed(12 * time.Second)
			ratio := speed / last
			if here {
				local, ratio = append(local, speed), 1/ratio
			} else {
				elsewhere, thinking = append(elsewhere, speed), append(thinking, 100*thinks)
			}
			if i%2 == 1 {
				loss = append(loss, 100*(1-ratio))
			}
			last = speed
		}
		slices.Sort(loss)
		b.Logf("moves/s, local: %.1f", local)
		b.Logf("moves/s, workers: %.1f; engines think for so many %% of the time: %.1f", elsewhere, thinking)
		b.Logf("loss in %%: %.1f", loss)
		b.ReportMetric(median(local), "moves/s-local")
		b.ReportMetric(median(elsewhere), "moves/s-workers")
		b.ReportMetric(median(loss), "%-loss")
		b.ReportMetric(0, "ns/op") // a number of turns, not a speed
	}
}

const twoBuiltin = "engines: [{name: a, builtin: true}, {name: b, builtin: true}]\n"

// speed plays for so long after the first game, ends all programs and returns the moves in
// a second, and the share of the slots' time in which engines think.
func (s *site) speed(long time.Duration) (moves, thinks float64) {
	s.await("events.jsonl", `"game_finished"`, 1)
	time.Sleep(long)
	s.end()
	type played struct {
		Pair, Leg, Plies int
		Started          time.Time
		Seconds          float64
		Asked            []struct{ Wall time.Duration }
		By               struct{ Worker string }
	}
	cmd := exec.Command("thera", "export", "m.yaml", "--db", s.db)
	cmd.Dir = s.dir
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatal(err)
	}
	pairs := map[int][]played{}
	for line := range strings.Lines(string(out)) {
		var p played
		if json.Unmarshal([]byte(line), &p) == nil && p.Plies > 0 {
			pairs[p.Pair] = append(pairs[p.Pair], p)
		}
	}
	type slot struct {
		worker     string
		begin, end time.Time // of the pairs that count
		plies      int
		thought    time.Duration
	}
	var slots []*slot
	order := slices.Collect(maps.Keys(pairs))
	slices.SortFunc(order, func(x, y int) int { return pairs[x][0].Started.Compare(pairs[y][0].Started) })
	for _, pair := range order {
		legs := pairs[pair]
		if len(legs) < 2 {
			continue
		}
		end := legs[1].Started.Add(time.Duration(legs[1].Seconds * float64(time.Second)))
		var of *slot
		mine := 0
		for _, t := range slots {
			if t.worker == legs[0].By.Worker {
				if mine++; of == nil || t.end.Before(of.end) {
					of = t // of two here, the one that has been free for longer
				}
			}
		}
		if mine == 0 || mine == 1 && legs[0].By.Worker == "" {
			slots = append(slots, &slot{worker: legs[0].By.Worker, begin: end, end: end})
			continue
		}
		of.end = end
		for _, leg := range legs {
			of.plies += leg.Plies
			for _, asked := range leg.Asked {
				of.thought += asked.Wall
			}
		}
	}
	if len(slots) != 2 {
		s.t.Fatalf("%d slots played %d pairs, want 2:\n%s", len(slots), len(pairs), s.read("runner.log"))
	}
	for _, t := range slots {
		moves += float64(t.plies) / t.end.Sub(t.begin).Seconds()
		thinks += t.thought.Seconds() / t.end.Sub(t.begin).Seconds() / 2
	}
	return moves, thinks
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"thera/engine/gametest"
)

// benchPrograms names the programs that BenchmarkArena compares: name=path, by spaces. Without
// it that is the program of these tests alone.
const benchPrograms = "THERA_BENCH_PROGRAMS"

// BenchmarkArena measures whole runs of the program between engines that answer at once: games are
// checked and stored. Several programs take turns on one machine, so that whatever else it does
// meets all of them; the figures are medians of seven turns. The processor's time is that of
// the program and of both engines.
func BenchmarkArena(b *testing.B) {
	const turns = 7
	programs := strings.Fields(os.Getenv(benchPrograms))
	if len(programs) == 0 {
		programs = []string{"now=thera"}
	}
	dir := b.TempDir()
	moves := len(instantGame())
	for _, setting := range []struct {
		sandbox            string
		concurrency, games int
		fresh              bool // engines are started again for each game
	}{
		{"require", 1, 2000, false},
		{"require", 2, 2000, false},
		{"off", 1, 2000, false},
		{"off", 2, 2000, false},
		{"require", 1, 100, true},
		{"off", 1, 100, true},
	} {
		b.Run(fmt.Sprintf("sandbox=%s,concurrency=%d,fresh=%t", setting.sandbox, setting.concurrency, setting.fresh), func(b *testing.B) {
			engine := fmt.Sprintf("command: [instant], fresh: %t", setting.fresh)
			file := fmt.Sprintf(`game: santorini
engines: [{name: a, %s}, {name: b, %s}]
tournament: {rounds: %d}
limit: {move: 20s}
concurrency: %d
`, engine, engine, setting.games/2, setting.concurrency)
			gametest.OK(b, os.WriteFile(filepath.Join(dir, "m.yaml"), []byte(file), 0o666))
			for range b.N {
				perSecond, cpu := map[string][]float64{}, map[string][]float64{}
				for turn := range turns {
					for i := range programs {
						name, path, _ := strings.Cut(programs[(i+turn)%len(programs)], "=")
						db := filepath.Join(dir, name+".db") // each program has a form
						args := []string{"run", "m.yaml", "--fresh", "--db", db}
						if help, _ := exec.Command(path, "run", "--help").Output(); strings.Contains(string(help), "--sandbox") { // programs of before had none
							args = append(args, "--sandbox", setting.sandbox)
						}
						cmd := exec.Command(path, args...)
						cmd.Dir = dir
						begun := time.Now()
						if out, err := cmd.CombinedOutput(); err != nil {
							b.Fatalf("%s: %v\n%s", name, err, out)
						}
						count := float64(moves * setting.games)
						perSecond[name] = append(perSecond[name], count/time.Since(begun).Seconds())
						used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
						cpu[name] = append(cpu[name], used.Seconds()*1e6/count)
					}
				}
				for _, p := range programs {
					name, _, _ := strings.Cut(p, "=")
					b.ReportMetric(median(perSecond[name]), "moves/s-"+name)
					b.ReportMetric(median(cpu[name]), "cpu-µs/move-"+name)
				}
			}
			b.ReportMetric(0, "ns/op") // a number of turns, not a speed
		})
	}
}

func median(all []float64) float64 {
	all = slices.Sorted(slices.Values(all))
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

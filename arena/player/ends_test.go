package player

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"thera/arena/proc"
	"thera/engine/game"
)

const ms = time.Millisecond

func says(text string) func(*fake) {
	return func(f *fake) { f.ready = append(f.ready, []byte(text)) }
}

func closesOut(f *fake) { f.eof = true }
func closesIn(f *fake)  { f.inGone = true }
func hangsUp(f *fake)   { f.hungUp = true }

// begins is the first visible sign of a death: the kernel's flag, which is set
// before the pipes are closed.
func begins(f *fake) { f.ending = true }

func ends(e proc.Exit) func(*fake) {
	return func(f *fake) {
		f.exit = &e
		f.Wake()
	}
}

// death is the end of a process in the kernel's order: the flag, then the pipes
// one by one, then the exit status, which is known late after them.
func death(at time.Duration, e proc.Exit, late time.Duration) []event {
	return []event{{at, begins}, {at + ms, closesIn}, {at + 2*ms, closesOut}, {at + 2*ms + late, ends(e)}}
}

// endings are engines that end or close a pipe within the limit of 100 ms, each
// with the one name of its fault.
var endings = []struct {
	name   string
	start  bool // no question: the limit is that of the start
	events []event
	words  string // received before it
	want   string
}{
	{"exits", false, death(50*ms, proc.Exit{Code: 3}, 0), "", "exited: 3"},
	{"exits, noticed after the limit", false, death(50*ms, proc.Exit{Code: 3}, 400*ms), "", "exited: 3"},
	{"exits, noticed long after", false, death(50*ms, proc.Exit{Code: 3}, 12*time.Second), "", "exited: 3"},
	{"exits at the last moment", false, death(97*ms, proc.Exit{Code: 3}, 5*ms), "", "exited: 3"},
	{"dies", false, death(50*ms, proc.Exit{Signal: 11, Name: "SIGSEGV"}, 400*ms), "", "crashed: signal 11 (SIGSEGV)"},
	{"dumps its core", false, []event{
		{50 * ms, begins},
		{5 * time.Second, closesIn},
		{5 * time.Second, closesOut},
		{5 * time.Second, ends(proc.Exit{Signal: 6, Name: "SIGABRT", Core: true})},
	}, "", "crashed: signal 6 (SIGABRT, core dumped)"},
	{"speaks and exits", false, append([]event{{40 * ms, says("info\nbest ")}, {45 * ms, says("move\n")}}, death(50*ms, proc.Exit{}, 300*ms)...), "info|best move", "exited: 0"},
	{"speaks at the last moment", false, append([]event{{98 * ms, says("word")}}, death(98*ms, proc.Exit{}, 0)...), "word", "exited: 0"},
	{"exits, its pipe held by another", false, []event{{50 * ms, begins}, {60 * ms, ends(proc.Exit{Code: 1})}}, "", "exited: 1"},
	{"... noticed after the limit", false, []event{{50 * ms, begins}, {300 * ms, ends(proc.Exit{Code: 1})}}, "", "exited: 1"},
	{"closes stdout", false, []event{{50 * ms, closesOut}}, "", "closed stdout"},
	{"closes stdout at the last moment", false, []event{{97 * ms, closesOut}}, "", "closed stdout"},
	{"closes stdin at the last moment", false, []event{{97 * ms, closesIn}}, "", "closed stdin"},
	{"speaks at the last moment, then hangs", false, []event{{97 * ms, says("word\n")}}, "word", "timeout"},
	{"closes stdout, exits soon", false, []event{{50 * ms, closesOut}, {350 * ms, begins}, {351 * ms, ends(proc.Exit{Code: 5})}}, "", "exited: 5"},
	{"closes stdin", false, []event{{50 * ms, closesIn}}, "", "closed stdin"},
	{"closes stdin, speaks", false, []event{{20 * ms, closesIn}, {60 * ms, says("word\n")}}, "word", "closed stdin"},
	{"closes stdin, exits soon", false, []event{{50 * ms, closesIn}, {80 * ms, begins}, {81 * ms, ends(proc.Exit{Code: 5})}}, "", "exited: 5"},
	{"closes both", false, []event{{50 * ms, closesIn}, {51 * ms, closesOut}}, "", "closed stdout"},
	{"over its memory", false, []event{
		{50 * ms, func(f *fake) { f.over, f.ending = 3<<20, true }}, {80 * ms, closesOut}, {400 * ms, ends(proc.Exit{Signal: 9, Name: "SIGKILL"})},
	}, "", "memory: 3 MiB resident"},
	{"hangs", false, nil, "", "timeout"},
	{"over its memory at the limit, and not gone", false, []event{{99 * ms, func(f *fake) { f.over = 3 << 20 }}}, "", "memory: 3 MiB resident"},
	{"closes stdin after the question", false, []event{{50 * ms, hangsUp}}, "", "closed stdin"},
	{"closes stdin at the start", true, []event{{50 * ms, hangsUp}}, "", "start timeout"},
	{"starts and exits", true, death(50*ms, proc.Exit{Code: 7}, 300*ms), "", "exited: 7"},
	{"is silent from the start", true, nil, "", "start timeout"},
	{"is deaf from the start", true, []event{{10 * ms, closesIn}}, "", "start timeout"},
}

// What an engine does within its limit has one name, no matter when the arena
// gets a core to look: in time, a little late, or long after the limit.
func TestNameIsIndependentOfScheduling(t *testing.T) {
	for _, tt := range endings {
		t.Run(tt.name, func(t *testing.T) {
			for seed := range uint64(200) {
				bubble(t, func(t *testing.T, f *fake) {
					f.then(tt.events...)
					rng := rand.New(rand.NewPCG(seed, 1))
					if seed > 0 { // the first one has a quiet machine
						f.away = func() time.Duration {
							longest := []time.Duration{0, ms, 10 * ms, 100 * ms, 400 * ms}[rng.IntN(5)]
							return time.Duration(rng.Int64N(int64(longest) + 1))
						}
					}
					words, fault := converse(t, f, tt.start)
					if strings.Join(words, "|") != tt.words || !strings.HasPrefix(fault, tt.want) {
						t.Errorf("seed %d: received %q, then %q; want %q, %q", seed, words, fault, tt.words, tt.want)
					}
				})
				if t.Failed() {
					return
				}
			}
		})
	}
}

// converse asks one question with a soft limit of 80 ms and a hard one of
// 100 ms, sends stop at the soft limit, and reads to the end.
func converse(t *testing.T, f *fake, start bool) (words []string, fault string) {
	t.Helper()
	c := NewConn(f)
	if start {
		c.Arm(Limits{Hard: 100 * ms, Kind: game.FaultStartTimeout})
	} else {
		c = ask(f, Limits{Soft: 80 * ms, Hard: 100 * ms})
	}
	for stopped := false; ; {
		line, err := c.Recv(context.Background())
		var over *game.Fault
		switch {
		case errors.Is(err, game.ErrSoft) && !stopped:
			stopped = true
			_ = c.Send([]byte("stop"))
		case errors.As(err, &over):
			if c.ClearFault() && over.Kind != game.FaultTimeout && over.Kind != game.FaultStartTimeout {
				t.Errorf("ClearFault clears %v", over)
			}
			return words, over.Error()
		case err != nil:
			t.Fatal(err)
		default:
			words = append(words, string(line))
		}
	}
}

// A line that arrived before the limit counts, however late it is read, and its
// time is at most the limit.
func TestReadLate(t *testing.T) {
	for _, away := range []time.Duration{0, 200 * ms, 10 * time.Second} {
		bubble(t, func(t *testing.T, f *fake) {
			f.then(event{90 * ms, says(strings.Repeat("info\n", 5000) + "move\n")})
			f.away = func() time.Duration { return away }
			c := ask(f, Limits{Hard: 100 * ms})
			for line := ""; line != "move"; {
				heard, err := c.Recv(context.Background())
				if err != nil {
					t.Fatalf("away for %v: %v", away, err)
				}
				line = string(heard)
			}
			if e := c.elapsed(); e < 90*ms || e > 100*ms {
				t.Errorf("away for %v: the answer took %v", away, e)
			}
		})
	}
}

// Half a line before the end is not an answer: the engine died.
func TestDiedWithinALine(t *testing.T) {
	for text, want := range map[string]string{"bestmo": "crashed", "bestmo\n": ""} {
		bubble(t, func(t *testing.T, f *fake) {
			f.ready = [][]byte{[]byte(text)}
			f.then(death(0, proc.Exit{Signal: 11, Name: "SIGSEGV"}, 300*ms)...)
			c := ask(f, Limits{Hard: time.Hour})
			hears(t, c, "bestmo")
			if got := fmt.Sprint(c.died()); !strings.HasPrefix(got, want) || want == "" && got != "<nil>" {
				t.Errorf("after %q: %v", text, got)
			}
		})
	}
}

// A cancelled context ends the wait for an exit status, and for an engine that does not read.
func TestCancelled(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		bubble(t, func(t *testing.T, f *fake) {
			f.full, f.eof, f.ending = deaf, !deaf, !deaf
			c := ask(f, Limits{Hard: time.Hour})
			ctx, cancel := context.WithTimeout(context.Background(), 50*ms)
			defer cancel()
			began := time.Now()
			if _, err := c.Recv(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 50*ms {
				t.Errorf("err = %v after %v", err, time.Since(began))
			}
		})
	}
}

//go:build unix

package match

import (
	"testing"
	"time"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest/nim"
)

func TestClockRunsOut(t *testing.T) {
	t.Parallel()
	p := plan(nim.New(40), "sleep=300")
	p.Limit = arena.Limit{Control: arena.Control{Clock: time.Second}, Grace: 10 * time.Millisecond, Start: time.Minute, Sync: time.Minute}
	for i, rec := range games(t, p, 2, Options{}) {
		checkVerdict(t, i, rec, game.FaultTimeout, "")
	}
}

// An engine never gets less than its dialect's min_move, by the clock or in CPU time.
func TestMinMove(t *testing.T) {
	for _, tt := range []struct {
		limit         arena.Limit
		soft, softCPU time.Duration
	}{
		{arena.Limit{Move: 50 * time.Millisecond}, time.Second, 0},
		{arena.Limit{Move: 2 * time.Second}, 2 * time.Second, 0},
		{arena.Limit{Nodes: 10, MaxMove: 2 * time.Second}, 2 * time.Second, 0},
		{arena.Limit{CPU: 50 * time.Millisecond}, time.Minute, time.Second},
		{arena.Limit{CPU: 2 * time.Second}, time.Minute, 2 * time.Second},
	} {
		tt.limit.Grace = 100 * time.Millisecond
		m := &Match{limits: [2]arena.Limit{tt.limit}}
		_, limits := m.budget(game.First, game.Info{MinMove: time.Second})
		if limits.Soft != tt.soft || limits.SoftCPU != tt.softCPU || limits.Hard != tt.soft+tt.limit.Grace ||
			tt.softCPU > 0 && limits.HardCPU != tt.softCPU+tt.limit.Grace {
			t.Errorf("%+v: %+v", tt.limit, limits)
		}
	}
}

// The removal that follows a mill in the same turn has a share of the turn's time, even
// if the move took all of it.
func TestHole09RemovalHasTime(t *testing.T) {
	const turn = 200 * time.Millisecond
	for _, used := range []time.Duration{0, turn / 2, turn, 2 * turn} {
		m := &Match{limits: [2]arena.Limit{{Move: turn}, {CPU: turn}}}
		for i := range m.limits {
			m.clocks[i].charge(&m.limits[i], turn, turn, false) // of the turn before
			m.clocks[i].charge(&m.limits[i], used/2, used/2, true)
			m.clocks[i].charge(&m.limits[i], used/2, used/2, true)
		}
		wall, _ := m.budget(game.First, game.Info{})
		cpu, _ := m.budget(game.Second, game.Info{})
		if want := max(turn-used, turn/8); wall.Time != want || cpu.CPU != want {
			t.Errorf("after %v: %v by the clock, %v of CPU time, want %v", used, wall.Time, cpu.CPU, want)
		}
	}
}

func TestSlice(t *testing.T) {
	for _, tt := range []struct {
		left, increment time.Duration
		toGo            int
		want            time.Duration
	}{
		{time.Minute, 0, 0, 2400 * time.Millisecond},
		{time.Minute, time.Second, 0, 3200 * time.Millisecond},
		{100 * time.Millisecond, time.Second, 0, 90 * time.Millisecond}, // never all that is left
		{5 * time.Millisecond, 0, 0, time.Millisecond},
		{time.Minute, 0, 40, 2400 * time.Millisecond},
		{time.Minute, 0, 4, 15 * time.Second},
		{time.Minute, 0, 1, time.Minute - 10*time.Millisecond},
	} {
		clock := game.Clock{ToGo: [2]int{tt.toGo, 0}}
		if got := slice(tt.left, tt.increment, clock.Parts(game.First, 25)); got != tt.want {
			t.Errorf("slice(%v, %v) with %d to go = %v, want %v", tt.left, tt.increment, tt.toGo, got, tt.want)
		}
	}
}

// After that many of its moves a side gets the time of a period again. A turn of
// two actions is one move.
func TestPeriods(t *testing.T) {
	m := &Match{history: &game.History{}}
	for i := range m.limits {
		m.limits[i] = arena.Limit{Control: arena.Control{Clock: time.Minute, Increment: time.Second, Period: 3}}
		m.clocks[i].left = time.Minute
	}
	m.limits[1].Period = 0
	left := func() [2]time.Duration {
		ask, _ := m.budget(game.First, game.Info{Limits: game.Limits{Clock: true}})
		return ask.Clock.Left
	}
	toGo := func() [2]int { ask, _ := m.budget(game.First, game.Info{}); return ask.Clock.ToGo }
	for i, want := range []int{3, 2, 1, 3, 2} {
		if got := toGo(); got != [2]int{want, 0} {
			t.Errorf("%v to go before move %d, want %d", got, i+1, want)
		}
		m.clocks[0].charge(&m.limits[0], 5*time.Second, 0, true)
		m.clocks[0].charge(&m.limits[0], 5*time.Second, 0, false)
		m.clocks[1].charge(&m.limits[1], 10*time.Second, 0, false)
	}
	// Five moves of ten seconds with five increments, and one more minute.
	if got := left(); got != [2]time.Duration{75 * time.Second, 15 * time.Second} {
		t.Errorf("left %v", got)
	}
	if m.clocks[1].charge(&m.limits[1], time.Hour, 0, false); left()[1] != time.Second {
		t.Errorf("left %v after an hour and an increment", left())
	}
}

package versions

import (
	"math"
	"math/rand/v2"
	"testing"

	"thera/arena"
	"thera/arena/rating"
	"thera/engine/gametest"
)

func tuning(iterations int, options ...arena.TuneOption) *arena.Tune {
	t := &arena.Tune{Iterations: iterations, Options: options}
	arena.SetDefaults(t)
	return t
}

// The sequences end where the settings say, and a lead moves options as far as they say.
func TestSteps(t *testing.T) {
	whole := arena.TuneOption{Name: "a", Start: 50, Min: 0, Max: 100, CEnd: 4, REnd: 0.1}
	s := newSPSA(tuning(100, whole), 7)
	first := 4 * math.Pow(100, 0.101)
	for step, want := range map[int][2]float64{99: {4, 0.4}, 0: {first, 1.6 * math.Pow(10, 0.602) / first}} {
		distance, move := s.gains(&whole, step)
		if math.Abs(distance-want[0]) > 1e-9 || math.Abs(move-want[1]) > 1e-9 {
			t.Errorf("step %d: %v, and %v for a point, want %v", step, distance, move, want)
		}
	}
	s.add(rating.Penta{0, 0, 0, 0, 2}) // two pairs won: 4 games ahead
	_, move := s.gains(&whole, 0)
	if got := math.Abs(s.theta()[0] - 50); math.Abs(got-4*move) > 1e-9 {
		t.Errorf("4 games ahead moved the value by %v, want %v", got, 4*move)
	}
	s.add(rating.Penta{}) // equal settings are not played
	if s.theta()[0] != s.path[1][0] || s.steps() != 2 {
		t.Errorf("a step without games: %v", s.path)
	}
}

// Rounding is right on average.
func TestStochasticRounding(t *testing.T) {
	o := arena.TuneOption{Min: 0, Max: 10}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, x := range []float64{3.25, 0.1, 9.9, 4} {
		sum, n := 0.0, 20_000
		for range n {
			sum += round(&o, x, rng.Float64())
		}
		if mean := sum / float64(n); math.Abs(mean-x) > 0.015 {
			t.Errorf("%v is %v on average", x, mean)
		}
	}
	if got := round(&o, 12, 0.99); got != 10 {
		t.Errorf("12 in 0 to 10 is %v", got)
	}
}

// synthetic is an engine with a known optimum: Elo falls by loss for each c_end² of
// distance from it.
type synthetic struct {
	best, loss []float64
	tune       *arena.Tune
	rng        *rand.Rand
}

func (e *synthetic) elo(values []float64) float64 {
	elo := 0.0
	for i, x := range values {
		off := (x - e.best[i]) / e.tune.Options[i].CEnd
		elo -= e.loss[i] * off * off
	}
	return elo
}

// pairs plays pairs between two settings; one game in five is a draw.
func (e *synthetic) pairs(plus, minus []float64, n int) (pairs rating.Penta) {
	expected := rating.Expected(e.elo(plus) - e.elo(minus))
	for range n {
		points := 0
		for range 2 {
			switch x := e.rng.Float64(); {
			case x < expected-0.1:
				points += 2
			case x < expected+0.1:
				points++
			}
		}
		pairs[points]++
	}
	return pairs
}

// Tunings of engines with a known optimum come close to it and gain the Elo that there
// is to gain.
func TestLongTuningsConverge(t *testing.T) {
	cases := 24
	if gametest.Long(t) {
		cases = 600
	}
	tune := tuning(1000,
		arena.TuneOption{Name: "sharp", Start: 20, Min: 0, Max: 100, CEnd: 4},
		arena.TuneOption{Name: "blunt", Start: 0.9, Min: 0, Max: 1, CEnd: 0.05, Fractions: true},
		arena.TuneOption{Name: "none", Start: 50, Min: 0, Max: 100, CEnd: 5}, // changes nothing
	)
	for i := range tune.Options {
		arena.SetDefaults(&tune.Options[i])
	}
	first, last := 0.0, 0.0
	off := make([]float64, 2)
	for n := range cases {
		rng := rand.New(rand.NewPCG(uint64(n), 9))
		e := &synthetic{best: []float64{35 + 20*rng.Float64(), 0.5 + 0.2*rng.Float64(), 0}, loss: []float64{6, 4, 0}, tune: tune, rng: rng}
		s := newSPSA(tune, uint64(n))
		first += e.elo(s.theta())
		for !s.done() {
			_, plus, minus := s.next()
			s.add(e.pairs(plus, minus, tune.Pairs))
		}
		last += e.elo(s.tuned())
		for i := range off {
			d := (s.theta()[i] - e.best[i]) / tune.Options[i].CEnd
			off[i] += d * d
		}
	}
	t.Logf("%d tunings of %d games: from %.1f to %.2f Elo below the optimum; off by %.2f and %.2f c_end (rms)",
		cases, 2*tune.Iterations*tune.Pairs, -first/float64(cases), -last/float64(cases), math.Sqrt(off[0]/float64(cases)), math.Sqrt(off[1]/float64(cases)))
	if gain := last / first; gain > 0.05 {
		t.Errorf("%.1f %% of the Elo is still lost", 100*gain)
	}
	for i, x := range off {
		if rms := math.Sqrt(x / float64(cases)); rms > 1 {
			t.Errorf("option %s is off by %.2f c_end", tune.Options[i].Name, rms)
		}
	}
}

package rating

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"thera/engine/gametest"
)

func TestTestsThatCannotBe(t *testing.T) {
	good := Test{0, 10, 0.05, 0.05, Normalized}
	gametest.OK(t, good.Check(true))
	for _, tt := range []struct {
		name string
		test Test
		want string
	}{
		{"no interval", Test{5, 5, 0.05, 0.05, Logistic}, "elo0 5 is not below elo1 5"},
		{"turned", Test{10, 0, 0.05, 0.05, Logistic}, "elo0 10 is not below elo1 0"},
		{"alpha", Test{0, 5, 0.5, 0.05, Logistic}, "alpha 0.5"},
		{"beta", Test{0, 5, 0.05, 0, Logistic}, "beta 0:"},
		{"model", Test{0, 5, 0.05, 0.05, "elo"}, `model "elo"`},
		{"bayesian pairs", Test{0, 5, 0.05, 0.05, Bayesian}, "not on pairs"},
		{"NaN", Test{math.NaN(), 5, 0.05, 0.05, Logistic}, "elo0 NaN"},
		{"infinite", Test{0, math.Inf(1), 0.05, 0.05, Logistic}, "elo1 +Inf"},
	} {
		if err := tt.test.Check(true); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
		s := tt.test.Pairs(Penta{1, 2, 3, 4, 5})
		if s.Decision != Continue || s.LLR != 0 || len(s.Caveats) != 1 {
			t.Errorf("%s: a test that cannot be decides %+v", tt.name, s)
		}
	}
}

// TestBoundsHaveTheirOwnErrorRates checks which of two unequal error rates is in which
// bound, by Wald's formulas.
func TestBoundsHaveTheirOwnErrorRates(t *testing.T) {
	lower, upper := Test{0, 10, 0.01, 0.2, Normalized}.Bounds()
	if math.Abs(lower-math.Log(0.2/0.99)) > 1e-12 || math.Abs(upper-math.Log(80)) > 1e-12 {
		t.Errorf("alpha 0.01 and beta 0.2: bounds %v and %v", lower, upper)
	}
}

// TestCountsOfTheOtherSide checks that counts seen from the other side have its points.
func TestCountsOfTheOtherSide(t *testing.T) {
	c := Counts{Games: WDL{1, 2, 4}, Pairs: Penta{1, 2, 3, 4, 5}, Singles: WDL{4, 2, 1}}
	want := Counts{Games: WDL{4, 2, 1}, Pairs: Penta{5, 4, 3, 2, 1}, Singles: WDL{1, 2, 4}}
	if c.Flip() != want || want.Flip() != c {
		t.Errorf("%+v from the other side: %+v", c, c.Flip())
	}
}

// TestResultsWithoutSpread checks that a test has an LLR even if all results
// are equal, because small counts replace those of 0. Only the bayesian model
// needs a win and a loss. The values were computed with 50 digits.
func TestResultsWithoutSpread(t *testing.T) {
	draws, wins := WDL{Draws: 100}, WDL{Wins: 4250}
	for _, tt := range []struct {
		model    Model
		games    WDL
		llr      float64
		decision string
		left     bool
	}{
		{Logistic, draws, 0.431041716, Continue, true},
		{Normalized, draws, 0.001589531, Continue, true},
		{Bayesian, draws, 0, Continue, false},
		{Logistic, wins, 24.517778286, H1, true},
		{Normalized, wins, 24.517684169, H1, true},
		{Bayesian, wins, 0, Continue, false},
	} {
		test := Test{-1.75, 0.25, 0.05, 0.05, tt.model}
		s := test.Games(tt.games)
		if math.Abs(s.LLR-tt.llr) > 1e-6 || s.Decision != tt.decision || (s.GamesLeft != nil) != tt.left {
			t.Errorf("%s, %+v: LLR %.9f, %s, %v games left", tt.model, tt.games, s.LLR, s.Decision, show(s.GamesLeft))
		}
		if len(s.Caveats) != 1 || strings.Contains(s.Caveats[0], "bayesian") != (tt.model == Bayesian) {
			t.Errorf("%s, %+v: warnings %q", tt.model, tt.games, s.Caveats)
		}
	}
}

// TestFarHypotheses checks that the most likely distribution under a
// hypothesis has the right mean even if the results are far from it.
func TestFarHypotheses(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	scores := []float64{0, 0.25, 0.5, 0.75, 1}
	for range 2000 {
		p, q, sum := make([]float64, 5), make([]float64, 5), 0.0
		for i := range p {
			p[i] = max(noCount, math.Floor(math.Pow(10, 12*rng.Float64()-2)))
			sum += p[i]
		}
		for i := range p {
			p[i] /= sum
		}
		wanted := (2*rng.Float64() - 1) * maxElo * math.Sqrt2 / perNelo
		tilt(q, p, scores, wanted)
		total := 0.0
		for i := range q {
			q[i] = p[i] / q[i]
			total += q[i]
		}
		mean, deviation := moments(q, scores)
		if off := mean - 0.5 - wanted*deviation; !(math.Abs(off) < 1e-8) || !(math.Abs(total-1) < 1e-8) {
			t.Fatalf("results %v, %v deviations: sum %v, off by %g", p, wanted, total, off)
		}
	}
}

// TestGamesLeft checks that a test half way to its bound needs about as many
// games again.
func TestGamesLeft(t *testing.T) {
	test := Test{0, 10, 0.01, 0.01, Normalized}
	p := Penta{150, 300, 600, 348, 174}
	s := test.Pairs(p)
	rate := s.LLR / float64(2*p.Pairs())
	want := (s.Upper - s.LLR) / rate
	if s.Decision != Continue || s.GamesLeft == nil || math.Abs(*s.GamesLeft-want) > 0.25*want {
		t.Errorf("LLR %v of %v: %s games left, want about %.0f", s.LLR, s.Upper, show(s.GamesLeft), want)
	}
}

// FuzzCounts checks that no counts give a NaN or an infinity.
func FuzzCounts(f *testing.F) {
	f.Add(int64(1), int64(0), int64(0), int64(0), int64(0), 0.0, 5.0)
	f.Add(int64(0), int64(1), int64(1e12), int64(0), int64(7), -900.0, 900.0)
	f.Add(int64(1e12), int64(1e12), int64(1e12), int64(1), int64(1), 0.0, 1e-9)
	f.Fuzz(func(t *testing.T, a, b, c, d, e int64, elo0, elo1 float64) {
		p := Penta{a, b, c, d, e}
		if p.Check() != nil {
			return
		}
		for _, model := range []Model{Normalized, Logistic, Bayesian} {
			test := Test{elo0, elo1, 0.05, 0.05, model}
			for _, v := range []any{OfPairs(p), Singly(WDL{a, b, c}).Estimate(), test.Pairs(p), test.Games(WDL{a, b, c})} {
				if _, err := json.Marshal(v); err != nil {
					t.Errorf("%v %v %v: %v", p, model, v, err)
				}
			}
		}
	})
}

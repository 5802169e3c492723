package rating

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"thera/engine/gametest"
)

// number is a number of the vectors. "inf", "nan" and null become nil.
type number struct{ value *float64 }

func (n *number) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return nil
	}
	return json.Unmarshal(text, &n.value)
}

func readVectors(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	gametest.OK(t, err)
	gametest.OK(t, json.Unmarshal(text, into))
}

// same compares with a relative and absolute tolerance. nil equals only nil.
func same(t *testing.T, what string, got, want *float64, tolerance float64) {
	t.Helper()
	switch {
	case got == nil && want == nil:
	case got == nil || want == nil:
		t.Errorf("%s: got %s, want %s", what, show(got), show(want))
	case !(math.Abs(*got-*want) <= tolerance*max(1, math.Abs(*want))):
		t.Errorf("%s: got %v, want %v (off by %g)", what, *got, *want, *got-*want)
	}
}

func show(x *float64) any {
	if x == nil {
		return "null"
	}
	return *x
}

func TestEloAndSPRTVectors(t *testing.T) {
	var file struct {
		Vectors []struct {
			ID, Kind string
			Input    map[string]int64
			SPRT     struct {
				Model                   Model
				Elo0, Elo1, Alpha, Beta float64
			}
			Ref map[string]number
		}
	}
	readVectors(t, "elo_sprt.json", &file)
	flat := 0
	for _, v := range file.Vectors {
		test := Test{v.SPRT.Elo0, v.SPRT.Elo1, v.SPRT.Alpha, v.SPRT.Beta, v.SPRT.Model}
		var s Estimate
		var state State
		if v.Kind == "wdl" {
			c := WDL{v.Input["wins"], v.Input["draws"], v.Input["losses"]}
			s, state = Singly(c).Estimate(), test.Games(c)
		} else {
			in := v.Input
			p := Penta{in["LL"], in["LD"], in["WL"] + in["DD"], in["WD"], in["WW"]}
			s, state = OfPairs(p), test.Pairs(p)
		}
		const ninth = 1e-9
		same(t, v.ID+" llr", &state.LLR, v.Ref["llr"].value, ninth)
		same(t, v.ID+" score", s.Score, v.Ref["score"].value, ninth)
		same(t, v.ID+" elo", s.Elo, v.Ref["elo"].value, ninth)
		same(t, v.ID+" los", s.LOS, v.Ref["los"].value, ninth)
		if se := v.Ref["stderr_score"].value; *se == 0 {
			flat++
			if s.EloLo != nil || s.EloHi != nil || s.ScoreError != nil || s.Nelo != nil || s.NeloError != nil {
				t.Errorf("%s: standard error 0 must leave the errors undefined", v.ID)
			}
			if len(s.Caveats) == 0 || len(state.Caveats) == 0 {
				t.Errorf("%s: no warning", v.ID)
			}
		} else {
			error95 := *se * T95(float64(max(s.Pairs, s.Games-2*s.Pairs)-1))
			same(t, v.ID+" score_error", s.ScoreError, &error95, ninth)
			same(t, v.ID+" elo_lo", s.EloLo, v.Ref["elo_lo"].value, ninth)
			same(t, v.ID+" elo_hi", s.EloHi, v.Ref["elo_hi"].value, ninth)
			same(t, v.ID+" nelo", s.Nelo, v.Ref["nelo"].value, ninth)
			same(t, v.ID+" nelo_error", s.NeloError, v.Ref["nelo_error"].value, ninth)
		}
		if s.BoundLo == nil || s.BoundHi == nil || *s.BoundLo >= *s.BoundHi {
			t.Errorf("%s: bounds %s to %s", v.ID, show(s.BoundLo), show(s.BoundHi))
		}
	}
	if len(file.Vectors) != 80 || flat == 0 {
		t.Errorf("%d vectors, %d of them with a standard error of 0", len(file.Vectors), flat)
	}
}

func TestRatingVectors(t *testing.T) {
	type solution struct {
		Rating   []float64
		Fisher   []float64 `json:"err_fisher"`
		Sandwich []float64 `json:"err_sandwich"`
		Boot     []float64 `json:"err_boot"`
		LOS      []float64 `json:"los_vs_next"`
		Apart    []float64 `json:"diff_err_sandwich_vs_first"`
	}
	var file struct {
		Tables []struct {
			ID      string
			Players []string
			Results []struct {
				A, B                string
				Wins, Draws, Losses int64
			}
			Connected bool `json:"strongly_connected"`
			Points    []float64
			Games     []int64
			ML        *solution
			Prior2    *solution
		}
	}
	readVectors(t, "ratings.json", &file)
	if len(file.Tables) != 7 {
		t.Errorf("%d tables", len(file.Tables))
	}
	for _, v := range file.Tables {
		var results []Meeting
		for _, r := range v.Results {
			results = append(results, Meeting{r.A, r.B, Singly(WDL{r.Wins, r.Draws, r.Losses})})
		}
		{
			table := Fit(results, nil)
			want := v.ML
			if !v.Connected {
				want = v.Prior2
			}
			if table.fit.prior == v.Connected || table.fit.prior && len(table.Caveats) == 0 {
				t.Errorf("%s: prior %v, warnings %q", v.ID, table.fit.prior, table.Caveats)
			}
			place := func(i int) int {
				at, ok := table.Find(v.Players[i])
				if !ok {
					t.Fatalf("%s: %s is missing", v.ID, v.Players[i])
				}
				return at
			}
			for i, name := range v.Players {
				p := table.Players[place(i)]
				same(t, v.ID+" "+name+" rating", p.Elo, &want.Rating[i], 1e-9)
				fisher := table.asymptotic(place(i), -1, func(e edge, w float64) float64 { return e.n * w })
				same(t, v.ID+" "+name+" err_fisher", &fisher, &want.Fisher[i], 1e-9)
				same(t, v.ID+" "+name+" points", &p.Points, &v.Points[i], 0)
				if p.Games != v.Games[i] {
					t.Errorf("%s %s: %d games, want %d", v.ID, name, p.Games, v.Games[i])
				}
				if want.Sandwich == nil {
					continue
				}
				observed := func(e edge, _ float64) float64 { return e.units.squares }
				sandwich := table.asymptotic(place(i), -1, observed)
				same(t, v.ID+" "+name+" err_sandwich", &sandwich, &want.Sandwich[i], 1e-9)
				if b := want.Boot[i]; math.Abs(sandwich-b) > 0.1*b {
					t.Errorf("%s %s: error %v, bootstrap %v", v.ID, name, sandwich, b)
				}
				if i > 0 {
					apart := table.asymptotic(place(0), place(i), observed)
					same(t, v.ID+" "+name+" apart", &apart, &want.Apart[i], 1e-9)
				}
				if i+1 < len(v.Players) {
					los := normal((*p.Elo - *table.Players[place(i+1)].Elo) / table.asymptotic(place(i), place(i+1), observed) * z95)
					same(t, v.ID+" "+name+" los", &los, &want.LOS[i], 1e-9)
				}
				// For many games the bounds are those of the vectors.
				if half := (*p.EloHi - *p.EloLo) / 2; math.Abs(half-sandwich) > (0.1+6/float64(p.Games))*sandwich {
					t.Errorf("%s %s: the bounds are ±%v of %d games, asymptotic ±%v", v.ID, name, half, p.Games, sandwich)
				}
			}
		}
	}
}

// asymptotic returns the 95 % error of the difference of two players, or of one, as
// the vectors have it: by the normal distribution, with these variances of pairings.
func (t *Ratings) asymptotic(i, k int, variance func(e edge, w float64) float64) float64 {
	a, b := i, k
	j, sum := &t.fit, 0.0
	weight := func(at int) float64 {
		if b < 0 {
			return j.p[a][at]
		}
		return j.p[a][at] - j.p[b][at]
	}
	for _, e := range j.edges {
		expected := Expected(j.rating[e.a] - j.rating[e.b])
		w := weight(e.a) - weight(e.b)
		sum += w * w * variance(e, expected*(1-expected))
	}
	for at := range j.rating {
		if _, v := j.virtual(at); j.prior {
			sum += weight(at) * weight(at) * v
		}
	}
	return z95 * math.Sqrt(sum)
}

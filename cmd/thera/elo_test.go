package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"thera/arena/rating"
	"thera/engine/gametest"
)

// TestEloAnswersTheVectors compares every field of thera elo with the
// statistics vectors, within 1e-6. Undefined values must be null.
func TestEloAnswersTheVectors(t *testing.T) {
	gametest.Sequential(t)
	text, err := os.ReadFile("../../arena/rating/testdata/elo_sprt.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			ID, Kind string
			Input    map[string]int64
			SPRT     struct {
				Model                   string
				Elo0, Elo1, Alpha, Beta float64
			}
			Ref map[string]any
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) != 80 {
		t.Fatalf("%d vectors", len(file.Vectors))
	}
	for _, v := range file.Vectors {
		in, units := v.Input, 0.0
		for _, n := range in {
			units += float64(n)
		}
		args := []string{"elo"}
		for _, flag := range []struct {
			name  string
			value any
		}{{"elo0", v.SPRT.Elo0}, {"elo1", v.SPRT.Elo1}, {"alpha", v.SPRT.Alpha}, {"beta", v.SPRT.Beta}, {"model", v.SPRT.Model}} {
			args = append(args, fmt.Sprintf("--%s=%v", flag.name, flag.value))
		}
		if v.Kind == "wdl" {
			args = append(args, fmt.Sprintf("--wins=%d", in["wins"]), fmt.Sprintf("--draws=%d", in["draws"]), fmt.Sprintf("--losses=%d", in["losses"]))
		} else {
			args = append(args, "--penta", fmt.Sprintf("%d,%d,%d,%d,%d", in["LL"], in["LD"], in["WL"]+in["DD"], in["WD"], in["WW"]))
		}
		status, out, errOut := thera("", args...)
		if status != exitDone {
			t.Fatalf("%s: exit %d, %s", v.ID, status, errOut)
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		spread := v.Ref["stderr_score"].(float64) > 0
		for _, name := range []string{"score", "elo", "elo_lo", "elo_hi", "los", "nelo", "nelo_error", "llr"} {
			want, finite := v.Ref[name].(float64)
			// Ignore bounds without a width.
			finite = finite && (spread || name != "elo_lo" && name != "elo_hi")
			is, ok := got[name].(float64)
			if ok != finite || finite && !(math.Abs(is-want) <= 1e-6) {
				t.Errorf("%s %s: got %v, want %v", v.ID, name, got[name], v.Ref[name])
			}
		}
		if spread {
			if want := rating.T95(units-1) * v.Ref["stderr_score"].(float64); math.Abs(got["score_error"].(float64)-want) > 1e-6 {
				t.Errorf("%s score_error: got %v, want %v", v.ID, got["score_error"], want)
			}
		} else if got["score_error"] != nil || len(got["warnings"].([]any)) == 0 {
			t.Errorf("%s: score_error %v, warnings %v", v.ID, got["score_error"], got["warnings"])
		}
		if lo, hi := got["bound_lo"].(float64), got["bound_hi"].(float64); !(0 <= lo && lo < hi && hi <= 1) {
			t.Errorf("%s: bounds %v to %v", v.ID, lo, hi)
		}
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"thera/arena/report"
	"thera/engine/gametest"
)

// thera runs one command line.
func thera(in string, args ...string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = mainExit(args, strings.NewReader(in), &o, &e)
	return status, o.String(), e.String()
}

// TestRatingGolden compares the output of elo and rate with
// testdata/rating/*.golden.
func TestRatingGolden(t *testing.T) {
	const list = "player_a,player_b,wins,draws,losses\nfoo,bar,10,5,3\r\nbar,baz,4,4,4\n \"baz\", foo,1,1,8\n"
	for _, tt := range []struct {
		name, in string
		args     []string
	}{
		{"elo", "", []string{"elo", "120", "200", "100"}},
		{"elo_flags", "", []string{"elo", "--wins", "120", "--draws", "200", "--losses", "100", "--elo1", "5", "--model", "bayesian"}},
		{"elo_pairs", "", []string{"elo", "--penta", "10,40,110,60,20", "--elo0", "0", "--elo1", "5"}},
		{"elo_whitewash", "", []string{"elo", "10", "0", "0", "--elo1", "5"}},
		{"elo_draws_logistic", "", []string{"elo", "0", "100", "0", "--elo0", "-1.75", "--elo1", "0.25", "--model", "logistic"}},
		{"elo_draws_normalized", "", []string{"elo", "0", "100", "0", "--elo0", "-1.75", "--elo1", "0.25"}},
		{"elo_draws_bayesian", "", []string{"elo", "0", "100", "0", "--elo0", "-1.75", "--elo1", "0.25", "--model", "bayesian"}},
		{"elo_wins_logistic", "", []string{"elo", "4250", "0", "0", "--elo0", "-1.75", "--elo1", "0.25", "--model", "logistic"}},
		{"elo_wins_normalized", "", []string{"elo", "4250", "0", "0", "--elo0", "-1.75", "--elo1", "0.25"}},
		{"elo_wins_bayesian", "", []string{"elo", "4250", "0", "0", "--elo0", "-1.75", "--elo1", "0.25", "--model", "bayesian"}},
		{"elo_nothing", "", []string{"elo", "0", "0", "0"}},
		{"rate", list, []string{"rate"}},
		{"rate_los", list, []string{"rate", "--los", "-"}},
		{"rate_json", list, []string{"rate", "--json", "--los"}},
		{"rate_anchor", list, []string{"rate", "--anchor", "bar=2500"}},
		{"rate_whitewash", "a,b,10,0,0\nc,d,1,1,1\n", []string{"rate"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, out, errOut := thera(tt.in, tt.args...)
			if status != exitDone || errOut != "" {
				t.Fatalf("exit %d, stderr %q", status, errOut)
			}
			for text := range strings.Lines(out) {
				if strings.HasPrefix(text, "{") && !json.Valid([]byte(text)) {
					t.Errorf("not JSON: %s", text)
				}
			}
			path := filepath.Join("testdata", "rating", tt.name+".golden")
			gametest.Golden(t, path, []byte(out))
		})
	}
}

func TestRatingRefuses(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		args     []string
	}{
		{"", "no counts", []string{"elo"}},
		{"", "4 counts: want three", []string{"elo", "1", "2", "3", "4"}},
		{"", `count 2, "x": not a whole number`, []string{"elo", "1", "x", "3"}},
		{"", "draws -2: want 0 or more", []string{"elo", "--", "1", "-2", "3"}},
		{"", "--penta 1,2: 2 counts", []string{"elo", "--penta", "1,2"}},
		{"", "given twice", []string{"elo", "1", "2", "3", "--penta", "1,2,3,4,5"}},
		{"", "elo0 5 is not below elo1 0", []string{"elo", "1", "2", "3", "--elo0", "5", "--elo1", "0"}},
		{"", "alpha 0.7", []string{"elo", "1", "2", "3", "--alpha", "0.7"}},
		{"", `model "x"`, []string{"elo", "1", "2", "3", "--model", "x"}},
		{"", "not on pairs", []string{"elo", "1", "2", "3", "4", "5", "--model", "bayesian"}},
		{"", "no such file", []string{"rate", "missing.csv"}},
		{"", "stdin: no results", []string{"rate"}},
		{"a,b,1,2\n", "stdin:1:1: 4 fields, want 5", []string{"rate"}},
		{"a,b,1,2,3\na,b,1,,3\n", `stdin:2:7: draws "": not a whole number`, []string{"rate"}},
		{"a,b,1,2,-3\na,a,1,1,1\n", "stdin:2:3: \"a\" plays against itself", []string{"rate"}},
		{",b,1,2,3\n", "stdin:1:1: a player without a name", []string{"rate"}},
		{"a,b,1,2,3\n", `no player "c"`, []string{"rate", "--anchor", "c=1"}},
		{"a,b,1,2,3\n", `"x" is not a rating`, []string{"rate", "--anchor", "a=x"}},
		{"a,\"b,1,2,3\n", "stdin:1:12: extraneous or missing", []string{"rate"}},
	} {
		status, out, errOut := thera(tt.in, tt.args...)
		if status != exitBadInput || out != "" || !strings.Contains(errOut, tt.want) {
			t.Errorf("%v: exit %d, stdout %q, stderr %q, want %q", tt.args, status, out, errOut, tt.want)
		}
	}
}

// The tables of rate fit 80 columns, however many players there are and however long
// their names; --wide shows all of them.
func TestRateFits(t *testing.T) {
	var list strings.Builder
	for i := range 14 {
		fmt.Fprintf(&list, "a-player-with-a-name-of-many-characters-%d,a-player-with-a-name-of-many-characters-%d,%d,12345,1000\n", i, i+1, 1000+i)
	}
	status, out, errOut := thera(list.String(), "rate", "--los")
	if status != exitDone || errOut != "" {
		t.Fatalf("exit %d, stderr %q", status, errOut)
	}
	for line := range strings.Lines(out) {
		if n := report.TextWidth(strings.TrimRight(line, "\n")); n > usualColumns {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if _, wide, _ := thera(list.String(), "rate", "--los", "--wide"); !strings.Contains(wide, "a-player-with-a-name-of-many-characters-14 ") {
		t.Errorf("--wide: %s", wide)
	}
}

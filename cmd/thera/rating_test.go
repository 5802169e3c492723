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
		{"elo", "", []string{"elo", "--wins", "120", "--draws", "200", "--losses", "100"}},
		{"elo_pairs", "", []string{"elo", "--penta", "10,40,110,60,20", "--elo0", "0", "--elo1", "5"}},
		{"elo_whitewash", "", []string{"elo", "--wins", "10", "--draws", "0", "--losses", "0", "--elo1", "5"}},
		{"elo_draws_logistic", "", []string{"elo", "--wins", "0", "--draws", "100", "--losses", "0", "--elo0", "-1.75", "--elo1", "0.25", "--model", "logistic"}},
		{"elo_draws_normalized", "", []string{"elo", "--wins", "0", "--draws", "100", "--losses", "0", "--elo0", "-1.75", "--elo1", "0.25"}},
		{"elo_draws_bayesian", "", []string{"elo", "--wins", "0", "--draws", "100", "--losses", "0", "--elo0", "-1.75", "--elo1", "0.25", "--model", "bayesian"}},
		{"elo_wins_logistic", "", []string{"elo", "--wins", "4250", "--draws", "0", "--losses", "0", "--elo0", "-1.75", "--elo1", "0.25", "--model", "logistic"}},
		{"elo_wins_normalized", "", []string{"elo", "--wins", "4250", "--draws", "0", "--losses", "0", "--elo0", "-1.75", "--elo1", "0.25"}},
		{"elo_wins_bayesian", "", []string{"elo", "--wins", "4250", "--draws", "0", "--losses", "0", "--elo0", "-1.75", "--elo1", "0.25", "--model", "bayesian"}},
		{"elo_nothing", "", []string{"elo", "--wins", "0", "--draws", "0", "--losses", "0"}},
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

// manyPlayers is a list with one player more than rate takes.
func manyPlayers() string {
	var list strings.Builder
	for i := range maxPlayers {
		fmt.Fprintf(&list, "hub,p%d,1,1,1\n", i)
	}
	return list.String()
}

// Rows of the same players add up.
func TestRateAddsRowsUp(t *testing.T) {
	_, once, _ := thera("a,b,2000,3000,1000\nb,c,2,2,1\n", "rate", "--json")
	_, often, _ := thera(strings.Repeat("a,b,2,3,1\n", 1000)+"b,c,2,2,1\n", "rate", "--json")
	if once != often {
		t.Errorf("in one row %s, in many %s", once, often)
	}
}

func TestRatingRefuses(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		args     []string
	}{
		{"", "at least one of the flags", []string{"elo"}},
		{"", "draws -2: want 0 or more", []string{"elo", "--draws", "-2"}},
		{"", "--penta: 2 counts", []string{"elo", "--penta", "1,2"}},
		{"", "none of the others can be", []string{"elo", "--wins", "1", "--penta", "1,2,3,4,5"}},
		{"", "elo0 5 is not below elo1 0", []string{"elo", "--wins", "1", "--elo0", "5", "--elo1", "0"}},
		{"", "alpha 0.7", []string{"elo", "--wins", "1", "--alpha", "0.7"}},
		{"", `model "x"`, []string{"elo", "--wins", "1", "--model", "x"}},
		{"", "not on pairs", []string{"elo", "--penta", "1,2,3,4,5", "--model", "bayesian"}},
		{"", "no such file", []string{"rate", "missing.csv"}},
		{"", "stdin: no results", []string{"rate"}},
		{"a,b,1,2\n", "stdin: record on line 1: wrong number of fields", []string{"rate"}},
		{"a,b,1,2,3\na,b,1,,3\n", `stdin:2: "": not a whole number`, []string{"rate"}},
		{"a,b,1,2,-3\n", "stdin:1: losses -3: want 0 or more", []string{"rate"}},
		{"a,a,1,1,1\n", `stdin:1: "a" plays against "a"`, []string{"rate"}},
		{",b,1,2,3\n", `stdin:1: "" plays against "b"`, []string{"rate"}},
		{"a,b,1,2,3\n", `no player "c"`, []string{"rate", "--anchor", "c=1"}},
		{"a,b,1,2,3\n", `"x" is not a rating`, []string{"rate", "--anchor", "a=x"}},
		{"a,\"b,1,2,3\n", "parse error on line 1, column 12: extraneous or missing", []string{"rate"}},
		{"a,b,1000000000000,0,0\na,b,1000000000000,0,0\n", "stdin:2: a - b in all: wins 2000000000000: want at most", []string{"rate"}},
		{manyPlayers(), "stdin:5000: more than 5000 players", []string{"rate"}},
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

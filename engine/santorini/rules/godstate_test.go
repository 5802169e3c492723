package rules

import (
	"strings"
	"testing"
)

// TestStatesThatCannotBe checks that the error for each god names its field.
func TestStatesThatCannotBe(t *testing.T) {
	const some, at = "1000000000003000000000400/1/", ":B3,D3/mortal:C4,C2"
	for _, tt := range []struct{ god, want string }{
		{"athena[1]" + at, "player 1: state of athena: [1], want [^] or no brackets"},
		{"achilles[y]" + at, "state of achilles: [y], want [x]"},
		{"morpheus[100]" + at, "state of morpheus: [100], want the number of builds saved, 0 to 99"},
		{"aeolus[north]" + at, "state of aeolus: [north], want a direction"},
		{"europa[F1]" + at, "state of europa: [F1], want a square"},
		{"europa[B3]" + at, "state of europa: the token is on B3, where a worker stands"},
		{"europa[C1]" + at, "state of europa: the token is on C1, which is a dome"},
		{"selene[A1]" + at, "state of selene: the female worker is on A1, where none of the workers is"},
		{"clio[2|B5]" + at, "state of clio: a coin on B5, which is the ground"},
		{"clio[3|A5]" + at, "state of clio: [3|A5]: 3 coins left and 1 placed, she has 3"},
		{"clio[2]" + at, "state of clio: [2], want the coins left"},
		{"clio[1|A5,A5]" + at, "two coins on A5"},
		{"jason:B3,D3,E1/mortal:C4,C2", "state of jason: three workers, but the power is not used"},
		{"graeae:B3,D3,E1,D1/mortal:C4,C2", "workers: 4, but graeae has 3"},
		{"hydra:B5,C5,D5,E5,A4,B4,D4,E4,A3,B3,D3,E3/mortal:C4,C2", "workers: 12, but hydra has 11"},
		{"pan:B3,D3/hades:C4,C2", "gods: hades and pan do not meet: "},
	} {
		_, _, err := Parse(some + tt.god)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.god, err, tt.want)
		}
	}
}

// TestStatesOfToday reads states that engines of today reach: a coin on a dome, achilles
// on a dome, minotaur on the square of the worker that it did not push.
func TestStatesOfToday(t *testing.T) {
	for _, text := range []string{
		"1000000000003000000000400/1/clio[2|C1]:B3,D3/mortal:C4,C2",
		"2202221321133000244323230/2/achilles[x]:E3,C2/asteria:A4,A1",
		"2112111023022302342221322/2/#minotaur:C1,E1/europa:E2,C1",
	} {
		if p, form, err := Parse(text); err != nil || Text(&p, form) != text {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"2202221321133000244323230/2/achilles:E3,C2/asteria:A4,A1":    "workers: C2 (index 17) is a dome",
		"2112111023022302342221322/2/minotaur:C1,E1/europa:E2,C1":     "workers: C1 (index 22) is held by player 1",
		"2112111023022302342221322/2/#mortal:C1,E1/europa:E2,C1":      "workers: C1 (index 22) is held by player 1",
		"2112111023022302342221022/2/#minotaur:C1,E1/europa:E2,C1":    "workers: C1 (index 22) is held by player 1",
		"2202221321133000244324230/2/achilles[x]:C2,D2/asteria:A4,A1": "is a dome",
	} {
		if _, _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

package rules

import (
	"strings"
	"testing"
)

func TestParseNamesTheFault(t *testing.T) {
	const flat = "0000000000000000000000000"
	for _, tt := range []struct{ text, want string }{
		{"", "1 fields, want 4"},
		{flat[1:] + "/1/mortal:11,13/mortal:7,17", "heights: 24 digits, want 25"},
		{"0500000000000000000000000/1/mortal:11,13/mortal:7,17", `heights: "5" at B5 (index 1)`},
		{flat + "/3/mortal:11,13/mortal:7,17", `side to move: "3", want 1 or 2`},
		{flat + "/1/morta:11,13/mortal:7,17", `player 1: god: unknown god "morta"`},
		{flat + "/1/mortal:11,25/mortal:7,17", `player 1: workers: "25" is not a square`},
		{flat + "/1/mortal:11,03/mortal:7,17", `player 1: workers: "03" is not a square`},
		{flat + "/1/mortal:11,13/mortal:F1,17", `player 2: workers: "F1" is not a square`},
		{flat + "/1/mortal:11,11/mortal:7,17", "player 1: workers: two on B3 (index 11)"},
		{flat + "/1/mortal:11,13/mortal:7,11", "player 2: workers: B3 (index 11) is held by player 1"},
		{flat + "/1/mortal:11,13/mortal:C4,B3", "player 2: workers: B3 (index 11) is held by player 1"},
		{"0000000000040000000000000/1/mortal:11,13/mortal:7,17", "player 1: workers: B3 (index 11) is a dome"},
		{flat + "/1/mortal:11,12,13/mortal:7,17", "player 1: workers: 3, but mortal has 2"},
		{flat + "/1/mortal:11,13/mortal:7", "player 2: workers: 1, but mortal has 2"},
		{"1000000000000000000000000/1/mortal:11,13/mortal:7", "player 2: workers: 1, but mortal has 2"},
		{flat + "/1/mortal#:11,13/mortal#:7,17", "player 2: winner: player 1 is marked already"},
		{flat + "/1/mortal[x]:11,13/mortal:7,17", "player 1: state of mortal: [x], but mortal has none"},
		{flat + "/1/mortal[:11,13/mortal:7,17", "no closing bracket"},
		{flat + "/2/mortal/mortal", "side to move: want player 1, who has workers to place"},
		{flat + "/1/mortal:A1,B1/mortal", "side to move: want player 2, who has workers to place"},
		{flat + "/2/mortal/mortal:A1,B1", "player 1: workers: none, but mortal places first"},
		{flat + "/1/#mortal/mortal", "player 1: winner: nobody has won before all workers are placed"},
	} {
		_, _, err := Parse(tt.text)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want %q", tt.text, err, tt.want)
		}
	}
}

func TestParseReadsBothForms(t *testing.T) {
	const flat, low = "0000000000000000000000000", "0200042000444440000000000"
	for _, tt := range []struct{ text, v1, v2 string }{
		{flat + "/1/mortal:13,11/mortal:7,17", flat + "/1/mortal:11,13/mortal:7,17", flat + "/1/mortal:B3,D3/mortal:C4,C2"},
		{flat + "/2/pan:D3,11/mortal:7,C2", "", flat + "/2/pan:B3,D3/mortal:C4,C2"},
		{low + "/2/mortal:0,1/mortal:#23,24", low + "/2/mortal:0,1/mortal#:23,24", low + "/2/mortal:A5,B5/#mortal:D1,E1"},
		{low + "/2/#mortal:0,1/mortal:23,24", low + "/2/mortal#:0,1/mortal:23,24", low + "/2/#mortal:A5,B5/mortal:D1,E1"},
		{low + "/2/mortal:0,1#/mortal:23,24", low + "/2/mortal#:0,1/mortal:23,24", low + "/2/#mortal:A5,B5/mortal:D1,E1"},
		{flat + "/1/mortal/mortal", "", flat + "/1/mortal/mortal"},
		{flat + "/2/mortal:3,5/mortal", "", flat + "/2/mortal:D5,A4/mortal"},
		{low + "/2/mortal:E1/mortal", "", low + "/2/mortal:E1/mortal"},
	} {
		p, f, err := Parse(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if tt.v1 != "" && (f != V1 || Text(&p, V1) != tt.v1) || tt.v1 == "" && f != V2 {
			t.Errorf("%s: form %d, %s; want %s", tt.text, f, Text(&p, V1), tt.v1)
		}
		if got := Text(&p, V2); got != tt.v2 {
			t.Errorf("%s: %s, want %s", tt.text, got, tt.v2)
		}
	}
}

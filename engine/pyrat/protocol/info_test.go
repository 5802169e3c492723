package protocol

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
)

// The last report of each of the nine kinds reaches the record.
func TestInfoIsReported(t *testing.T) {
	var in game.SearchInfo
	for _, text := range []string{
		"nodes 1 depth 1 time 1 currmove DOWN currline DOWN score 3 pv DOWN target (9,9)",
		"nodes 7 depth 2 time 12 currmove UP currline UP LEFT score -1.5",
		"pv UP RIGHT target (1, 2) string eyes on (1,2)", "string and away",
		"nodes x depth -3 time score NaN pv", "",
	} {
		readInfo(&in, strings.Fields(text))
	}
	want := game.SearchInfo{Depth: 2, Nodes: 7, Score: -1, Known: true, PV: "UP RIGHT", Details: &game.Details{
		Time: 12 * time.Millisecond, Score: -1.5, CurrMove: "UP", CurrLine: "UP LEFT", PV: "UP RIGHT", Target: "(1,2)",
		Texts: []string{"eyes on (1,2)", "and away"},
	}}
	if diff := cmp.Diff(want, in); diff != "" {
		t.Error(diff)
	}
	var plain, line game.SearchInfo
	readInfo(&plain, strings.Fields("nodes 7 depth 2 score 40"))
	if diff := cmp.Diff(game.SearchInfo{Nodes: 7, Depth: 2, Score: 40, Known: true}, plain); diff != "" {
		t.Error(diff)
	}
	if readInfo(&line, []string{"currline", "UP"}); line.PV != "UP" || line.Details.PV != "" || line.Details.CurrLine != "UP" {
		t.Errorf("%+v %+v", line, line.Details)
	}
}

// Whatever an AI prints, what is kept stays small and readable.
func TestInfoFloodIsBounded(t *testing.T) {
	var in game.SearchInfo
	for n := range 2000 {
		readInfo(&in, strings.Fields(fmt.Sprintf("pv %s string %d %s", strings.Repeat("UP ", n), n, strings.Repeat("über ", n))))
	}
	for _, key := range []string{"currmove", "target", "currline", "pv"} {
		readInfo(&in, []string{key, strings.Repeat("\xff€", 5000)})
	}
	s := in.Details
	if len(s.Texts) != keptTexts || !strings.HasPrefix(s.Texts[keptTexts-1], "1999 über") || !strings.HasPrefix(s.Texts[0], "1996 ") {
		t.Errorf("%d texts: %q", len(s.Texts), s.Texts)
	}
	for _, text := range append([]string{s.CurrMove, s.CurrLine, s.PV, s.Target}, s.Texts...) {
		if len(text) > keptBytes || len(text) < keptBytes/2 || !utf8.ValidString(text) || !strings.HasSuffix(text, "…") {
			t.Errorf("%d bytes kept: %q", len(text), text)
		}
	}
}

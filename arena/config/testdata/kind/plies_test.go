package config

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
)

// TestPlies runs where Limit has one more line; see TestALimitKindIsOneDeclaration.
func TestPlies(t *testing.T) {
	host := testHost(t)
	plan := parse(t, host, pair+"limit: {plies: 7}\n")
	if got := plan.Limit; got.Plies != 7 || got.Text() != "plies 7" || !got.Exact() || got.Timed() || got.MaxMove == 0 || !slices.Contains(arena.LimitKinds(), "plies") {
		t.Errorf("limit %+v, %q", got, got.Text())
	}
	if own := parse(t, host, pair+"limit: {nodes: 5}\n").Limit.With(plan.Limit); own.Nodes != 0 || own.Plies != 7 {
		t.Errorf("an engine's own limit does not replace that of the run: %+v", own)
	}
	for text, want := range map[string]string{
		"limit: {plies: 7, depth: 1}\n": "depth and plies together, expected one of move, clock, cpu, depth, nodes, plies",
		"limit: {plies: 99}\n":          "m.yaml:5:16: limit.plies: 99 is out of range, expected 1 to 50",
		"limit: {plies: 0}\n":           "m.yaml:5:16: limit.plies: 0 is out of range",
		"limit: {plies: x}\n":           `limit.plies: "x" is given, expected a whole number`,
	} {
		if _, err := Parse("m.yaml", []byte(pair+text), nil, host); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	set, err := Parse("m.yaml", []byte(pair+"limit: {nodes: 5}\n"), []string{"limit.plies=7"}, host)
	if err != nil || set.Limit != plan.Limit {
		t.Errorf("--set: %v, %v", set, err)
	}
	q := Quick{Commands: []string{"builtin", "builtin"}, Words: []string{"game=nim", Word("limit", "plies=7")}}
	quick, _, err := q.Plan("vs", nil, host)
	if err != nil || quick.Limit != plan.Limit || !strings.HasSuffix(arena.LimitUsage(), "nodes=N or plies=N") {
		t.Errorf("vs: %v, %v, %s", quick, err, arena.LimitUsage())
	}
	schema, err := Schema(testHost(t).Games)
	if err != nil || strings.Count(string(schema), "plies of a game (fixed for a run)") != 2 { // of the run and of an engine
		t.Errorf("schema: %v\n%s", err, schema)
	}
	var stored arena.Plan
	if text, err := json.Marshal(plan); err != nil || json.Unmarshal(text, &stored) != nil {
		t.Fatal(err)
	}
	stored.Game, stored.Engines = plan.Game, plan.Engines
	before := plan.Identity([2]string{"a", "b"}).Job(0, 0)
	plan.Limit.Plies = 8
	if diff := cmp.Diff([]string{"limit.plies: was 7, is 8"}, stored.Differences(plan)); diff != "" || plan.Identity([2]string{"a", "b"}).Job(0, 0) == before {
		t.Error("resuming: ", diff)
	}
}

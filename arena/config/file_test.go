package config

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A written match file has a remark for every key, is the match that was described,
// and has the keys that it lacks as comments.
func TestFile(t *testing.T) {
	host := testHost(t)
	q := Quick{Game: "nim", Format: "round-robin", Commands: []string{"new=builtin", "old=builtin"}, Limit: "40/60s+0.6s"}
	text, err := q.File("m.yaml", "thera-schema.json", []string{"engines.old.limit.depth=2"}, host)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(text), "# yaml-language-server: $schema=thera-schema.json\n") {
		t.Errorf("%s", text)
	}
	got := parse(t, host, string(text))
	want, _, err := q.Plan("m.yaml", []string{"engines.old.limit.depth=2"}, host)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "m.yaml" {
		t.Errorf("named %s", got.Name)
	}
	if got.Identity([2]string{"new", "old"}) != want.Identity([2]string{"new", "old"}) {
		t.Error(cmp.Diff(want.Conditions(), got.Conditions()))
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if len(line) > remarkWidth && strings.HasPrefix(line, "#") {
			t.Errorf("a long line: %s", line)
		}
		if key, _, top := strings.Cut(line, ":"); top && !strings.ContainsAny(key, "# ") && !strings.HasPrefix(lines[i-1], "# ") {
			t.Errorf("no remark on %s", key)
		}
	}
	for _, key := range []string{"name", "rules", "until", "adjudicate", "concurrency", "seed", "sprt"} {
		if !slices.Contains(lines, "# "+key+":") {
			t.Errorf("%s is not mentioned", key)
		}
	}
}

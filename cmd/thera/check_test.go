package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"thera/arena/check"
)

func TestCheckOfADeadEngine(t *testing.T) {
	var out, errOut bytes.Buffer
	code := mainExit([]string{"check", "--game", "santorini", "--json", "--", "sh", "-c", "exit 7"}, nil, &out, &errOut)
	if code != exitFindings {
		t.Fatalf("status %d, %s", code, errOut.String())
	}
	var report check.Checklist
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if report.Failed != 1 || report.Game != "santorini" || len(report.Findings) < 12 {
		t.Fatalf("%+v", report)
	}
	if f := report.Findings[0]; f.Number != 1 || f.Status != check.Failed || f.Detail != "exited: 7" {
		t.Errorf("first finding %+v", f)
	}
	out.Reset()
	if code := mainExit([]string{"check", "--game", "santorini", "--", "sh", "-c", "exit 7"}, nil, &out, &errOut); code != exitFindings {
		t.Errorf("status %d", code)
	}
	for _, want := range []string{" 1  failed  start", "exited: 7", "1 failed"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

func TestCheckBadInput(t *testing.T) {
	for _, tt := range []struct {
		args []string
		text string
	}{
		{[]string{"check"}, "requires at least 1 arg"},
		{[]string{"check", "--game", "chess", "--", "true"}, `unknown game "chess"`},
		{[]string{"check", "--game", "santorini", "--set", "protocol=v9", "--", "true"}, `v9`},
		{[]string{"check", "--game", "santorini", "--", "/no/such/engine"}, "/no/such/engine"},
		{[]string{"check", "--game", "santorini", "--set", "options.hash", "--", "true"}, "options.hash"},
		{[]string{"check", "--game", "gyges", "--set", "dialekt.min_move=1s", "--", "true"}, "unknown key, did you mean"},
		{[]string{"check", "--game", "gyges", "--set", "dialect.max_move=1s", "--", "false"}, "knows only min_move"},
		{[]string{"check", "--game", "mill", "--rule", "n_move_rule=5", "--", "true"}, "want 10 to 200"},
		{[]string{"check", "--game", "mill", "--limit", "5x", "--", "true"}, "not a duration"},
		{[]string{"check", "--game", "mill", "--limit", "60s+1s", "--", "true"}, "a check has no clock"},
		{[]string{"check", "--gods=pan,nobody", "--", "true"}, "an unknown god"},
		{[]string{"check", "--game", "mill", "--gods", "--", "true"}, "gods"},
		{[]string{"check", "--game", "santorini", "--positions", "0", "--", "true"}, "--positions 0"},
		{[]string{"check", "--", "sh", "-c", "exit 0"}, "speaks none of the protocols"},
	} {
		var out, errOut bytes.Buffer
		if code := mainExit(tt.args, nil, &out, &errOut); code != exitBadInput || !strings.Contains(errOut.String(), tt.text) {
			t.Errorf("%q: status %d, %q, want %q", tt.args, code, errOut.String(), tt.text)
		}
	}
}

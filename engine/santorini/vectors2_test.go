package santorini

import "testing"

func TestNextStatesV2(t *testing.T) {
	rows := vectors(t, "next_states_v2.jsonl.gz")
	if len(rows) != 817 {
		t.Fatalf("%d rows, want 817", len(rows))
	}
	skipped := 0
	for _, v := range rows {
		if !known(v.Gods) {
			skipped++
			continue
		}
		holdNext(t, v, formV2)
	}
	if skipped > 0 {
		t.Errorf("%d rows have gods that are not known", skipped)
	}
}

func known(names []string) bool {
	for _, n := range names {
		if _, ok := godNamed(n); !ok {
			return false
		}
	}
	return true
}

func TestPerftV2(t *testing.T) {
	rows := vectors(t, "perft_v2.jsonl.gz")
	if len(rows) != 77 {
		t.Fatalf("%d rows, want 77", len(rows))
	}
	for _, v := range rows {
		if _, _, err := parse(v.Fen); err != nil {
			continue
		}
		holdPerft(t, v)
	}
}

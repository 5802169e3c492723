package santorini

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/gametest"
)

// vector is one line of the next-states files.
type vector struct {
	ID           string   `json:"id"`
	Fen          string   `json:"fen"`
	Gods         []string `json:"gods"`
	Tag          string   `json:"tag"`
	Terminal     bool     `json:"terminal"`
	Winner       *int     `json:"winner"`
	Distinct     int      `json:"n_distinct"`
	Winning      int      `json:"n_winning"`
	Blocked      bool     `json:"blocked"`
	Next         []string `json:"next"`
	SHA          string   `json:"next_sha256"`
	PeersDiffer  bool     `json:"peer_versions_differ"`
	GodToMove    string   `json:"god_to_move"`
	EngineChecks int      `json:"engine_checked_depth"`
	Perft        []struct {
		Depth  int    `json:"depth"`
		Paths  uint64 `json:"paths"`
		Over   uint64 `json:"game_over"`
		Unique uint64 `json:"unique_states"`
	} `json:"perft"`
}

// vectors reads a gzipped file of JSON lines from testdata.
func vectors(t *testing.T, name string) []vector {
	t.Helper()
	return gametest.Vectors[vector](t, filepath.Join("testdata", name))
}

// holdNext compares one row with the rules.
func holdNext(t *testing.T, v vector, f form) {
	t.Helper()
	p, read, err := parse(v.Fen)
	if err != nil {
		t.Errorf("%s: %v", v.ID, err)
		return
	}
	if got := p.text(f); read == f && got != v.Fen {
		t.Errorf("%s: reads back as %s, want %s", v.ID, got, v.Fen)
	}
	next := nextStates(&p, f)
	winning := 0
	texts := make([]string, len(next))
	for i, q := range next {
		if q.winner == p.mover+1 {
			winning++
		}
		texts[i] = q.text(f)
		if back, _, err := parse(texts[i]); err != nil || back != q {
			t.Errorf("%s: %s is not read back: %v", v.ID, texts[i], err)
		}
	}
	slices.Sort(texts)
	if v.Terminal != (p.winner != 0) || v.Winning != winning || v.Distinct != len(next) && !v.Blocked {
		t.Errorf("%s %s: over %v, %d wins, %d states; want %v, %d, %d", v.ID, v.Fen, p.winner != 0, winning, len(next), v.Terminal, v.Winning, v.Distinct)
	}
	if v.Next == nil && v.SHA != "" {
		sum := sha256.Sum256([]byte(strings.Join(texts, "\n")))
		if got := hex.EncodeToString(sum[:]); got != v.SHA {
			t.Errorf("%s %s: %d states hash to %s, want %s", v.ID, v.Fen, len(texts), got, v.SHA)
		}
		return
	}
	if diff := cmp.Diff(v.Next, texts); diff != "" && len(v.Next)+len(texts) > 0 {
		t.Errorf("%s %s (-want +got):\n%s", v.ID, v.Fen, diff)
	}
}

func TestNextStatesV1(t *testing.T) {
	rows := vectors(t, "next_states_v1.jsonl.gz")
	if len(rows) != 487 {
		t.Fatalf("%d rows, want 487", len(rows))
	}
	for _, v := range rows {
		holdNext(t, v, formV1)
	}
}

func TestPerftV1(t *testing.T) {
	rows := vectors(t, "perft_v1.jsonl.gz")
	if len(rows) != 26 {
		t.Fatalf("%d rows, want 26", len(rows))
	}
	for _, v := range rows {
		holdPerft(t, v)
	}
}

func holdPerft(t *testing.T, v vector) {
	t.Helper()
	p, _, err := parse(v.Fen)
	if err != nil {
		t.Errorf("%s: %v", v.ID, err)
		return
	}
	for _, want := range v.Perft {
		got, err := count(t.Context(), &p, want.Depth)
		if err != nil || got != want.Paths {
			t.Errorf("%s %s depth %d: %d (%v), want %d", v.ID, v.Fen, want.Depth, got, err, want.Paths)
		}
	}
}

func TestOffRulesV1(t *testing.T) {
	rows := vectors(t, "offrules_worker_on_3_v1.jsonl.gz")
	held := 0
	for _, v := range rows {
		if v.PeersDiffer {
			continue // engines of today disagree: nothing to hold
		}
		holdNext(t, v, formV1)
		held++
	}
	if held < 20 {
		t.Errorf("%d rows of %d held", held, len(rows))
	}
}

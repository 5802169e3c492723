package wire

import (
	"strings"
	"testing"

	"thera/engine/santorini/rules"
)

func TestChainFault(t *testing.T) {
	p := parsed(t, openText)
	q := parsed(t, playedText)
	for text, want := range map[string]string{
		bestChain: "",
		`[{"type":"select_worker","selection":11},{"type":"move_worker","selection":5},{"type":"build","selection":0}]`:                  "",
		`[{"type":"select_worker","value":"B3"},{"type":"move_worker","value":{"dest":"A4","meta":null}},{"type":"build","value":"A5"}]`: "",
		`[{"type":"select_worker","value":"B3"},{"type":"move_worker","value":"A4"},{"type":"build","value":"B5"}]`:                      "other heights",
		`[{"type":"select_worker","value":"D3"},{"type":"move_worker","value":"D4"},{"type":"build","value":"A5"}]`:                      "workers elsewhere",
		`[{"type":"select_worker","value":"C4"},{"type":"move_worker","value":"A4"},{"type":"build","value":"A5"}]`:                      "no worker of the mover",
		`[{"type":"select_worker","value":"B3"},{"type":"move_worker","value":"Z9"}]`:                                                    "not a square",
		`[{"type":"move_worker","value":"A4"}]`: "no worker is selected",
		`[{"type":"select_worker","value":"B3"},{"type":"move_worker","value":"C4"},{"type":"build","value":"A5"}]`: "occupied",
		`[{"type":"place_worker","value":"A4"}]`: "cannot occur",
		``:                                       "no actions",
		`null`:                                   "workers elsewhere",
	} {
		var buf ChainBuffer
		got := ChainFault(&p, &q, []byte(text), &buf)
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func parsed(t *testing.T, text string) rules.State {
	t.Helper()
	p, _, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

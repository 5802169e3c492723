package foreign

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A list as long as the arena takes, with many chains of actions to each state: what
// is kept are the distinct states, not the 64 MiB.
func TestLargeList(t *testing.T) {
	const size, distinct = 64 << 20, 30_000
	chain := strings.Repeat(`{"type":"build","value":"A5"},`, 8)
	var b strings.Builder
	b.Grow(size + 1000)
	b.WriteString(`{"type":"next_moves","start_state":"` + flat + `/1/newgod:B3,D3/mortal:C4,C2","next_states":[`)
	entries := 0
	for ; b.Len() < size; entries++ {
		if entries > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"next_state":"%s/2/newgod[%d]:B3,D3/mortal:C4,C2","actions":[%s{"type":"x"}]}`, flat, entries%distinct, chain)
	}
	b.WriteString("]}")
	line := []byte(b.String())
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	_, states, err := ReadList(line)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if err != nil || len(states) != distinct || entries < 3*distinct {
		t.Fatalf("%d states of %d entries, %v", len(states), entries, err)
	}
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 16<<20 {
		t.Errorf("%d MiB are kept of %d states", kept>>20, len(states))
	}
	t.Logf("%d entries, %d MiB allocated meanwhile", entries, (after.TotalAlloc-before.TotalAlloc)>>20)
	runtime.KeepAlive(line)
}

package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSlotsShareProcessors(t *testing.T) {
	for _, tt := range []struct {
		cpus        []int
		concurrency int
		want        [][]int // by slot
	}{
		{nil, 2, [][]int{nil, nil}},
		{[]int{4, 5}, 1, [][]int{{4, 5}}},
		{[]int{4, 5}, 2, [][]int{{4}, {5}}},
		{[]int{0, 1, 2, 3}, 2, [][]int{{0, 1}, {2, 3}}},
		{[]int{4, 5}, 4, [][]int{{4}, {5}, {4}, {5}}},
		{[]int{1, 2, 3}, 2, [][]int{{1}, {2}}},
	} {
		plan := planOf(2, 1, tt.concurrency)
		plan.Engines[0].CPUs = tt.cpus
		var got [][]int
		for slot := range tt.concurrency {
			got = append(got, pinned(plan, slot).Engines[0].CPUs)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v over %d slots: %s", tt.cpus, tt.concurrency, diff)
		}
		if diff := cmp.Diff(tt.cpus, plan.Engines[0].CPUs); diff != "" {
			t.Errorf("the plan itself changed: %s", diff)
		}
	}
}

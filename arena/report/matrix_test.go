package report

import (
	"fmt"
	"math"

	"thera/arena"
)

// gods returns a run of one engine against itself with n roles. Role i beats
// role j more often the larger i is, and the first seat has a small advantage.
func gods(n, games int, strength func(i int) float64) *arena.Summary {
	sum := &arena.Summary{
		Run: arena.RunInfo{Name: "gods.yaml", Game: "santorini", State: "finished", Plan: arena.Plan{Engines: []arena.EngineSpec{{Name: "thera"}}, Format: arena.Format{Name: "cells"}}},
	}
	for i := range n {
		for j := range n {
			p := 1 / (1 + math.Pow(10, -(strength(i)-strength(j)+20)/400))
			wins := int(math.Round(p * float64(games)))
			sum.Rows = append(sum.Rows, singles("thera", "thera", 0, fmt.Sprintf("god%02d", i), fmt.Sprintf("god%02d", j), [3]int{wins, 0, games - wins}))
			sum.Run.Games += games
			sum.Counted += games
		}
	}
	return sum
}

func ladder(i int) float64 { return float64(40 * i) }

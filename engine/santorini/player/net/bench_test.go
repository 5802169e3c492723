package net

import (
	"testing"

	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/rules"
)

func BenchmarkDecode(b *testing.B) {
	for b.Loop() {
		if _, _, err := Decode(mortalsFile); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEvaluate evaluates the positions after two turns, in the order of a search.
func BenchmarkEvaluate(b *testing.B) {
	for _, text := range []string{
		"0001000001011001110010100/2/mortal:17,20/mortal:3,16",
		"0012401231001220134000112/1/mortal:3,12/mortal:8,16",
		"0010001210012100011000000/2/pan:6,13/hephaestus:7,12",
	} {
		p := santorinitest.MustParse(b, text)
		var list []rules.State
		for _, next := range rules.NextStates(&p) {
			list = append(list, rules.NextStates(&next)...)
		}
		n := mustNew(b, randomWeights(5, 120), everyGod())
		e := NewEvaluator(n)
		for name, evaluate := range map[string]func(*rules.State) int{"from scratch": n.Evaluate, "following": e.Evaluate} {
			b.Run(name+"/"+text, func(b *testing.B) {
				i := 0
				for b.Loop() {
					evaluate(&list[i])
					if i++; i == len(list) {
						i = 0
					}
				}
			})
		}
	}
}

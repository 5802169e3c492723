package net

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
	"unsafe"
)

// TestOffsets compares the shape and the offsets of fields that the generator of the vector
// code has typed in with those of the compiler.
func TestOffsets(t *testing.T) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "asm/main.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Error: func(error) {}} // the assembler's packages are not found
	generator, _ := config.Check("asm", set, []*ast.File{file}, nil)
	var (
		e Evaluator
		s sight
		w weights
	)
	for name, want := range map[string]uintptr{
		"lanes": Lanes, "neurons": Neurons, "top": Top, "pairs": pairs, "places": places, "rowBytes": unsafe.Sizeof(row{}),
		"classes": classes, "heights": heights, "squares": squares, "levels": levels, "atMate": atMate, "atFoe": atFoe,
		"sums": unsafe.Offsetof(e.sums), "seen": unsafe.Offsetof(e.seen), "pool": unsafe.Offsetof(e.pool), "above": unsafe.Offsetof(e.above),
		"workers": unsafe.Offsetof(e.workers), "counts": unsafe.Offsetof(e.counts), "sets": unsafe.Offsetof(e.sets),
		"stepsAt": unsafe.Offsetof(e.steps), "headAt": unsafe.Offsetof(e.head), "sightAt": unsafe.Offsetof(e.sight), "powers": unsafe.Offsetof(e.powers),
		"sightBlocks": unsafe.Offsetof(s.blocks), "sightOthers": unsafe.Offsetof(s.others), "sightPlaces": unsafe.Offsetof(s.places), "sightSigns": unsafe.Offsetof(s.signs),
		"atBias": unsafe.Offsetof(w.bias), "atLast": unsafe.Offsetof(w.last), "atFloor": unsafe.Offsetof(w.floor),
	} {
		c, ok := generator.Scope().Lookup(name).(*types.Const)
		if !ok {
			t.Errorf("the generator has no constant %s", name)
			continue
		}
		if got, exact := constant.Uint64Val(c.Val()); !exact || got != uint64(want) {
			t.Errorf("%s is %v in the generator, want %d", name, c.Val(), want)
		}
	}
}

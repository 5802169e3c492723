// Command asm writes the AVX2 code of the net of Santorini and of its trainer:
//
//	go generate ./engine/santorini/net ./scripts/internal/fit
//
// It is a module of its own, so that the program does not depend on the assembler. The
// portable code beside what it writes is the definition; tests compare the two.
package main

import (
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The shape of the net, as in package net.
const (
	lanes     = 32
	rowBytes  = lanes * 2
	registers = rowBytes / 32 // of a row
	pairs     = lanes         // of inputs of the second layer
	unroll    = 4
	top       = 2047 // of an activation
	shift     = 10
)

func main() {
	kind := flag.String("kind", "net", "what to write: net or fit")
	flag.Parse()
	ConstraintExpr("amd64")
	switch *kind {
	case "net":
		view()
		second()
	case "fit":
		add()
	default:
		log.Fatalf("-kind %q: want net or fit", *kind)
	}
	Generate()
}

// addRows adds n times unroll rows: list is byte offsets from base.
func addRows(name string, sum []reg.VecVirtual, base, list, n reg.Register) {
	Label(name)
	TESTQ(n, n)
	JZ(LabelRef(name + "Done"))
	offsets := [unroll]reg.GPVirtual{GP64(), GP64(), GP64(), GP64()}
	for k, offset := range offsets {
		MOVLQZX(Mem{Base: list, Disp: 4 * k}, offset)
	}
	for _, offset := range offsets {
		for i, y := range sum {
			VPADDW(Mem{Base: base, Index: offset, Scale: 1, Disp: 32 * i}, y, y)
		}
	}
	ADDQ(Imm(4*unroll), list)
	DECQ(n)
	JMP(LabelRef(name))
	Label(name + "Done")
}

func vectors(n int) []reg.VecVirtual {
	list := make([]reg.VecVirtual, n)
	for i := range list {
		list[i] = YMM()
	}
	return list
}

func view() {
	TEXT("viewAVX2", NOSPLIT, "func(sum, steps *uint64, changes *uint32, fours int, rows *uint64, others *uint32, otherFours int, pool *uint64)")
	Doc("viewAVX2 is viewGeneric with AVX2.")
	Pragma("noescape")
	sum := vectors(registers)
	at := Load(Param("sum"), GP64())
	for i, y := range sum {
		VMOVDQU(Mem{Base: at, Disp: 32 * i}, y)
	}
	n := Load(Param("fours"), GP64())
	TESTQ(n, n)
	JZ(LabelRef("same"))
	addRows("changes", sum, Load(Param("steps"), GP64()), Load(Param("changes"), GP64()), n)
	for i, y := range sum {
		VMOVDQU(y, Mem{Base: at, Disp: 32 * i})
	}
	Label("same")
	addRows("others", sum, Load(Param("rows"), GP64()), Load(Param("others"), GP64()), Load(Param("otherFours"), GP64()))
	zero, most, word := YMM(), YMM(), GP32()
	VPXOR(zero, zero, zero)
	MOVL(U32(top), word)
	x := XMM()
	VMOVD(word, x)
	VPBROADCASTW(x, most)
	pool := Load(Param("pool"), GP64())
	for i, y := range sum {
		VPMAXSW(y, zero, y)
		VPMINSW(y, most, y)
		VPADDW(Mem{Base: pool, Disp: 32 * i}, y, y)
		VMOVDQU(y, Mem{Base: pool, Disp: 32 * i})
	}
	VZEROUPPER()
	RET()
}

func second() {
	TEXT("secondAVX2", NOSPLIT, "func(pool *uint64, w *int16) int32")
	Doc("secondAVX2 is secondGeneric with AVX2.")
	Pragma("noescape")
	const (
		atBias  = pairs * 64
		atLast  = atBias + 64
		atFloor = atLast + 64
	)
	pool, w := Load(Param("pool"), GP64()), Load(Param("w"), GP64())
	sums := vectors(4) // two for the even pairs and two for the odd ones
	for i := range 2 {
		VMOVDQU(Mem{Base: w, Disp: atBias + 32*i}, sums[i])
		VPXOR(sums[2+i], sums[2+i], sums[2+i])
	}
	for k := range pairs {
		x, y := YMM(), YMM()
		VPBROADCASTD(Mem{Base: pool, Disp: 4 * k}, x)
		VPMADDWD(Mem{Base: w, Disp: 64*k + 32}, x, y)
		VPMADDWD(Mem{Base: w, Disp: 64 * k}, x, x)
		VPADDD(x, sums[k%2*2], sums[k%2*2])
		VPADDD(y, sums[k%2*2+1], sums[k%2*2+1])
	}
	for i := range 2 {
		VPADDD(sums[2+i], sums[i], sums[i])
		VPSRAD(Imm(shift), sums[i], sums[i])
		VPMAXSD(Mem{Base: w, Disp: atFloor + 32*i}, sums[i], sums[i])
		VPMULLD(Mem{Base: w, Disp: atLast + 32*i}, sums[i], sums[i])
	}
	VPADDD(sums[1], sums[0], sums[0])
	x, low := XMM(), sums[0].AsX()
	VEXTRACTI128(Imm(1), sums[0], x)
	VPADDD(x, low, low)
	VPSHUFD(Imm(0x4e), low, x)
	VPADDD(x, low, low)
	VPSHUFD(Imm(0xb1), low, x)
	VPADDD(x, low, low)
	total := GP32()
	VMOVD(low, total)
	VZEROUPPER()
	Store(total, ReturnIndex(0))
	RET()
}

func add() {
	TEXT("addAVX", NOSPLIT, "func(sum, row *float32, eights int)")
	Doc("addAVX adds the numbers of row, eight times eights of them, to those of sum.")
	Pragma("noescape")
	sum, row, n := Load(Param("sum"), GP64()), Load(Param("row"), GP64()), Load(Param("eights"), GP64())
	Label("next")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	y := YMM()
	VMOVUPS(Mem{Base: sum}, y)
	VADDPS(Mem{Base: row}, y, y)
	VMOVUPS(y, Mem{Base: sum})
	ADDQ(Imm(32), sum)
	ADDQ(Imm(32), row)
	DECQ(n)
	JMP(LabelRef("next"))
	Label("done")
	VZEROUPPER()
	RET()
}

// Command asm writes the AVX2 code of the net of Santorini:
//
//	go generate ./engine/santorini/net
//
// It is a module of its own, so that the program does not depend on the assembler. The
// portable code beside what it writes is the definition; tests compare the two.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The shape of the net, as in package net: Lanes is a multiple of 16 up to 128, Neurons 8,
// 16 or 32.
const (
	lanes   = 64
	neurons = 16
	top     = 2047
	shift   = 10

	rowBytes  = lanes * 2
	registers = rowBytes / 32 // of a row
	pairs     = lanes         // of inputs of the second layer
	eights    = neurons / 8   // registers of a sum of the second layer
)

// The rows, as in package net.
const (
	classes = 6
	heights = 3
	squares = 25
	levels  = 4
	places  = heights * 32

	steps  = squares * levels // of a worker
	atMate = heights*classes + heights*classes*squares*levels
	atFoe  = atMate + classes*squares*heights
)

// The fields of an Evaluator, in bytes.
const (
	sums    = 0
	seen    = sums + 2*places*rowBytes
	pool    = seen + 2*places*16
	above   = pool + 2*rowBytes
	workers = above + 16
	counts  = workers + 2*32
	sets    = counts + 2*8
	stepsAt = sets + 2*8
	headAt  = stepsAt + 8
	sightAt = headAt + 8
	powers  = sightAt + 8
)

// The fields of what sightAt points to.
const (
	sightBlocks = 0
	sightOthers = sightBlocks + 32*128
	sightPlaces = sightOthers + 32*places*2
	sightSigns  = sightPlaces + places
)

// The fields of what headAt points to.
const (
	atBias  = pairs * neurons * 4
	atLast  = atBias + neurons*4
	atFloor = atLast + neurons*4
)

func main() {
	ConstraintExpr("amd64")
	evaluate()
	Generate()
}

func vectors(n int) []reg.VecVirtual {
	list := make([]reg.VecVirtual, n)
	for i := range list {
		list[i] = YMM()
	}
	return list
}

// addRow adds the row at offset disp from base and index to sum.
func addRow(sum []reg.VecVirtual, base, index reg.Register, disp int) {
	for i, y := range sum {
		VPADDW(Mem{Base: base, Index: index, Scale: 1, Disp: disp + 32*i}, y, y)
	}
}

func evaluate() {
	TEXT("evaluateAVX2", NOSPLIT, "func(e *uint64) int32")
	Doc("evaluateAVX2 is evaluateGeneric of the Evaluator that begins at e, with AVX2.")
	Pragma("noescape")
	e := Load(Param("e"), GP64())
	zero, most := YMM(), YMM()
	VPXOR(zero, zero, zero)
	word, x := GP32(), XMM()
	MOVL(U32(top), word)
	VMOVD(word, x)
	VPBROADCASTW(x, most)
	for i := range 2 * registers {
		VMOVDQU(zero, Mem{Base: e, Disp: pool + 32*i})
	}
	extra := GP64()
	MOVQ(Mem{Base: e, Disp: powers}, extra)
	for set, name := range []string{"mine", "theirs"} {
		views(e, extra, set, name, zero, most)
	}
	second(e)
	VZEROUPPER()
	RET()
}

// views adds the activations of the workers of a set to its pool.
func views(e, extra reg.Register, set int, name string, zero, most reg.VecVirtual) {
	i := GP64()
	XORQ(i, i)
	Label(name)
	CMPQ(i, Mem{Base: e, Disp: counts + 8*set})
	JGE(LabelRef(name + "Done"))
	place, sum := GP64(), vectors(registers)
	MOVBQZX(Mem{Base: e, Index: i, Scale: 1, Disp: workers + 32*set}, place)
	blocks(e, place, set, name, sum)

	others, rows := GP64(), GP64()
	ANDQ(Imm(31), place)
	IMUL3Q(U32(places*2), place, others)
	ADDQ(Mem{Base: e, Disp: sightAt}, others)
	MOVQ(Mem{Base: e, Disp: sets + 8*set}, rows)
	for kind, at := range []int{atMate, atFoe} {
		loop := name + []string{"Mates", "Foes"}[kind]
		of := set ^ kind
		j, row := GP64(), GP64()
		XORQ(j, j)
		Label(loop)
		CMPQ(j, Mem{Base: e, Disp: counts + 8*of})
		JGE(LabelRef(loop + "Done"))
		if kind == 0 {
			CMPQ(i, j)
			JEQ(LabelRef(loop + "Itself"))
		}
		MOVBQZX(Mem{Base: e, Index: j, Scale: 1, Disp: workers + 32*of}, row)
		MOVWQZX(Mem{Base: others, Index: row, Scale: 2, Disp: sightOthers}, row)
		IMUL3Q(U32(rowBytes), row, row)
		addRow(sum, rows, row, at*rowBytes)
		Label(loop + "Itself")
		INCQ(j)
		JMP(LabelRef(loop))
		Label(loop + "Done")
	}

	TESTQ(extra, extra)
	JZ(LabelRef(name + "NoPowers"))
	n, row := GP64(), GP64()
	MOVLQZX(Mem{Base: extra}, n)
	Label(name + "Powers")
	ADDQ(Imm(4), extra)
	DECQ(n)
	JLT(LabelRef(name + "NoPowers"))
	MOVLQZX(Mem{Base: extra}, row)
	IMUL3Q(U32(rowBytes), row, row)
	addRow(sum, rows, row, 0)
	JMP(LabelRef(name + "Powers"))
	Label(name + "NoPowers")

	for k, y := range sum {
		to := Mem{Base: e, Disp: pool + rowBytes*set + 32*k}
		VPMAXSW(y, zero, y)
		VPMINSW(y, most, y)
		VPADDW(to, y, y)
		VMOVDQU(y, to)
	}
	INCQ(i)
	JMP(LabelRef(name))
	Label(name + "Done")
}

// blocks loads the sum that is remembered for a worker and brings it to the blocks of the
// position.
func blocks(e, place reg.Register, set int, name string, sum []reg.VecVirtual) {
	was, at, memory := [2]reg.GPVirtual{GP64(), GP64()}, GP64(), GP64()
	MOVQ(place, at)
	SHLQ(Imm(4), at)
	for k, w := range was {
		now := GP64()
		to := Mem{Base: e, Index: at, Scale: 1, Disp: seen + set*places*16 + 8*k}
		MOVQ(Mem{Base: e, Disp: above + 8*k}, now)
		MOVQ(to, w)
		XORQ(now, w)
		MOVQ(now, to)
	}
	IMUL3Q(U32(rowBytes), place, memory)
	for i, y := range sum {
		VMOVDQU(Mem{Base: e, Index: memory, Scale: 1, Disp: sums + set*places*rowBytes + 32*i}, y)
	}
	MOVQ(was[0], at)
	ORQ(was[1], at)
	JZ(LabelRef(name + "Same"))
	sees, first, sight := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: e, Disp: sightAt}, sight)
	MOVQ(sight, sees)
	MOVBQZX(Mem{Base: sees, Index: place, Scale: 1, Disp: sightPlaces}, first)
	IMUL3Q(U32(steps*rowBytes), first, first)
	ADDQ(Mem{Base: e, Disp: stepsAt}, first)
	MOVQ(place, at)
	ANDQ(Imm(31), at)
	SHLQ(Imm(7), at)
	ADDQ(at, sees)
	// Each round takes the lowest bit of the first word, or of the second if that is empty.
	Label(name + "Steps")
	rest, word, row := GP64(), GP64(), GP64()
	TZCNTQ(was[1], row)
	ADDQ(Imm(64), row)
	TZCNTQ(was[0], at)
	BLSRQ(was[1], rest)
	MOVQ(Mem{Base: e, Disp: above}, word)
	TESTQ(was[0], was[0])
	CMOVQEQ(row, at)
	CMOVQEQ(rest, was[1])
	CMOVQEQ(Mem{Base: e, Disp: above + 8}, word)
	BLSRQ(was[0], was[0])
	MOVBQZX(Mem{Base: sees, Index: at, Scale: 1, Disp: sightBlocks}, row)
	IMUL3Q(U32(rowBytes), row, row)
	SHRXQ(at, word, word)
	ANDQ(Imm(1), word)
	sign := YMM()
	VPBROADCASTW(Mem{Base: sight, Index: word, Scale: 2, Disp: sightSigns}, sign)
	for i, y := range sum {
		step := YMM()
		VMOVDQU(Mem{Base: first, Index: row, Scale: 1, Disp: set*heights*classes*steps*rowBytes + 32*i}, step)
		VPSIGNW(sign, step, step)
		VPADDW(step, y, y)
	}
	MOVQ(was[0], rest)
	ORQ(was[1], rest)
	JNZ(LabelRef(name + "Steps"))
	for i, y := range sum {
		VMOVDQU(y, Mem{Base: e, Index: memory, Scale: 1, Disp: sums + set*places*rowBytes + 32*i})
	}
	Label(name + "Same")
}

// second returns the value of the pools.
func second(e reg.Register) {
	w := GP64()
	MOVQ(Mem{Base: e, Disp: headAt}, w)
	total := vectors(2 * eights) // for the even pairs, then for the odd ones
	for i := range eights {
		VMOVDQU(Mem{Base: w, Disp: atBias + 32*i}, total[i])
		VPXOR(total[eights+i], total[eights+i], total[eights+i])
	}
	for k := range pairs {
		x := YMM()
		VPBROADCASTD(Mem{Base: e, Disp: pool + 4*k}, x)
		for i := range eights {
			y := YMM()
			VPMADDWD(Mem{Base: w, Disp: neurons*4*k + 32*i}, x, y)
			VPADDD(y, total[k%2*eights+i], total[k%2*eights+i])
		}
	}
	for i := range eights {
		VPADDD(total[eights+i], total[i], total[i])
		VPSRAD(Imm(shift), total[i], total[i])
		VPMAXSD(Mem{Base: w, Disp: atFloor + 32*i}, total[i], total[i])
		VPMULLD(Mem{Base: w, Disp: atLast + 32*i}, total[i], total[i])
	}
	for i := 1; i < eights; i++ {
		VPADDD(total[i], total[0], total[0])
	}
	x, low := XMM(), total[0].AsX()
	VEXTRACTI128(Imm(1), total[0], x)
	VPADDD(x, low, low)
	VPSHUFD(Imm(0x4e), low, x)
	VPADDD(x, low, low)
	VPSHUFD(Imm(0xb1), low, x)
	VPADDD(x, low, low)
	value := GP32()
	VMOVD(low, value)
	Store(value, ReturnIndex(0))
}

// evaluateAVX2 is evaluateGeneric with AVX2, for rows of 64 numbers (four registers) and 16
// neurons (two). Offsets and sizes are the compiler's; a test compares the two functions.

#include "go_asm.h"
#include "textflag.h"

#define ROW 128 // bytes

// LOAD, STORE and ADD are a row in Y2 to Y5.
#define LOAD(from) \
	VMOVDQU (from), Y2; VMOVDQU 32(from), Y3; VMOVDQU 64(from), Y4; VMOVDQU 96(from), Y5

#define STORE(to) \
	VMOVDQU Y2, (to); VMOVDQU Y3, 32(to); VMOVDQU Y4, 64(to); VMOVDQU Y5, 96(to)

#define ADD(base, index, at) \
	VPADDW at(base)(index*1), Y2, Y2; \
	VPADDW at+32(base)(index*1), Y3, Y3; \
	VPADDW at+64(base)(index*1), Y4, Y4; \
	VPADDW at+96(base)(index*1), Y5, Y5

// STEP adds a quarter of the row at R11+R15 with the sign Y6.
#define STEP(at, sum) \
	VMOVDQU at(R11)(R15*1), Y7; VPSIGNW Y6, Y7, Y7; VPADDW Y7, sum, sum

// ACTIVATE adds the activations of a quarter of a row to the pool.
#define ACTIVATE(at, sum) \
	VPMAXSW sum, Y0, sum; VPMINSW sum, Y1, sum; \
	VPADDW Evaluator_pool+at(AX), sum, sum; VMOVDQU sum, Evaluator_pool+at(AX)

// OTHERS adds the rows of the workers of a set, those after row first of R11. skip is a
// register with the number of one that is left out.
#define OTHERS(of, first, skip, loop, next, done) \
	XORQ R8, R8; \
loop: \
	CMPQ R8, Evaluator_counts+8*of(AX); JGE done; \
	CMPQ R8, skip; JEQ next; \
	MOVBQZX Evaluator_workers+32*of(AX)(R8*1), R9; \
	MOVWQZX sight_others(R10)(R9*2), R9; \
	SHLQ $7, R9; \
	ADD(R11, R9, first*ROW); \
next: \
	INCQ R8; JMP loop; \
done:

// VIEWS adds the activations of the workers of a set to its pool. DX is the worker, BX its
// place, CX what is left of powers, and Y2 to Y5 its view. The first part is follow: SI and DI
// are the blocks that have changed, and each round takes the lowest bit of SI, or of DI if that
// is empty, without a branch.
#define VIEWS(set, other, worker, steps, same, mate, nextMate, mates, foe, nextFoe, foes, power, powers, done) \
	XORQ DX, DX; \
worker: \
	CMPQ DX, Evaluator_counts+8*set(AX); JGE done; \
	MOVBQZX Evaluator_workers+32*set(AX)(DX*1), BX; \
	MOVQ BX, R8; SHLQ $4, R8; \
	MOVQ Evaluator_above(AX), R9; \
	MOVQ Evaluator_seen+set*const_places*16(AX)(R8*1), SI; XORQ R9, SI; \
	MOVQ R9, Evaluator_seen+set*const_places*16(AX)(R8*1); \
	MOVQ Evaluator_above+8(AX), R9; \
	MOVQ Evaluator_seen+set*const_places*16+8(AX)(R8*1), DI; XORQ R9, DI; \
	MOVQ R9, Evaluator_seen+set*const_places*16+8(AX)(R8*1); \
	MOVQ BX, R9; SHLQ $7, R9; LEAQ Evaluator_sums+set*const_places*ROW(AX)(R9*1), R9; \
	LOAD(R9); \
	MOVQ SI, R8; ORQ DI, R8; JZ same; \
	MOVQ Evaluator_sight(AX), R12; \
	MOVBQZX sight_places(R12)(BX*1), R11; IMUL3Q $const_workerSteps*ROW, R11, R11; ADDQ Evaluator_steps(AX), R11; \
	MOVQ BX, R10; ANDQ $31, R10; SHLQ $7, R10; LEAQ sight_blocks(R12)(R10*1), R10; \
steps: \
	TZCNTQ DI, R15; ADDQ $64, R15; TZCNTQ SI, R8; BLSRQ DI, R13; MOVQ Evaluator_above(AX), R14; \
	TESTQ SI, SI; CMOVQEQ R15, R8; CMOVQEQ R13, DI; CMOVQEQ Evaluator_above+8(AX), R14; \
	BLSRQ SI, SI; \
	MOVBQZX (R10)(R8*1), R15; SHLQ $7, R15; \
	SHRXQ R8, R14, R14; ANDQ $1, R14; VPBROADCASTW sight_signs(R12)(R14*2), Y6; \
	STEP(set*const_heights*const_classes*const_workerSteps*ROW, Y2); \
	STEP(set*const_heights*const_classes*const_workerSteps*ROW+32, Y3); \
	STEP(set*const_heights*const_classes*const_workerSteps*ROW+64, Y4); \
	STEP(set*const_heights*const_classes*const_workerSteps*ROW+96, Y5); \
	MOVQ SI, R13; ORQ DI, R13; JNZ steps; \
	STORE(R9); \
same: \
	ANDQ $31, BX; IMUL3Q $const_places*2, BX, R10; ADDQ Evaluator_sight(AX), R10; \
	MOVQ Evaluator_sets+8*set(AX), R11; \
	OTHERS(set, const_atMate, DX, mate, nextMate, mates); \
	MOVQ $-1, R12; \
	OTHERS(other, const_atFoe, R12, foe, nextFoe, foes); \
	TESTQ CX, CX; JZ powers; \
	MOVLQZX (CX), R8; \
power: \
	ADDQ $4, CX; DECQ R8; JLT powers; \
	MOVLQZX (CX), R9; SHLQ $7, R9; \
	ADD(R11, R9, 0); \
	JMP power; \
powers: \
	ACTIVATE(set*ROW, Y2); ACTIVATE(set*ROW+32, Y3); ACTIVATE(set*ROW+64, Y4); ACTIVATE(set*ROW+96, Y5); \
	INCQ DX; JMP worker; \
done:

// PAIR adds what two inputs give the neurons.
#define PAIR(k, low, high) \
	VPBROADCASTD 4*k(SI), Y6; \
	VPMADDWD 64*k(DI), Y6, Y7; VPADDD Y7, low, low; \
	VPMADDWD 64*k+32(DI), Y6, Y7; VPADDD Y7, high, high

// NEURONS are the outputs of eight neurons times their last weights.
#define NEURONS(at, sum) \
	VPSRAD $const_secondShift, sum, sum; \
	VPMAXSD weights_floor+at(CX), sum, sum; VPMULLD weights_last+at(CX), sum, sum

// func evaluateAVX2(e *Evaluator) int32
TEXT ·evaluateAVX2(SB), NOSPLIT, $0-12
	MOVQ e+0(FP), AX
	VPXOR Y0, Y0, Y0 // the least and the largest activation
	MOVL $const_Top, CX
	VMOVD CX, X1
	VPBROADCASTW X1, Y1
	LEAQ Evaluator_pool(AX), SI
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	STORE(SI)
	LEAQ Evaluator_pool+ROW(AX), SI
	STORE(SI)
	MOVQ Evaluator_powers(AX), CX
	VIEWS(0, 1, mine, mineSteps, mineSame, mineMate, mineNextMate, mineMates, mineFoe, mineNextFoe, mineFoes, minePower, minePowers, mineDone)
	VIEWS(1, 0, theirs, theirSteps, theirSame, theirMate, theirNextMate, theirMates, theirFoe, theirNextFoe, theirFoes, theirPower, theirPowers, theirDone)

	MOVQ Evaluator_head(AX), CX
	LEAQ Evaluator_pool(AX), SI
	LEAQ weights_second(CX), DI
	VMOVDQU weights_bias(CX), Y2
	VMOVDQU weights_bias+32(CX), Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	MOVQ $const_pairs/8, BX
second:
	PAIR(0, Y2, Y3)
	PAIR(1, Y4, Y5)
	PAIR(2, Y2, Y3)
	PAIR(3, Y4, Y5)
	PAIR(4, Y2, Y3)
	PAIR(5, Y4, Y5)
	PAIR(6, Y2, Y3)
	PAIR(7, Y4, Y5)
	ADDQ $32, SI
	ADDQ $512, DI
	DECQ BX
	JNZ second
	VPADDD Y4, Y2, Y2
	VPADDD Y5, Y3, Y3
	NEURONS(0, Y2)
	NEURONS(32, Y3)
	VPADDD Y3, Y2, Y2
	VEXTRACTI128 $1, Y2, X3
	VPADDD X3, X2, X2
	VPSHUFD $0x4e, X2, X3
	VPADDD X3, X2, X2
	VPSHUFD $0xb1, X2, X3
	VPADDD X3, X2, X2
	VMOVD X2, DX
	MOVL DX, ret+8(FP)
	VZEROUPPER
	RET

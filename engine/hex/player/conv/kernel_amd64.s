#include "go_asm.h"
#include "textflag.h"

// PLACES multiplies the weights of eight channels, at BX+at, with a pair of inputs of three places, in Y13 to Y15.
#define PLACES(at, a, b, c) \
	VPMADDWD at(BX), Y13, Y12; VPADDD Y12, a, a; \
	VPMADDWD at(BX), Y14, Y12; VPADDD Y12, b, b; \
	VPMADDWD at(BX), Y15, Y12; VPADDD Y12, c, c

// FINISH stores the activations of a place at DI+at. Y13 is 0, Y14 is top.
#define FINISH(at, a, b, c, d) \
	VPSRAD $const_shift, a, a; VPSRAD $const_shift, b, b; VPSRAD $const_shift, c, c; VPSRAD $const_shift, d, d; \
	VPACKSSDW b, a, a; VPERMQ $0xD8, a, a; \
	VPACKSSDW d, c, c; VPERMQ $0xD8, c, c; \
	VPADDSW at(R8), a, a; VPMAXSW Y13, a, a; VPMINSW Y14, a, a; VMOVDQU a, at(DI); \
	VPADDSW at+32(R8), c, c; VPMAXSW Y13, c, c; VPMINSW Y14, c, c; VMOVDQU c, at+32(DI)

// func convolveAVX2(out, in, add, weights *int16, bias *int32, near *[around]int, pairs int)
TEXT ·convolveAVX2(SB), NOSPLIT, $0-56
	MOVQ out+0(FP), DI
	MOVQ in+8(FP), SI
	MOVQ add+16(FP), R8
	MOVQ weights+24(FP), BX
	MOVQ bias+32(FP), DX
	MOVQ near+40(FP), R9
	MOVQ pairs+48(FP), R10
	LEAQ (R10*4), R11 // the bytes of a place
	VMOVDQU (DX), Y0; VMOVDQU 32(DX), Y1; VMOVDQU 64(DX), Y2; VMOVDQU 96(DX), Y3
	VMOVDQA Y0, Y4; VMOVDQA Y1, Y5; VMOVDQA Y2, Y6; VMOVDQA Y3, Y7
	VMOVDQA Y0, Y8; VMOVDQA Y1, Y9; VMOVDQA Y2, Y10; VMOVDQA Y3, Y11
	MOVQ $const_around, CX
around:
	MOVQ (R9), AX
	ADDQ $8, R9
	IMULQ R11, AX
	ADDQ SI, AX
	LEAQ (AX)(R11*1), R12
	LEAQ (AX)(R11*2), R13
	MOVQ R10, DX
pair:
	VPBROADCASTD (AX), Y13
	VPBROADCASTD (R12), Y14
	VPBROADCASTD (R13), Y15
	PLACES(0, Y0, Y4, Y8)
	PLACES(32, Y1, Y5, Y9)
	PLACES(64, Y2, Y6, Y10)
	PLACES(96, Y3, Y7, Y11)
	ADDQ $128, BX
	ADDQ $4, AX
	ADDQ $4, R12
	ADDQ $4, R13
	DECQ DX
	JNZ pair
	DECQ CX
	JNZ around
	VPXOR Y13, Y13, Y13
	MOVL $const_top, AX
	MOVQ AX, X14
	VPBROADCASTW X14, Y14
	FINISH(0, Y0, Y1, Y2, Y3)
	FINISH(64, Y4, Y5, Y6, Y7)
	FINISH(128, Y8, Y9, Y10, Y11)
	VZEROUPPER
	RET

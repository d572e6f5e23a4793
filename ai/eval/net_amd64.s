#include "textflag.h"

// A row is 64 numbers of 16 bits: 128 bytes, four registers.

// func updateAVX2(dst, src *sums, rows *[NumRows][Hidden]int16, plus *uint16, nPlus int, minus *uint16, nMinus int)
TEXT ·updateAVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ rows+16(FP), BX
	MOVQ plus+24(FP), R8
	MOVQ nPlus+32(FP), R9
	MOVQ minus+40(FP), R10
	MOVQ nMinus+48(FP), R11
	VMOVDQU 0(SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3

add:
	MOVWLZX (R8), AX
	SHLQ $7, AX
	ADDQ BX, AX
	VPADDW 0(AX), Y0, Y0
	VPADDW 32(AX), Y1, Y1
	VPADDW 64(AX), Y2, Y2
	VPADDW 96(AX), Y3, Y3
	ADDQ $2, R8
	DECQ R9
	JNZ add

sub:
	MOVWLZX (R10), AX
	SHLQ $7, AX
	ADDQ BX, AX
	VPSUBW 0(AX), Y0, Y0
	VPSUBW 32(AX), Y1, Y1
	VPSUBW 64(AX), Y2, Y2
	VPSUBW 96(AX), Y3, Y3
	ADDQ $2, R10
	DECQ R11
	JNZ sub

	VMOVDQU Y0, 0(DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	VZEROUPPER
	RET

DATA ones<>+0(SB)/2, $255
GLOBL ones<>(SB), RODATA|NOPTR, $2

// Clamps 16 sums, squares them and adds them, weighted, to Y0. The weights are
// at most 127 and the sums at most 255, so that the first product fits.
#define WEIGH(at, out) \
	VMOVDQU at, Y1 \
	VPMAXSW Y6, Y1, Y1 \
	VPMINSW Y7, Y1, Y1 \
	VPMULLW out, Y1, Y2 \
	VPMADDWD Y2, Y1, Y1 \
	VPADDD Y1, Y0, Y0

// func outputAVX2(mover, other *sums, out *[2 * Hidden]int16) int32
TEXT ·outputAVX2(SB), NOSPLIT, $0-28
	MOVQ mover+0(FP), SI
	MOVQ other+8(FP), DI
	MOVQ out+16(FP), BX
	VPBROADCASTW ones<>(SB), Y7
	VPXOR Y6, Y6, Y6
	VPXOR Y0, Y0, Y0
	WEIGH(0(SI), 0(BX))
	WEIGH(32(SI), 32(BX))
	WEIGH(64(SI), 64(BX))
	WEIGH(96(SI), 96(BX))
	WEIGH(0(DI), 128(BX))
	WEIGH(32(DI), 160(BX))
	WEIGH(64(DI), 192(BX))
	WEIGH(96(DI), 224(BX))
	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPADDD X1, X0, X0
	VMOVD X0, AX
	MOVL AX, ret+24(FP)
	VZEROUPPER
	RET
